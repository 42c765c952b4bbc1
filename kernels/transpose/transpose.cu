// SPDX-License-Identifier: MIT
// out[column][row] = in[row][column]; a block of 32 x 8 threads moves a tile of 32 x 32.

namespace {
constexpr int kTile = 32, kRows = 8;

/// `kPad` words after each row of the tile: with none, the 32 words of a column lie in one bank of shared memory.
template <int kPad>
__device__ void transposeByTile(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[kTile][kTile + kPad];
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
    for (int i = 0; i < kTile; i += kRows) {
        if (x < columns && y + i < rows) {
            tile[threadIdx.y + i][threadIdx.x] = in[static_cast<size_t>(y + i) * columns + x];
        }
    }
    __syncthreads();
    const int outX = blockIdx.y * kTile + threadIdx.x, outY = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
    for (int i = 0; i < kTile; i += kRows) {
        if (outX < rows && outY + i < columns) {
            out[static_cast<size_t>(outY + i) * rows + outX] = tile[threadIdx.x][threadIdx.y + i];
        }
    }
}
}  // namespace

extern "C" __global__ void transpose_naive_kernel(const float* in, float* out, int rows, int columns) {
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
    for (int i = 0; i < kTile; i += kRows) {
        if (x < columns && y + i < rows) {
            out[static_cast<size_t>(x) * rows + y + i] = in[static_cast<size_t>(y + i) * columns + x];
        }
    }
}

extern "C" __global__ void transpose_tiled_kernel(const float* in, float* out, int rows, int columns) {
    transposeByTile<0>(in, out, rows, columns);
}

extern "C" __global__ void transpose_padded_kernel(const float* in, float* out, int rows, int columns) {
    transposeByTile<1>(in, out, rows, columns);
}
