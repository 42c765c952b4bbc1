// SPDX-License-Identifier: MIT
// C = A * B in half precision with sums in single precision; all matrices row by row. One thread an element, straight
// from global memory.
#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(256)
    gemm_kernel(const __half* a, const __half* b, __half* c, int m, int n, int k) {
    const int column = blockIdx.x * 32 + threadIdx.x % 32;
    const int row = blockIdx.y * 8 + threadIdx.x / 32;
    if (row >= m || column >= n) {
        return;
    }
    float sum = 0;
    for (int i = 0; i < k; ++i) {
        sum += __half2float(a[static_cast<size_t>(row) * k + i]) * __half2float(b[static_cast<size_t>(i) * n + column]);
    }
    c[static_cast<size_t>(row) * n + column] = __float2half(sum);
}
