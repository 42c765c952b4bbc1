// SPDX-License-Identifier: MIT
// Softmax of each row, a block a row. The versions differ in how often they read it.

namespace {
constexpr int kThreads = 256;
constexpr int kVectors = 8;  // of four values that a thread holds in the version `registers`

struct Larger {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

/// Of all threads of the block, in each of them.
template <class Combine>
__device__ float acrossBlock(float value, Combine combine) {
    __shared__ float parts[kThreads / 32];
    for (int distance = 16; distance > 0; distance /= 2) {
        value = combine(value, __shfl_xor_sync(0xFFFFFFFFu, value, distance));
    }
    __syncthreads();  // the parts of the call before have been read
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = value;
    }
    __syncthreads();
    value = parts[0];
    for (int i = 1; i < kThreads / 32; ++i) {
        value = combine(value, parts[i]);
    }
    return value;
}
}  // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    softmax_three_pass_kernel(const float* in, float* out, int columns) {
    const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
    float* result = out + static_cast<size_t>(blockIdx.x) * columns;
    float largest = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += kThreads) {
        largest = fmaxf(largest, row[i]);
    }
    largest = acrossBlock(largest, Larger());
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += kThreads) {
        sum += __expf(row[i] - largest);
    }
    sum = acrossBlock(sum, Sum());
    for (int i = threadIdx.x; i < columns; i += kThreads) {
        result[i] = __expf(row[i] - largest) / sum;
    }
}

extern "C" __global__ void __launch_bounds__(kThreads) softmax_online_kernel(const float* in, float* out, int columns) {
    const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
    float* result = out + static_cast<size_t>(blockIdx.x) * columns;
    // The sum so far is scaled anew whenever a larger value turns up.
    const float4* vectors = reinterpret_cast<const float4*>(row);
    float largest = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < columns / 4; i += kThreads) {
        const float4 v = vectors[i];
        const float before = largest;
        largest = fmaxf(fmaxf(fmaxf(largest, v.x), fmaxf(v.y, v.z)), v.w);
        sum = sum * __expf(before - largest) + (__expf(v.x - largest) + __expf(v.y - largest)) +
              (__expf(v.z - largest) + __expf(v.w - largest));
    }
    const float rowLargest = acrossBlock(largest, Larger());
    sum = acrossBlock(largest == -INFINITY ? 0.0f : sum * __expf(largest - rowLargest), Sum());
    for (int i = threadIdx.x; i < columns / 4; i += kThreads) {
        const float4 v = vectors[i];
        reinterpret_cast<float4*>(result)[i] =
            make_float4(__expf(v.x - rowLargest) / sum, __expf(v.y - rowLargest) / sum, __expf(v.z - rowLargest) / sum,
                        __expf(v.w - rowLargest) / sum);
    }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    softmax_registers_kernel(const float* in, float* out, int columns) {
    const float4* row = reinterpret_cast<const float4*>(in + static_cast<size_t>(blockIdx.x) * columns);
    float4* result = reinterpret_cast<float4*>(out + static_cast<size_t>(blockIdx.x) * columns);
    const int vectors = columns / 4;
    float4 values[kVectors];
    float largest = -INFINITY;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
        const int i = v * kThreads + threadIdx.x;
        values[v] = i < vectors ? row[i] : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    }
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
        largest = fmaxf(fmaxf(fmaxf(largest, values[v].x), fmaxf(values[v].y, values[v].z)), values[v].w);
    }
    largest = acrossBlock(largest, Larger());
    float sum = 0;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
        values[v].x = __expf(values[v].x - largest);
        values[v].y = __expf(values[v].y - largest);
        values[v].z = __expf(values[v].z - largest);
        values[v].w = __expf(values[v].w - largest);
        sum += values[v].x + values[v].y + values[v].z + values[v].w;
    }
    const float scale = 1.0f / acrossBlock(sum, Sum());
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
        const int i = v * kThreads + threadIdx.x;
        if (i < vectors) {
            result[i] = make_float4(values[v].x * scale, values[v].y * scale, values[v].z * scale, values[v].w * scale);
        }
    }
}
