// SPDX-License-Identifier: MIT
// Programs to be recorded whose work is known to the last launch: `record_sample SCENARIO [N]` does it and prints, as
// one line of JSON, what it launched. tests/gpu/record_check.py holds recordings to that.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#define OK(call)                                                                                \
    do {                                                                                        \
        if (const cudaError_t error = (call); error != cudaSuccess) {                           \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (false)

__global__ void empty_kernel() {}

__global__ void spin_kernel(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

template <int N>
__global__ void scale_kernel(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = x[i] * 1.5f + N;
    }
}

namespace {

struct Counts {
    long kernels = 0, copies = 0, sets = 0, allocations = 0, frees = 0, ranges = 0, nodes = 0;
};

void print(const char* scenario, const Counts& c, const std::string& more = "") {
    std::printf(
        "{\"scenario\": \"%s\", \"pid\": %d, \"kernels\": %ld, \"copies\": %ld, \"sets\": %ld, \"allocations\": %ld, "
        "\"frees\": %ld, \"ranges\": %ld, \"nodes\": %ld%s}\n",
        scenario, getpid(), c.kernels, c.copies, c.sets, c.allocations, c.frees, c.ranges, c.nodes, more.c_str());
    std::fflush(stdout);
}

double secondsOf(void (*launch)(long), long n) {
    const auto begin = std::chrono::steady_clock::now();
    launch(n);
    OK(cudaDeviceSynchronize());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void launchEmpty(long n) {
    for (long i = 0; i < n; ++i) {
        empty_kernel<<<1, 32>>>();
    }
}

/// Empty kernels as fast as they can be launched; the time of a launch.
void empties(long n) {
    launchEmpty(1000);
    OK(cudaDeviceSynchronize());
    const double seconds = secondsOf(launchEmpty, n);
    Counts c;
    c.kernels = n + 1000;
    print("empty", c, ", \"ns_per_launch\": " + std::to_string(seconds / n * 1e9));
}

/// One of everything that is recorded.
void mixed(long n) {
    Counts c;
    constexpr int kCount = 1 << 20;
    constexpr size_t kBytes = kCount * sizeof(float);
    std::vector<float> host(kCount, 1.0f);
    cudaStream_t streams[2];
    float* x[2];
    for (int s = 0; s < 2; ++s) {
        OK(cudaStreamCreate(&streams[s]));
        OK(cudaMalloc(&x[s], kBytes));
        ++c.allocations;
    }
    for (long i = 0; i < n; ++i) {
        nvtxRangePushA(i % 2 == 0 ? "even step" : "odd step");
        ++c.ranges;
        const int s = static_cast<int>(i % 2);
        OK(cudaMemcpyAsync(x[s], host.data(), kBytes, cudaMemcpyHostToDevice, streams[s]));
        OK(cudaMemsetAsync(x[s], 0, kBytes / 2, streams[s]));
        scale_kernel<1><<<kCount / 256, 256, 0, streams[s]>>>(x[s], kCount);
        scale_kernel<2><<<kCount / 256, 256, 4096, streams[s]>>>(x[s], kCount);
        void* pooled = nullptr;
        OK(cudaMallocAsync(&pooled, 1 << 20, streams[s]));
        OK(cudaFreeAsync(pooled, streams[s]));
        OK(cudaMemcpyAsync(host.data(), x[s], kBytes / 4, cudaMemcpyDeviceToHost, streams[s]));
        c.kernels += 2;
        c.copies += 2;
        ++c.sets;
        ++c.allocations;
        ++c.frees;
        nvtxRangePop();
    }
    OK(cudaDeviceSynchronize());
    for (float* memory : x) {
        OK(cudaFree(memory));
        ++c.frees;
    }
    print("mixed", c);
}

void graph(long n) {
    constexpr int kNodes = 50;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    cudaGraph_t made;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < kNodes; ++i) {
        empty_kernel<<<1, 32, 0, stream>>>();
    }
    OK(cudaStreamEndCapture(stream, &made));
    cudaGraphExec_t run;
    OK(cudaGraphInstantiate(&run, made, 0));
    OK(cudaGraphLaunch(run, stream));
    OK(cudaStreamSynchronize(stream));
    const auto begin = std::chrono::steady_clock::now();
    for (long i = 1; i < n; ++i) {
        OK(cudaGraphLaunch(run, stream));
    }
    OK(cudaStreamSynchronize(stream));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    Counts c;
    c.nodes = n * kNodes;
    print("graph", c,
          ", \"launches\": " + std::to_string(n) +
              ", \"ns_per_node\": " + std::to_string(seconds / ((n - 1) * kNodes) * 1e9));
}

void threads(long n) {
    constexpr int kThreads = 4;
    OK(cudaFree(nullptr));
    std::vector<std::thread> all;
    for (int t = 0; t < kThreads; ++t) {
        all.emplace_back([n] {
            cudaStream_t stream;
            OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            for (long i = 0; i < n; ++i) {
                empty_kernel<<<1, 32, 0, stream>>>();
            }
            OK(cudaStreamSynchronize(stream));
        });
    }
    for (std::thread& thread : all) {
        thread.join();
    }
    Counts c;
    c.kernels = n * kThreads;
    print("threads", c);
}

/// Event pairs that enclose launches queued back to back: what their kernels take by CUDA's own clock.
void events(long n) {
    cudaEvent_t begin, end;
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    constexpr int kCount = 1 << 27;  // so long that the gaps between kernels do not count
    float* x = nullptr;
    OK(cudaMalloc(&x, kCount * sizeof(float)));
    const auto batch = [&] {
        for (long i = 0; i < n; ++i) {
            scale_kernel<3><<<kCount / 256, 256>>>(x, kCount);
        }
    };
    batch();
    OK(cudaDeviceSynchronize());
    spin_kernel<<<1, 1>>>(20'000'000);  // the queue fills behind it
    OK(cudaEventRecord(begin));
    batch();
    OK(cudaEventRecord(end));
    OK(cudaDeviceSynchronize());
    float milliseconds = 0;
    OK(cudaEventElapsedTime(&milliseconds, begin, end));
    Counts c;
    c.kernels = 2 * n + 1;
    c.allocations = 1;
    print("events", c,
          ", \"timed\": " + std::to_string(n) + ", \"event_us_per_kernel\": " + std::to_string(milliseconds * 1e3 / n));
}

/// Works before and after a fork, and in the child, which uses CUDA or does not.
void forks(long n, const char* self) {
    const pid_t before = fork();
    if (before == 0) {
        launchEmpty(n);
        OK(cudaDeviceSynchronize());
        Counts c;
        c.kernels = n;
        print("fork_before", c);
        std::exit(0);
    }
    waitpid(before, nullptr, 0);
    launchEmpty(n);
    OK(cudaDeviceSynchronize());
    const pid_t after = fork();
    if (after == 0) {
        std::exit(0);
    }
    waitpid(after, nullptr, 0);
    const pid_t other = fork();
    if (other == 0) {
        execl(self, self, "empty", std::to_string(n).c_str(), nullptr);
        _exit(1);
    }
    int status = 0;
    waitpid(other, &status, 0);
    launchEmpty(n);
    OK(cudaDeviceSynchronize());
    Counts c;
    c.kernels = 2 * n;
    print("forks", c);
}

/// Launches until somebody ends it.
void endless(long) {
    for (long i = 0;; ++i) {
        launchEmpty(1000);
        OK(cudaDeviceSynchronize());
        if (i % 100 == 0) {
            std::printf("{\"launched\": %ld}\n", (i + 1) * 1000);
            std::fflush(stdout);
        }
    }
}

/// A long kernel on one stream and short ones on another, from the same thread.
void behind(long n) {
    cudaStream_t a, b;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    empty_kernel<<<1, 32, 0, b>>>();
    OK(cudaDeviceSynchronize());
    spin_kernel<<<1, 1, 0, a>>>(2'400'000'000);
    for (long i = 0; i < n; ++i) {
        empty_kernel<<<1, 32, 0, b>>>();
        OK(cudaStreamSynchronize(b));
        usleep(2000);
    }
    OK(cudaDeviceSynchronize());
    Counts c;
    c.kernels = n + 2;
    print("behind", c);
}

void quick_exit_without_sync(long n) {
    launchEmpty(n);
    _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string scenario = argc > 1 ? argv[1] : "";
    const long n = argc > 2 ? std::atol(argv[2]) : 100;
    if (scenario == "empty") {
        empties(n);
    } else if (scenario == "mixed") {
        mixed(n);
    } else if (scenario == "graph") {
        graph(n);
    } else if (scenario == "threads") {
        threads(n);
    } else if (scenario == "events") {
        events(n);
    } else if (scenario == "forks") {
        forks(n, argv[0]);
    } else if (scenario == "endless") {
        endless(n);
    } else if (scenario == "behind") {
        behind(n);
    } else if (scenario == "_exit") {
        quick_exit_without_sync(n);
    } else {
        std::fprintf(stderr, "record_sample empty|mixed|graph|threads|events|forks|endless|behind|_exit [N]\n");
        return 2;
    }
    return 0;
}
