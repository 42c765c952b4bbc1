// SPDX-License-Identifier: MIT
// What is computed between the copies: values = values * 0.5 + 0.25, so many times.

extern "C" __global__ void stream_chunk_kernel(float* values, unsigned count, int iterations) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float value = values[i];
        for (int k = 0; k < iterations; ++k) {
            value = value * 0.5f + 0.25f;
        }
        values[i] = value;
    }
}
