// SPDX-License-Identifier: MIT
// C = A * B on the tensor cores, a warp at a time (mma): tiles of 128 x 128 x 32 in shared memory, loaded while nothing
// is computed.
#include <cuda_fp16.h>
#include <mma.h>

namespace {
using namespace nvcuda;
constexpr int kTile = 128, kDepth = 32, kThreads = 256, kPad = 8;
constexpr int kWarpRows = 32, kWarpColumns = 64;

__device__ uint4 eightOf(const __half* matrix, int row, int column, int rows, int columns) {
    if (row < rows && column < columns) {
        return *reinterpret_cast<const uint4*>(matrix + static_cast<size_t>(row) * columns + column);
    }
    return make_uint4(0, 0, 0, 0);
}
}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_kernel(const __half* a, const __half* b, __half* c, int m, int n, int k) {
    __shared__ __align__(16) __half tileA[kTile][kDepth + kPad];
    __shared__ __align__(16) __half tileB[kDepth][kTile + kPad];
    __shared__ __align__(16) float staging[kThreads / 32][16][16];
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    const int firstRow = blockIdx.y * kTile, firstColumn = blockIdx.x * kTile;
    const int warpRow = warp / 2 * kWarpRows, warpColumn = warp % 2 * kWarpColumns;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][4];
    for (auto& row : sums) {
        for (auto& fragment : row) {
            wmma::fill_fragment(fragment, 0.0f);
        }
    }
    for (int depth = 0; depth < k; depth += kDepth) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int place = thread + i * kThreads;
            const int aRow = place / 4, aColumn = place % 4 * 8;
            *reinterpret_cast<uint4*>(&tileA[aRow][aColumn]) = eightOf(a, firstRow + aRow, depth + aColumn, m, k);
            const int bRow = place / 16, bColumn = place % 16 * 8;
            *reinterpret_cast<uint4*>(&tileB[bRow][bColumn]) = eightOf(b, depth + bRow, firstColumn + bColumn, k, n);
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < kDepth; d += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y[4];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(x[i], &tileA[warpRow + 16 * i][d], kDepth + kPad);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                wmma::load_matrix_sync(y[j], &tileB[d][warpColumn + 16 * j], kTile + kPad);
            }
#pragma unroll
            for (int i = 0; i < 2; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    wmma::mma_sync(sums[i][j], x[i], y[j], sums[i][j]);
                }
            }
        }
        __syncthreads();
    }
    const int row = lane / 2, half = lane % 2 * 8;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            wmma::store_matrix_sync(&staging[warp][0][0], sums[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            const int outRow = firstRow + warpRow + 16 * i + row;
            const int outColumn = firstColumn + warpColumn + 16 * j + half;
            if (outRow < m && outColumn < n) {
                __align__(16) __half2 packed[4];
#pragma unroll
                for (int p = 0; p < 4; ++p) {
                    packed[p] =
                        __floats2half2_rn(staging[warp][row][half + 2 * p], staging[warp][row][half + 2 * p + 1]);
                }
                *reinterpret_cast<uint4*>(c + static_cast<size_t>(outRow) * n + outColumn) =
                    *reinterpret_cast<const uint4*>(packed);
            }
            __syncwarp();
        }
    }
}
