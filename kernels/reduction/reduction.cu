// SPDX-License-Identifier: MIT
// The sum of an array. Blocks sum strided parts; the last block to end sums what the others left.

namespace {
constexpr int kThreads = 256;

/// True in all threads of the block that is the last one to come here. `arrived` is 0 again afterwards.
__device__ bool isLastBlock(unsigned* arrived) {
    __shared__ bool last;
    __threadfence();
    if (threadIdx.x == 0) {
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    return last;
}

/// In thread 0. The classic tree: neighbours first, so that in each round more threads of every warp idle.
__device__ float sumByTree(float value) {
    __shared__ float values[kThreads];
    __syncthreads();
    values[threadIdx.x] = value;
    __syncthreads();
    for (int distance = 1; distance < kThreads; distance *= 2) {
        if (threadIdx.x % (2 * distance) == 0) {
            values[threadIdx.x] += values[threadIdx.x + distance];
        }
        __syncthreads();
    }
    return values[0];
}

/// In thread 0.
__device__ float sumByShuffle(float value) {
    __shared__ float parts[kThreads / 32];
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_down_sync(0xFFFFFFFFu, value, distance);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = value;
    }
    __syncthreads();
    value = 0;
    for (int i = 0; i < kThreads / 32; ++i) {
        value += parts[i];
    }
    return value;
}
}  // namespace

// A tree for every 256 values.
extern "C" __global__ void __launch_bounds__(kThreads)
    reduction_shared_tree_kernel(const float* in, unsigned long long count, float* parts, unsigned* arrived,
                                 float* result) {
    float sum = 0;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kThreads;
    for (unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * kThreads; first < count;
         first += stride) {
        const unsigned long long i = first + threadIdx.x;
        sum += sumByTree(i < count ? in[i] : 0.0f);
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
    }
    if (isLastBlock(arrived)) {
        float rest = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) {
            rest += __ldcg(parts + i);
        }
        rest = sumByTree(rest);
        if (threadIdx.x == 0) {
            *result = rest;
        }
    }
}

// Vectors in, sums in registers, and one exchange between the threads of a block.
extern "C" __global__ void __launch_bounds__(kThreads)
    reduction_warp_shuffle_kernel(const float* in, unsigned long long count, float* parts, unsigned* arrived,
                                  float* result) {
    const float4* vectors = reinterpret_cast<const float4*>(in);
    const unsigned long long whole = count / 4;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kThreads;
    float4 sums = make_float4(0, 0, 0, 0);
    unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * kThreads + threadIdx.x;
    for (; i + 3 * stride < whole; i += 4 * stride) {
        float4 values[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            values[k] = vectors[i + k * stride];
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            sums.x += values[k].x;
            sums.y += values[k].y;
            sums.z += values[k].z;
            sums.w += values[k].w;
        }
    }
    for (; i < whole; i += stride) {
        const float4 value = vectors[i];
        sums.x += value.x;
        sums.y += value.y;
        sums.z += value.z;
        sums.w += value.w;
    }
    float sum = (sums.x + sums.y) + (sums.z + sums.w);
    if (blockIdx.x == 0 && threadIdx.x < count % 4) {
        sum += in[whole * 4 + threadIdx.x];
    }
    sum = sumByShuffle(sum);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
    }
    if (isLastBlock(arrived)) {
        float rest = 0;
        for (unsigned part = threadIdx.x; part < gridDim.x; part += kThreads) {
            rest += __ldcg(parts + part);
        }
        rest = sumByShuffle(rest);
        if (threadIdx.x == 0) {
            *result = rest;
        }
    }
}
