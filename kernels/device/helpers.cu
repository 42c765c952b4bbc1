// SPDX-License-Identifier: MIT
// What every sample kernel needs beside itself: inputs, and a pause.
#include <cuda_fp16.h>

#include "kernels/device/input_value.cuh"

extern "C" __global__ void fill_float_kernel(float* values, unsigned long long count, unsigned seed) {
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        values[i] = warpline::device::inputValue(i, seed);
    }
}

extern "C" __global__ void fill_half_kernel(__half* values, unsigned long long count, unsigned seed) {
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        values[i] = __float2half(warpline::device::inputValue(i, seed));
    }
}

// Keeps the stream busy while the host enqueues what is to be timed, so that no gap between launches is in the time.
extern "C" __global__ void pause_kernel(unsigned long long nanoseconds) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        __nanosleep(500);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
}
