// SPDX-License-Identifier: MIT
// Writes every word of a new block, each word its own value.

extern "C" __global__ void touch_block_kernel(unsigned* words, unsigned count, unsigned first) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        words[i] = first + i;
    }
}
