// SPDX-License-Identifier: MIT
// C = A * B on the CUDA cores: tiles of 128 x 128 in shared memory, 8 x 8 sums a thread. Compiled a second time with
// too few registers for these sums, which is the version `spilling`: so many blocks are to fit on a multiprocessor.
#include <cuda_fp16.h>

#ifndef WARPLINE_BLOCKS_ON_SM
#define WARPLINE_BLOCKS_ON_SM 1
#endif

namespace {
constexpr int kTile = 128, kDepth = 16, kThreads = 256, kOwn = 8;

/// Eight values from global memory as floats; zeros outside of the matrix, whose rows are multiples of eight.
__device__ void loadEight(const __half* matrix, int row, int column, int rows, int columns, float (&values)[8]) {
    uint4 packed = make_uint4(0, 0, 0, 0);
    if (row < rows && column < columns) {
        packed = *reinterpret_cast<const uint4*>(matrix + static_cast<size_t>(row) * columns + column);
    }
    const __half2* pairs = reinterpret_cast<const __half2*>(&packed);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float2 pair = __half22float2(pairs[i]);
        values[2 * i] = pair.x;
        values[2 * i + 1] = pair.y;
    }
}
}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads, WARPLINE_BLOCKS_ON_SM)
    gemm_kernel(const __half* a, const __half* b, __half* c, int m, int n, int k) {
    __shared__ float tileA[kDepth][kTile + 4];  // transposed, so that a thread reads its rows as vectors
    __shared__ float tileB[kDepth][kTile];
    const int thread = threadIdx.x;
    const int firstRow = blockIdx.y * kTile, firstColumn = blockIdx.x * kTile;
    const int aRow = thread / 2, aColumn = thread % 2 * 8;
    const int bRow = thread / 16, bColumn = thread % 16 * 8;
    // Each thread owns two groups of four rows and of four columns, 64 apart, so that a warp's reads have no conflicts.
    const int ownRow = thread / 16 * 4, ownColumn = thread % 16 * 4;

    float sums[kOwn][kOwn] = {};
    for (int depth = 0; depth < k; depth += kDepth) {
        float values[8];
        loadEight(a, firstRow + aRow, depth + aColumn, m, k, values);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            tileA[aColumn + i][aRow] = values[i];
        }
        loadEight(b, depth + bRow, firstColumn + bColumn, k, n, values);
#pragma unroll
        for (int i = 0; i < 8; i += 4) {
            *reinterpret_cast<float4*>(&tileB[bRow][bColumn + i]) =
                make_float4(values[i], values[i + 1], values[i + 2], values[i + 3]);
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < kDepth; ++d) {
            float x[kOwn], y[kOwn];
            *reinterpret_cast<float4*>(x) = *reinterpret_cast<const float4*>(&tileA[d][ownRow]);
            *reinterpret_cast<float4*>(x + 4) = *reinterpret_cast<const float4*>(&tileA[d][ownRow + 64]);
            *reinterpret_cast<float4*>(y) = *reinterpret_cast<const float4*>(&tileB[d][ownColumn]);
            *reinterpret_cast<float4*>(y + 4) = *reinterpret_cast<const float4*>(&tileB[d][ownColumn + 64]);
#pragma unroll
            for (int i = 0; i < kOwn; ++i) {
#pragma unroll
                for (int j = 0; j < kOwn; ++j) {
                    sums[i][j] += x[i] * y[j];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
        const int row = firstRow + ownRow + i % 4 + i / 4 * 64;
#pragma unroll
        for (int j = 0; j < kOwn; j += 2) {
            const int column = firstColumn + ownColumn + j % 4 + j / 4 * 64;
            if (row < m && column < n) {
                *reinterpret_cast<__half2*>(c + static_cast<size_t>(row) * n + column) =
                    __floats2half2_rn(sums[i][j], sums[i][j + 1]);
            }
        }
    }
}
