// SPDX-License-Identifier: MIT
// C = A * B with what Hopper has for it: one warpgroup fetches tiles by TMA into a ring of four stages, two others
// multiply them by wgmma; each block works through several tiles of C, so that fetching goes on while sums are stored.
#include "kernels/gemm/hopper.cuh"

namespace {
using namespace warpline::device;

constexpr int kTileM = 128, kTileN = 256, kTileK = 64;
constexpr int kStages = 4;
constexpr int kPanel = 64;  // columns of B in a box: 128 bytes, the width of the swizzle
constexpr int kConsumerWarps = 8;
constexpr int kGroup = 16;  // rows of tiles that are worked on together, for the L2
constexpr unsigned kBytesA = kTileM * kTileK * 2, kBytesB = kTileK * kTileN * 2;

struct Shared {
    __half a[kStages][kTileM * kTileK];
    __half b[kStages][kTileK * kTileN];
    unsigned long long full[kStages], empty[kStages];
};

struct Place {
    int row, column;
};

/// Tile number `tile`, in columns of kGroup tiles.
__device__ Place placeOf(int tile, int tilesM, int tilesN) {
    const int group = tile / (kGroup * tilesN);
    const int rows = min(kGroup, tilesM - group * kGroup);
    const int within = tile - group * kGroup * tilesN;
    return {(group * kGroup + within % rows) * kTileM, within / rows * kTileN};
}

struct Ring {
    int stage = 0;
    unsigned parity = 0;
    __device__ void advance() {
        if (++stage == kStages) {
            stage = 0;
            parity ^= 1;
        }
    }
};
}  // namespace

extern "C" __global__ void __launch_bounds__(384, 1)
    gemm_kernel(const __grid_constant__ CUtensorMap mapA, const __grid_constant__ CUtensorMap mapB, __half* c, int m,
                int n, int k) {
    extern __shared__ unsigned char raw[];
    // The swizzle goes by addresses, so stages begin at multiples of its 1024 bytes.
    Shared& shared = *reinterpret_cast<Shared*>((reinterpret_cast<size_t>(raw) + 1023) & ~size_t{1023});
    const int thread = threadIdx.x;
    const int tilesM = (m + kTileM - 1) / kTileM, tilesN = (n + kTileN - 1) / kTileN;
    const int tiles = tilesM * tilesN, steps = (k + kTileK - 1) / kTileK;
    if (thread == 0) {
        for (int s = 0; s < kStages; ++s) {
            initBarrier(&shared.full[s], 1);
            initBarrier(&shared.empty[s], kConsumerWarps);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    Ring ring;
    if (thread < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (thread == 0) {
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                const Place place = placeOf(tile, tilesM, tilesN);
                for (int step = 0; step < steps; ++step) {
                    waitFor(&shared.empty[ring.stage], ring.parity ^ 1);
                    unsigned long long* full = &shared.full[ring.stage];
                    arriveExpecting(full, kBytesA + kBytesB);
                    loadBox(shared.a[ring.stage], &mapA, step * kTileK, place.row, full);
#pragma unroll
                    for (int p = 0; p < kTileN / kPanel; ++p) {
                        loadBox(shared.b[ring.stage] + p * kPanel * kTileK, &mapB, place.column + p * kPanel,
                                step * kTileK, full);
                    }
                    ring.advance();
                }
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        const int half = thread / 128 - 1;  // which 64 rows of the tile
        const int warp = thread / 32 % 4, lane = thread % 32;
        float sums[128];
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            int before = -1;  // the stage whose products may still be running
            for (int step = 0; step < steps; ++step) {
                waitFor(&shared.full[ring.stage], ring.parity);
                beginProducts();
#pragma unroll
                for (int d = 0; d < kTileK / 16; ++d) {
                    const __half* a = shared.a[ring.stage] + half * 64 * kTileK + d * 16;
                    const __half* b = shared.b[ring.stage] + d * 16 * kPanel;
                    multiply64x256x16(sums, tileDescriptor(a, 16, 1024), tileDescriptor(b, kPanel * kTileK * 2, 1024),
                                      step > 0 || d > 0);
                }
                commitProducts();
                waitForProducts<1>();
                if (before >= 0 && lane == 0) {
                    arrive(&shared.empty[before]);
                }
                before = ring.stage;
                ring.advance();
            }
            waitForProducts<0>();
            if (lane == 0) {
                arrive(&shared.empty[before]);
            }
            const Place place = placeOf(tile, tilesM, tilesN);
            const int row = place.row + half * 64 + warp * 16 + lane / 4;
            const int firstColumn = place.column + lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < kTileN / 8; ++j) {
                const int column = firstColumn + j * 8;
                if (column < n) {
                    if (row < m) {
                        *reinterpret_cast<__half2*>(c + static_cast<size_t>(row) * n + column) =
                            __floats2half2_rn(sums[4 * j], sums[4 * j + 1]);
                    }
                    if (row + 8 < m) {
                        *reinterpret_cast<__half2*>(c + static_cast<size_t>(row + 8) * n + column) =
                            __floats2half2_rn(sums[4 * j + 2], sums[4 * j + 3]);
                    }
                }
            }
        }
    }
}
