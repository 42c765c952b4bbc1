// SPDX-License-Identifier: MIT
// c = a + b.

extern "C" __global__ void vector_add_scalar_kernel(const float* a, const float* b, float* c,
                                                    unsigned long long count) {
    const unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        c[i] = a[i] + b[i];
    }
}

namespace {
constexpr int kVectorsPerThread = 4;  // loads in flight before the first is used

__device__ float4 sum(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
}  // namespace

extern "C" __global__ void __launch_bounds__(256)
    vector_add_vectorised_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                 unsigned long long count) {
    const unsigned long long vectors = count / 4;
    const unsigned long long first =
        static_cast<unsigned long long>(blockIdx.x) * (blockDim.x * kVectorsPerThread) + threadIdx.x;
    const float4* a4 = reinterpret_cast<const float4*>(a);
    const float4* b4 = reinterpret_cast<const float4*>(b);
    float4* c4 = reinterpret_cast<float4*>(c);
    if (first + (kVectorsPerThread - 1) * 256ULL < vectors) {
        float4 x[kVectorsPerThread], y[kVectorsPerThread];
#pragma unroll
        for (int k = 0; k < kVectorsPerThread; ++k) {
            x[k] = __ldcs(a4 + first + k * 256);
            y[k] = __ldcs(b4 + first + k * 256);
        }
#pragma unroll
        for (int k = 0; k < kVectorsPerThread; ++k) {
            __stcs(c4 + first + k * 256, sum(x[k], y[k]));
        }
    } else {
        for (int k = 0; k < kVectorsPerThread; ++k) {
            const unsigned long long i = first + k * 256;
            if (i < vectors) {
                c4[i] = sum(a4[i], b4[i]);
            }
        }
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x < count % 4) {
        const unsigned long long i = vectors * 4 + threadIdx.x;
        c[i] = a[i] + b[i];
    }
}
