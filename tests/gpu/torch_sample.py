# SPDX-License-Identifier: MIT
"""A PyTorch (and, with "triton", a Triton) program whose launches are known; prints them as a line of JSON."""
import json
import sys
import time

import torch

mode, count = sys.argv[1], int(sys.argv[2])
x = torch.zeros(1024, device="cuda")
torch.cuda.synchronize()
result = {"mode": mode, "count": count}
if mode == "ops":
    with torch.profiler.record_function("timed ops"):
        for _ in range(count):
            x.add_(1)
    torch.cuda.synchronize()
elif mode == "time":
    for _ in range(1000):
        x.add_(1)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(count):
        x.add_(1)
    torch.cuda.synchronize()
    result["us_per_op"] = (time.perf_counter() - begin) / count * 1e6
elif mode in ("profiler", "profiler_cuda"):
    activities = [torch.profiler.ProfilerActivity.CUDA]
    if mode == "profiler":
        activities.append(torch.profiler.ProfilerActivity.CPU)
    for _ in range(1000):
        x.add_(1)
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=activities):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(count):
            x.add_(1)
        torch.cuda.synchronize()
        result["us_per_op"] = (time.perf_counter() - begin) / count * 1e6
elif mode == "train":
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(1024, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 1024)).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    data = torch.randn(512, 1024, device="cuda")
    for step in range(count):
        with torch.profiler.record_function("step"):
            optimizer.zero_grad()
            loss = (model(data) - data).square().mean()
            loss.backward()
            optimizer.step()
    torch.cuda.synchronize()
    result["loss"] = float(loss)
elif mode == "triton":
    import triton
    import triton.language as tl

    @triton.jit
    def add_one(x_pointer, n, block: tl.constexpr):
        at = tl.program_id(0) * block + tl.arange(0, block)
        tl.store(x_pointer + at, tl.load(x_pointer + at, mask=at < n) + 1, mask=at < n)

    for _ in range(count):
        add_one[(triton.cdiv(x.numel(), 256),)](x, x.numel(), 256)
    torch.cuda.synchronize()
    assert float(x[0]) == count
result["max_memory_allocated"] = torch.cuda.max_memory_allocated()
result["max_memory_reserved"] = torch.cuda.max_memory_reserved()
print(json.dumps(result))
