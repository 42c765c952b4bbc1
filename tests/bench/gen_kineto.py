#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a synthetic Chrome-JSON trace in the shape that PyTorch's Kineto writes.

  gen_kineto.py -o OUT.json (--events N | --bytes 1G) [--seed S] [--layers L] [--no-shapes] [--compact] [--numeric-ids]

Deterministic: the same arguments give the same bytes. Streams to disk (memory stays at some tens of MiB).
The trace ends with the first transformer block (a few hundred events) in which the asked size is reached;
what was written is printed to stdout as one JSON line (events by category, bytes, distinct names).

Order in the file, as in a real Kineto file: header (schemaVersion, deviceProperties, distributedInfo, ...), then
every host event by host record order (parents before children), then the device side (cuda_runtime, flow, kernel),
then metadata 'M' events LAST, then the closing trace attributes. So file order is not time order.
"""
import argparse
import json
import os
import random
import sys


def parse_size(s):
    m = {'K': 10**3, 'M': 10**6, 'G': 10**9}
    return int(float(s[:-1]) * m[s[-1].upper()]) if s[-1].upper() in m else int(s)


ELEM = ['CUDAFunctor_add<{t}>', 'BinaryFunctor<{t}, {t}, {t}, at::native::binary_internal::MulFunctor<float> >',
        'AUnaryFunctor<{t}, {t}, {t}, at::native::binary_internal::MulFunctor<float> >',
        'FillFunctor<{t}>', 'CUDAFunctorOnSelf_add<{t}>', 'sigmoid_kernel_cuda(at::TensorIteratorBase&)::'
        '{{lambda()#2}}::operator()() const::{{lambda()#5}}::operator()() const::{{lambda({t})#1}}',
        'silu_kernel(at::TensorIteratorBase&)::{{lambda()#1}}::operator()() const::{{lambda()#4}}::operator()() const::'
        '{{lambda({t})#1}}', 'bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)::{{lambda({t})#1}}']


def kernel_names(r):
    out = []
    ty = ['c10::BFloat16', 'float', 'c10::Half', 'long']
    for t in ty:
        for e in ELEM:
            f = 'at::native::' + e.format(t=t)
            for v in (2, 4):
                out.append(f'void at::native::vectorized_elementwise_kernel<{v}, {f}, std::array<char*, 3ul> >'
                           f'(int, {f}, std::array<char*, 3ul>)')
            out.append(f'void at::native::unrolled_elementwise_kernel<{f}, std::array<char*, 2ul>, 4, '
                       'TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, '
                       'at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1> >'
                       f'(int, {f}, std::array<char*, 2ul>, TrivialOffsetCalculator<1, unsigned int>, '
                       'TrivialOffsetCalculator<1, unsigned int>, at::native::memory::LoadWithCast<1>, '
                       'at::native::memory::StoreWithCast<1>)')
            out.append(f'void at::native::reduce_kernel<512, 1, at::native::ReduceOp<{t}, at::native::MeanOps<{t}, '
                       f'float, float, {t}>, unsigned int, {t}, 4, 4> >(at::native::ReduceOp<{t}, '
                       f'at::native::MeanOps<{t}, float, float, {t}>, unsigned int, {t}, 4, 4>)')
    for m in (64, 128, 192, 256):
        for n in (64, 128, 256):
            for tr in ('tn', 'nt', 'nn'):
                c = f'cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_{m}x{n}_32x{r.randint(3, 6)}_{tr}_align8'
                out.append(f'void cutlass::Kernel2<{c}>({c}::Params)')
                out.append(f'sm90_xmma_gemm_bf16bf16_bf16f32_f32_{tr}_n_tilesize{m}x{n}x64_warpgroupsize'
                           f'{r.randint(1, 2)}x1x1_execute_segment_k_off_kernel__5x_cublas')
                out.append(f'nvjet_hsh_{m}x{n}_64x{r.randint(4, 8)}_{r.randint(1, 2)}x{r.randint(1, 2)}_'
                           f'{r.choice("hv")}_bz_coop{r.choice("AB")}_{tr.upper()}T')
    for d in (64, 96, 128, 192, 256):
        for k in ('Fwd', 'Bwd'):
            # still mangled, as Kineto leaves some; the form is a compiler's, so a demangler accepts it
            out.append(f'_ZN7cutlass13device_kernelIN5flash11enable_sm90INS1_16FlashAttn{k}Sm90INS1_25Collective'
                       f'Mainloop{k}Sm90ILi2EN4cute5tupleIJNS5_1CILi1EEES8_S8_EEENS6_IJNS7_ILi{d + 1}EEENS7_ILi{d * 2}EEE'
                       f'NS7_ILi{d}EEEEEELi{d}ENS_10bfloat16_tEfNS_4arch4Sm90ELb1ELb0ELb1ELb0EEENS1_21CollectiveEpilogue'
                       f'{k}ISD_S9_SE_SG_Li256ELb1ELb0ELb1EEENS1_36VarlenDynamicPersistentTileSchedulerILi128ELi256ELi128'
                       'ELb0ELb1ELb1EEEEEEEEEvNT_6ParamsE')
            out.append(f'void pytorch_flash::flash_{k.lower()}_kernel<pytorch_flash::Flash_{k.lower()}_kernel_traits<'
                       f'{d}, 128, 64, 4, false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<{d}, '
                       '128, 64, 4, cutlass::bfloat16_t> >, false, true, false, false, true, true, false, false>'
                       '(pytorch_flash::Flash_fwd_params)')
    ops = ['add', 'mul', 'pow', 'rsqrt', 'mean', '_to_copy', 'silu', 'cat', 'view', 'transpose', 'native_dropout',
           '_softmax', 'embedding', 'sum', 'div', 'neg', 'sigmoid', 'where', 'expand', 'clone']
    for i in range(120):
        out.append(f'triton_{r.choice(["poi", "red", "per"])}_fused_' +
                   '_'.join(sorted(r.sample(ops, r.randint(1, 6)))) + f'_{i}')
    m = 'at::native::(anonymous namespace)::'
    for nt in (1, 2, 3, 4):
        for fn in ('FusedAdamMathFunctor<float, {n}, (at::native::ADAM_MODE)1, false>',
                   'BinaryOpListAlphaFunctor<float, {n}, {n}, 0>', 'LpNormFunctor<float, (at::native::NormType)1, float, 1>'):
            out.append(f'void {m}multi_tensor_apply_kernel<{m}FusedOptimizerTensorListMetadata<{nt}>, {m}'
                       f'{fn.format(n=nt)}, float const*, double, double, double, double, double, bool, float const*, '
                       f'float const*>({m}FusedOptimizerTensorListMetadata<{nt}>, {m}{fn.format(n=nt)}, '
                       'float const*, double, double, double, double, double, bool, float const*, float const*)')
    return out


NCCL = ['ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)',
        'ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)',
        'ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)']

SITE = '/usr/local/lib/python3.11/site-packages/'
FILES = ['torch/nn/modules/module.py', 'torch/nn/modules/linear.py', 'torch/nn/functional.py', 'torch/_tensor.py',
         'torch/nn/modules/container.py', 'torch/nn/modules/activation.py', 'torch/autograd/function.py',
         'torch/distributed/fsdp/_runtime_utils.py', 'torch/distributed/fsdp/fully_sharded_data_parallel.py',
         'torch/utils/_contextlib.py', 'torch/amp/autocast_mode.py', 'torch/_dynamo/eval_frame.py',
         'transformers/models/llama/modeling_llama.py', 'transformers/modeling_utils.py',
         'transformers/utils/generic.py', 'accelerate/hooks.py', 'train.py', 'model/attention.py', 'model/mlp.py']
FUNCS = ['forward', '_call_impl', '_wrapped_call_impl', 'decorate_context', '__enter__', '__exit__', 'apply', '__init__',
         'linear', 'scaled_dot_product_attention', 'apply_rotary_pos_emb', 'rotate_half', '_pre_forward', '_post_forward',
         'inner', 'wrapper', '<genexpr>', '<listcomp>', 'check_model_inputs', 'eager_attention_forward']
BUILTINS = ['linear', 'to', 'view', 'transpose', 'contiguous', 'cat', 'mul', 'pow', 'mean', 'rsqrt', 'silu', 'expand',
            'reshape', 'unsqueeze', 'copy_', 'detach', 'is_contiguous', 'size', 'dim', 'get_device', 'numel']
OPS = ['aten::linear', 'aten::t', 'aten::transpose', 'aten::as_strided', 'aten::matmul', 'aten::mm', 'aten::addmm',
       'aten::to', 'aten::_to_copy', 'aten::empty_strided', 'aten::empty', 'aten::copy_', 'aten::add', 'aten::add_',
       'aten::mul', 'aten::pow', 'aten::mean', 'aten::rsqrt', 'aten::silu', 'aten::cat', 'aten::view', 'aten::reshape',
       'aten::_unsafe_view', 'aten::expand', 'aten::unsqueeze', 'aten::slice', 'aten::narrow', 'aten::neg',
       'aten::scaled_dot_product_attention', 'aten::_scaled_dot_product_flash_attention', 'aten::_flash_attention_forward',
       'aten::zeros_like', 'aten::zero_', 'aten::fill_', 'aten::sum', 'aten::div', 'aten::detach', 'aten::clone',
       'aten::contiguous', 'aten::empty_like', 'aten::resize_', 'aten::bmm', 'aten::embedding', 'aten::index_select',
       'aten::_foreach_add_', 'aten::_fused_adamw_', 'aten::_local_scalar_dense', 'aten::item', 'aten::isnan', 'aten::sub']
BWD = ['MmBackward0', 'AddmmBackward0', 'UnsafeViewBackward0', 'TBackward0', 'ViewBackward0', 'MulBackward0',
       'AddBackward0', 'PowBackward0', 'MeanBackward1', 'RsqrtBackward0', 'SiluBackward0', 'CatBackward0', 'SliceBackward0',
       'ToCopyBackward0', 'ScaledDotProductFlashAttentionBackward0', 'torch::autograd::AccumulateGrad', 'ExpandBackward0']


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('-o', required=True)
    ap.add_argument('--events', type=int)
    ap.add_argument('--bytes', type=parse_size)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--layers', type=int, default=32)
    ap.add_argument('--no-shapes', action='store_true', help='no Input Dims etc. (record_shapes off)')
    ap.add_argument('--numeric-ids', action='store_true', help='leave out the 3 events whose pid/tid is a string, as Kineto '
                    'writes them (some importers stop at them)')
    ap.add_argument('--compact', action='store_true', help='no white space between tokens and one event a line')
    a = ap.parse_args()
    if not a.events and not a.bytes:
        ap.error('--events or --bytes')
    r = random.Random(a.seed)
    rnd = r.random
    PID, TID, TIDB, RANK, WORLD = 4242, 4242, 4711, 0, 8

    # -------- pools, so that one event costs one format
    knames = kernel_names(r)
    kpool = []
    for i in range(1200):
        gx, bx = r.choice([1, 32, 64, 132, 264, 512, 1024, 4096, 16384]), r.choice([64, 128, 256, 384, 512, 1024])
        kpool.append((json.dumps(knames[i % len(knames)])[1:-1],
                      f'"registers per thread": {r.choice([16, 24, 32, 40, 64, 128, 168, 255])}, '
                      f'"shared memory": {r.choice([0, 0, 16, 49152, 98304, 197632, 232448])}, '
                      f'"blocks per SM": {gx / 132:.6f}, "warps per SM": {gx * bx / 32 / 132:.6f}, '
                      f'"grid": [{gx}, {r.choice([1, 1, 2, 8, 32])}, {r.choice([1, 1, 1, 4])}], "block": [{bx}, 1, 1], '
                      f'"est. achieved occupancy %": {r.randint(0, 100)}', r.choice([1500, 2200, 4000, 9000, 60000, 250000])))
    nk = len(kpool)
    dims = ['[4096, 4096]', '[2, 2048, 4096]', '[4096, 14336]', '[2, 32, 2048, 128]', '[128256, 4096]', '[]', '[2, 2048]',
            '[4096]', '[2, 2048, 32, 128]', '[14336, 4096]']
    strd = ['[4096, 1]', '[8388608, 4096, 1]', '[14336, 1]', '[8388608, 128, 4096, 1]', '[1, 4096]', '[]', '[2048, 1]', '[1]']
    typs = ['"c10::BFloat16"', '"float"', '"long int"', '""', '"Scalar"', '"ScalarList"', '"Tensor[]"', '"bool"']
    opool = []
    for i in range(900):
        n = r.randint(1, 6)
        s = '' if a.no_shapes else (
            ', "Concrete Inputs": [' + ', '.join(r.choice(['""', '"False"', '"6"', '"[2, 2048, -1]"', '"-1"', '"1.0"', '"[]"'])
                                                for _ in range(n)) +
            '], "Input type": [' + ', '.join(r.choice(typs) for _ in range(n)) +
            '], "Input Strides": [' + ', '.join(r.choice(strd) for _ in range(n)) +
            '], "Input Dims": [' + ', '.join(r.choice(dims) for _ in range(n)) + ']')
        opool.append((OPS[i % len(OPS)], s))
    no = len(opool)
    pyp = []
    for f in FILES:
        for fn in FUNCS:
            pyp.append(json.dumps((SITE if r.random() < .4 and '/' in f else '') + f'{f}({r.randint(20, 3900)}): {fn}')[1:-1])
    npy = len(pyp)
    mods = ['LlamaDecoderLayer', 'LlamaRMSNorm', 'LlamaAttention', 'LlamaMLP', 'Linear', 'SiLU', 'LlamaRotaryEmbedding',
            'Dropout', 'FullyShardedDataParallel']
    nb = len(BUILTINS)

    # -------- output
    gtmp = a.o + '.gpu.tmp'
    fc = open(a.o, 'w', encoding='ascii', buffering=1 << 20)
    fg = open(gtmp, 'w', encoding='ascii', buffering=1 << 20)
    C, G = [], []
    cnt, names = {}, set()
    nbytes = 0
    if a.compact:
        def sq(s):
            return s.replace('\n      ', '').replace('\n    ', '').replace(', "', ',"').replace('": ', '":').replace(
                '{ ', '{').replace('  {', '{').replace('\n  }', '}')
    else:
        def sq(s):
            return s
    F_X = sq('  {\n    "ph": "X", "cat": "%s", "name": "%s", "pid": %s, "tid": %s,\n    "ts": %d.%03d, "dur": %d.%03d,\n'
             '    "args": {\n      %s\n    }\n  }')
    F_F = sq('  {\n    "ph": "%s", "id": %d, "pid": %d, "tid": %d, "ts": %d.%03d,\n    "cat": "%s", "name": "%s"%s\n  }')
    F_I = sq('  {\n    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]",\n    "pid": %d, "tid": %d,\n'
             '    "ts": %d.%03d,\n    "args": {\n      "Total Reserved": %d, "Total Allocated": %d, "Bytes": %d, '
             '"Addr": %d, "Device Id": 0, "Device Type": 1, "Ev Idx": %d\n    }\n  }')
    CP = a.compact
    if CP:
        kpool = [(n, sq(s), d) for n, s, d in kpool]
        opool = [(n, sq(s)) for n, s in opool]
    sep = ',\n'

    BASE = 1_730_000_000_000_000_000
    t = 5_231_000_000_000          # ns from the base; ts is written as microseconds with 3 decimals
    ev = ext = 1
    corr = 1
    flow = 1
    pyid = 1
    gcur = [t, t, t]               # stream cursors: 7 (compute), 20 (NCCL), 24 (copy)
    STREAM = [7, 20, 24]
    reserved, alloc = 40 << 30, 22 << 30
    nev = 0

    def add(k, n=1):
        cnt[k] = cnt.get(k, 0) + n

    def X(cat, name, tid, t0, t1, args):
        d = t1 - t0
        return F_X % (cat, name, PID, tid, t0 // 1000, t0 % 1000, d // 1000, d % 1000, args)

    def launch(tid, kind):
        """One cuda runtime call, with its flow pair and its device event."""
        nonlocal t, corr, flow, nev
        corr += 1
        c, e = corr, ext
        t += 50
        t0 = t
        t += 2500 + int(rnd() * 5000)
        d = t - t0
        if kind == 0:
            api, cbid = ('cudaLaunchKernel', 211) if rnd() < .7 else ('cudaLaunchKernelExC', 430)
        elif kind == 1:
            api, cbid = 'cudaMemcpyAsync', 41
        elif kind == 2:
            api, cbid = 'cudaMemsetAsync', 51
        else:
            api, cbid = 'cudaLaunchKernelExC', 430
        G.append(F_X % ('cuda_runtime', api, PID, tid, t0 // 1000, t0 % 1000, d // 1000, d % 1000,
                        '"External id": %d, "cbid": %d, "correlation": %d' % (e, cbid, c)))
        si = 1 if kind == 3 else 2 if kind == 1 else 0
        g0 = gcur[si]
        if g0 < t + 1800:
            g0 = t + 1800 + int(rnd() * 900)
        st = STREAM[si]
        if kind == 0:
            n, s, du = kpool[int(rnd() * nk)]
            du = int(du * (.8 + .4 * rnd()))
            cat = 'kernel'
            args = '"External id": %d, "queued": 0, "device": 0, "context": 1, "stream": %d, "correlation": %d, %s' % (
                e, st, c, s)
        elif kind == 3:
            n = NCCL[int(rnd() * 3)]
            du = 400000 + int(rnd() * 900000)
            cat = 'kernel'
            args = ('"External id": %d, "queued": 0, "device": 0, "context": 1, "stream": %d, "correlation": %d, '
                    '"registers per thread": 96, "shared memory": 82240, "blocks per SM": 0.242424, "warps per SM": '
                    '4.121212, "grid": [32, 1, 1], "block": [544, 1, 1], "est. achieved occupancy %%": 0, '
                    '"Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 33554432, "Out msg nelems": '
                    '33554432, "Group size": 8, "Process Group Name": "0", "Process Group Description": "default_pg", '
                    '"Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]", "Rank": 0' % (e, st, c))
        elif kind == 1:
            n = ('Memcpy DtoD (Device -> Device)', 'Memcpy HtoD (Pinned -> Device)', 'Memcpy DtoH (Device -> Pageable)')[
                int(rnd() * 3)]
            by = 1 << (8 + int(rnd() * 18))
            du = 900 + by // 50
            cat = 'gpu_memcpy'
            args = ('"External id": %d, "device": 0, "context": 1, "stream": %d, "correlation": %d, "bytes": %d, '
                    '"memory bandwidth (GB/s)": %.6f' % (e, st, c, by, by / du))
        else:
            n, by, du, cat = 'Memset (Device)', 1 << (4 + int(rnd() * 16)), 1200, 'gpu_memset'
            args = ('"External id": %d, "device": 0, "context": 1, "stream": %d, "correlation": %d, "bytes": %d, '
                    '"memory bandwidth (GB/s)": %.6f' % (e, st, c, by, by / du))
        names.add(n)
        if CP:
            args = sq(args)
        G.append(F_F % ('s', c, PID, tid, t0 // 1000, t0 % 1000, 'ac2g', 'ac2g', ''))
        G.append(F_X % (cat, n, 0, st, g0 // 1000, g0 % 1000, du // 1000, du % 1000, args))
        G.append(F_F % ('f', c, 0, st, g0 // 1000, g0 % 1000, 'ac2g', 'ac2g', ', "bp": "e"'))
        gcur[si] = g0 + du + 700
        add(cat)
        add('cuda_runtime')
        add('ac2g', 2)
        nev += 4

    def sync(tid, api, cbid):
        nonlocal t, corr, nev
        corr += 1
        t += 50
        t0 = t
        t += 1500 + int(rnd() * 8000)
        G.append(X('cuda_runtime', api, tid, t0, t, '"External id": %d, "cbid": %d, "correlation": %d' % (ext, cbid, corr)))
        add('cuda_runtime')
        nev += 1

    def op(tid, depth, nkern):
        """A cpu_op with nested ops; nkern launches at its leaves."""
        nonlocal t, ext, ev, nev, alloc
        n, s = opool[int(rnd() * no)]
        i = len(C)
        C.append(None)
        nev += 1
        ext += 1
        ev += 1
        t += 60                 # siblings never touch: as in real host records
        e0, v0, t0 = ext, ev, t
        t += 600 + int(rnd() * 2500)
        if depth > 0:
            k = 1 + int(rnd() * 2.4)
            for j in range(k):
                op(tid, depth - 1, nkern if j == k - 1 else 0)
        else:
            q = rnd()
            if q < .22:
                by = 512 << int(rnd() * 18)
                alloc += by if rnd() < .5 else -by
                C.append(F_I % (PID, tid, t // 1000, t % 1000, reserved, alloc, by, 0x7f2a00000000 + (by << 3), ev))
                add('[memory]')
                ev += 1
                nev += 1
            for _ in range(nkern):
                launch(tid, 0 if rnd() < .93 else 1 if rnd() < .6 else 2)
        t += 300 + int(rnd() * 1500)
        d = t - t0
        C[i] = F_X % ('cpu_op', n, PID, tid, t0 // 1000, t0 % 1000, d // 1000, d % 1000,
                      '"External id": %d, "Record function id": 0%s, "Ev Idx": %d' % (e0, s, v0))
        add('cpu_op')

    def py(parent, body, name=None, mod=-1):
        nonlocal t, pyid, ev, nev
        i = len(C)
        C.append(None)
        nev += 1
        pyid += 1
        ev += 1
        t += 40
        me, v0, t0 = pyid, ev, t
        t += 150 + int(rnd() * 700)
        if body:
            body(me)
        t += 100 + int(rnd() * 500)
        d = t - t0
        if name is None:
            name = pyp[int(rnd() * npy)]
        C[i] = F_X % ('python_function', name, PID, TID, t0 // 1000, t0 % 1000, d // 1000, d % 1000,
                      ('"Python parent id": %d, "Python id": %d, "Ev Idx": %d' % (parent, me, v0)) if mod < 0 else
                      ('"Python parent id": %d, "Python id": %d, "Python module id": %d, "Ev Idx": %d' % (parent, me, mod, v0)))
        add('python_function')

    def builtin(parent):
        n = '<built-in method %s of %s object at 0x7f%010x>' % (
            BUILTINS[int(rnd() * nb)], 'Tensor' if rnd() < .5 else 'Parameter', int(rnd() * 6000) * 0x150)
        names.add(n)
        for _ in range(int(rnd() * 7)):
            py(parent, None if rnd() < .6 else (lambda me: py(me, None)))
        py(parent, lambda me: op(TID, int(rnd() * 4), 1), n)

    def layer(li, parent):
        def module(kind, idx, inner):
            def w(me):
                py(me, lambda m2: py(m2, lambda m3: py(m3, lambda m4: py(m4, inner))))
            py(parent_of[0], w, 'nn.Module: %s_%d' % (mods[kind], idx), idx)
        parent_of = [parent]

        def attn(me):
            parent_of[0] = me
            for q in range(4):
                module(4, li * 7 + q, builtin)
            for _ in range(6):
                builtin(me)
        def mlp(me):
            parent_of[0] = me
            for q in range(3):
                module(4, li * 7 + 4 + q, builtin)
            module(5, li, builtin)
        def norm(me):
            for _ in range(4):
                builtin(me)
        def body(me):
            parent_of[0] = me
            module(1, 2 * li, norm)
            parent_of[0] = me
            module(2, li, attn)
            parent_of[0] = me
            module(1, 2 * li + 1, norm)
            parent_of[0] = me
            module(3, li, mlp)
        parent_of[0] = parent
        module(0, li, body)

    def annotate(cat, name, tid, body, extra=''):
        nonlocal t, ext, ev, nev
        i = len(C)
        C.append(None)
        nev += 1
        ext += 1
        ev += 1
        t += 60
        e0, v0, t0 = ext, ev, t
        g0 = gcur[0] if gcur[0] > t else t
        body()
        t += 400
        C[i] = X(cat, name, tid, t0, t, sq('"External id": %d, "Record function id": 0%s, "Ev Idx": %d' % (e0, extra, v0)))
        add(cat)
        if cat == 'user_annotation':
            d = gcur[0] - g0 - 500
            if d > 0:
                G.append(F_X % ('gpu_user_annotation', name, 0, 7, g0 // 1000, g0 % 1000, d // 1000, d % 1000,
                                '"External id": %d' % e0))
                add('gpu_user_annotation')
                nev += 1

    def collective():
        annotate('user_annotation', 'nccl:all_reduce', TIDB, lambda: launch(TIDB, 3))
        annotate('cpu_op', 'record_param_comms', TIDB, lambda: sync(TIDB, 'cudaEventRecord', 135),
                 ', "Collective name": "allreduce", "Process Group Name": "0", "In msg nelems": 33554432, "Group size": 8')

    def bwd():
        nonlocal flow, nev
        n = BWD[int(rnd() * len(BWD))]
        flow += 1
        C.append(F_F % ('s', flow, PID, TID, (t - 900000) // 1000, t % 1000, 'fwdbwd', 'fwdbwd', ''))
        C.append(F_F % ('f', flow, PID, TIDB, t // 1000, t % 1000, 'fwdbwd', 'fwdbwd', ', "bp": "e"'))
        add('fwdbwd', 2)
        nev += 2
        annotate('cpu_op', 'autograd::engine::evaluate_function: ' + n, TIDB, lambda: annotate(
            'cpu_op', n, TIDB, lambda: [op(TIDB, int(rnd() * 3), 1) for _ in range(1 + int(rnd() * 2))],
            ', "Sequence number": %d, "Fwd thread id": 1' % flow), ', "Sequence number": %d, "Fwd thread id": 1' % flow)

    head = {'schemaVersion': 1, 'deviceProperties': [
        {'id': i, 'name': 'NVIDIA H100 80GB HBM3', 'totalGlobalMem': 85024112640, 'computeMajor': 9, 'computeMinor': 0,
         'maxThreadsPerBlock': 1024, 'maxThreadsPerMultiprocessor': 2048, 'regsPerBlock': 65536, 'warpSize': 32,
         'sharedMemPerBlock': 49152, 'numSms': 132, 'regsPerMultiprocessor': 65536, 'sharedMemPerBlockOptin': 232448,
         'sharedMemPerMultiprocessor': 233472} for i in range(8)],
        'cupti_version': 24, 'cuda_runtime_version': 12040, 'cuda_driver_version': 12040,
        'distributedInfo': {'backend': 'nccl', 'rank': RANK, 'world_size': WORLD, 'pg_count': 1,
                            'pg_config': [{'pg_name': '0', 'pg_desc': 'default_pg', 'backend_config': 'cuda:nccl',
                                           'pg_size': 8, 'ranks': list(range(8))}], 'nccl_version': '2.21.5'},
        'with_stack': 1, 'record_shapes': 0 if a.no_shapes else 1, 'profile_memory': 1,
        'trace_id': '%032X' % r.getrandbits(128), 'displayTimeUnit': 'ms', 'baseTimeNanoseconds': BASE}
    h = json.dumps(head, indent=None if a.compact else 2)[:-1].rstrip() + ',\n"traceEvents": [\n'
    nbytes += fc.write(h)
    first = [True, True]

    def flush(f, L, w):
        nonlocal nbytes
        if L:
            s = sep.join(L)
            if first[w]:
                first[w] = False
            else:
                f.write(sep)
                nbytes += 2
            nbytes += f.write(s)
            L.clear()

    class Done(Exception):
        pass

    done = False

    def check():
        # host events can only be written when no event is open: the caller guarantees it
        return (a.events and nev >= a.events) or (a.bytes and nbytes + pend() >= a.bytes)

    def pend():
        return sum(map(len, C)) + sum(map(len, G))

    # A step span must enclose its blocks; it is written when the step ends. To stream, the step's own events
    # (ProfilerStep#N) are written after its content: Kineto does not promise order either.
    step = 0
    t_start = t
    while not done:
        step += 1
        ts0, g0, e0 = t, max(gcur[0], t), ext + 1
        ext += 1
        for li in range(a.layers):
            py(0, lambda me: layer(li, me), 'train.py(%d): train_step' % (118 + li % 3))
            flush(fg, G, 1)
            flush(fc, C, 0)
            done = check()
            if done:
                break
        if not done:
            for li in range(a.layers):
                for _ in range(28):
                    bwd()
                if li % 4 == 3:
                    collective()
                flush(fg, G, 1)
                flush(fc, C, 0)
                done = check()
                if done:
                    break
        if not done:
            annotate('user_annotation', 'Optimizer.step#AdamW.step', TID,
                     lambda: [op(TID, 2, 4) for _ in range(40)])
            annotate('user_annotation', 'Optimizer.zero_grad#AdamW.zero_grad', TID, lambda: [op(TID, 1, 1) for _ in range(8)])
            sync(TID, 'cudaDeviceSynchronize', 165)
            t = max(t, max(gcur)) + 20000
        C.append(X('user_annotation', 'ProfilerStep#%d' % step, TID, ts0, t,
                   sq('"External id": %d, "Record function id": 0, "Ev Idx": %d' % (e0, ev))))
        d = max(gcur[0] - g0 - 300, 1)
        G.append(F_X % ('gpu_user_annotation', 'ProfilerStep#%d' % step, 0, 7, g0 // 1000, g0 % 1000, d // 1000, d % 1000,
                        '"External id": %d' % e0))
        add('user_annotation')
        add('gpu_user_annotation')
        nev += 2
        t += 2000
        flush(fg, G, 1)
        flush(fc, C, 0)
    fg.close()
    fc.write(sep)
    nbytes += 2
    fc.flush()
    with open(gtmp, 'rb') as src, open(a.o, 'ab') as dst:
        while True:
            b = src.read(8 << 20)
            if not b:
                break
            dst.write(b)
    os.unlink(gtmp)
    # -------- metadata, last
    M = []

    def meta(kind, pid, tid, args):
        M.append('  {\n    "name": "%s", "ph": "M", "ts": %d.000, "pid": %s, "tid": %s,\n    "args": {\n      %s\n    }\n  }' % (
            kind, t_start // 1000, pid, tid, args))
    for pid, nm, lab, srt in [(PID, 'python', 'CPU', PID)] + [(g, 'python', 'GPU %d' % g, 5000000 + g) for g in range(8)]:
        meta('process_name', pid, 0, '"name": "%s"' % nm)
        meta('process_labels', pid, 0, '"labels": "%s"' % lab)
        meta('process_sort_index', pid, 0, '"sort_index": %d' % srt)
    for tid, nm in ((TID, 'thread %d (python)' % TID), (TIDB, 'thread %d (pt_autograd_0)' % TIDB)):
        meta('thread_name', PID, tid, '"name": "%s"' % nm)
        meta('thread_sort_index', PID, tid, '"sort_index": %d' % tid)
    for st in STREAM:
        meta('thread_name', 0, st, '"name": "stream %d "' % st)
        meta('thread_sort_index', 0, st, '"sort_index": %d' % st)
    strings = len(M)
    M.append('  {\n    "ph": "X", "cat": "Trace", "ts": %d.000, "dur": %d.000,\n    "pid": "Spans", "tid": "PyTorch Profiler",\n'
             '    "name": "PyTorch Profiler (0)",\n    "args": {\n      "Op count": 0\n    }\n  }' % (t_start // 1000, (t - t_start) // 1000))
    M.append('  {\n    "name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g",\n    "pid": "Traces", '
             '"tid": "Trace PyTorch Profiler", "ts": %d.000\n  }' % (t_start // 1000))
    M.append('  {\n    "name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": %d.%03d\n  }' % (t // 1000, t % 1000))
    if a.numeric_ids:
        del M[strings:]
    add('M and window', len(M))
    nev += len(M)
    tail = sep + sep.join(M) + '\n  ],\n  "traceName": "/tmp/rank%d_trace.json"\n}\n' % RANK
    with open(a.o, 'a', encoding='ascii') as f:
        f.write(tail)
    print(json.dumps({'file': a.o, 'bytes': os.path.getsize(a.o), 'events': nev, 'steps': step,
                      'by_category': dict(sorted(cnt.items())), 'distinct_device_and_builtin_names': len(names)}))


if __name__ == '__main__':
    sys.setrecursionlimit(10000)
    main()
