// SPDX-License-Identifier: MIT
// The program whose exports stand in tests/data/nsys: memsets, copies both ways, kernels on two streams, waits, ranges
// and a graph. What a file of them holds is known from here, and from SQL over its tables.
//
//   nvcc -O2 -std=c++17 -gencode arch=compute_90,code=sm_90 tests/gpu/nsys_sample.cu -o nsys_sample -ldl
//   nsys profile -t cuda,nvtx -s none --cpuctxsw=none -o graphs ./nsys_sample
//   nsys profile -t cuda,nvtx,osrt -s none --cpuctxsw=none --cuda-memory-usage=true --cuda-graph-trace=node \
//       -o graph_nodes ./nsys_sample
//   nsys export --type sqlite graphs.nsys-rep
//
// Names of machines, paths and other programs were taken out of the tables before they were stored.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <vector>

__global__ void scale(float* x, int n, float f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int k = 0; k < 200; ++k) {
            x[i] = x[i] * f + 1.0f;
        }
    }
}

template <int N>
__global__ void tiles(const float* x, float* y, int n) {
    extern __shared__ float shared[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    shared[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < N; ++k) {
        sum += shared[(threadIdx.x + k) % blockDim.x];
    }
    if (i < n) {
        y[i] = sum;
    }
}

namespace {

bool succeeded(cudaError_t error, const char* what) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    }
    return error == cudaSuccess;
}

}  // namespace

#define OK(call)                     \
    if (!succeeded((call), #call)) { \
        return 1;                    \
    }

int main() {
    const int n = 1 << 22;
    const size_t bytes = n * sizeof(float);
    const int sharedBytes = 100 * 1024;
    nvtxRangePushA("set up");
    float *a, *b, *pinned;
    OK(cudaMalloc(&a, bytes));
    OK(cudaMalloc(&b, bytes));
    OK(cudaMallocHost(&pinned, bytes));
    std::vector<float> pageable(n, 1.0f);
    cudaStream_t first, second;
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreate(&second));
    cudaEvent_t scaled;
    OK(cudaEventCreate(&scaled));
    nvtxRangePop();
    OK(cudaFuncSetAttribute(tiles<64>, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));
    for (int step = 0; step < 5; ++step) {
        nvtxRangePushA("step");
        OK(cudaMemsetAsync(b, 0, bytes, first));
        OK(cudaMemcpyAsync(a, pinned, bytes, cudaMemcpyHostToDevice, first));
        nvtxRangePushA("compute");
        scale<<<n / 256, 256, 0, first>>>(a, n, 0.5f);
        OK(cudaEventRecord(scaled, first));
        OK(cudaStreamWaitEvent(second, scaled));
        tiles<64><<<n / 512, 512, sharedBytes, second>>>(a, b, n);
        scale<<<n / 128, 128, 0, first>>>(a, n, 0.25f);
        nvtxRangePop();
        OK(cudaMemcpyAsync(pinned, b, bytes, cudaMemcpyDeviceToHost, second));
        OK(cudaStreamSynchronize(second));
        OK(cudaMemcpy(a, b, bytes, cudaMemcpyDeviceToDevice));
        OK(cudaMemcpy(pageable.data(), a, bytes, cudaMemcpyDeviceToHost));
        OK(cudaDeviceSynchronize());
        nvtxRangePop();
    }
    cudaGraph_t graph;
    cudaGraphExec_t launchable;
    OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    scale<<<n / 256, 256, 0, first>>>(a, n, 0.5f);
    scale<<<n / 256, 256, 0, first>>>(a, n, 0.75f);
    OK(cudaStreamEndCapture(first, &graph));
    OK(cudaGraphInstantiate(&launchable, graph, nullptr, nullptr, 0));
    for (int i = 0; i < 3; ++i) {
        OK(cudaGraphLaunch(launchable, first));
    }
    OK(cudaStreamSynchronize(first));
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaFreeHost(pinned));
    OK(cudaDeviceSynchronize());
    return 0;
}
