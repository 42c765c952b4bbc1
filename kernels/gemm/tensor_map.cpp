// SPDX-License-Identifier: MIT
#include "kernels/gemm/tensor_map.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>

#include "kernels/device/gpu.h"

namespace warpline::kernels::gemm {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));

Result<TensorMap> makeTensorMap(void* matrix, uint64_t rows, uint64_t columns, uint32_t boxRows, uint32_t boxColumns) {
    // By its address, so that the program starts without a driver.
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    const Status status = device::checkCuda(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address, 12000, cudaEnableDefault, &found),
        "looking for cuTensorMapEncodeTiled");
    if (!status.ok()) {
        return status.error();
    }
    if (found != cudaDriverEntryPointSuccess || address == nullptr) {
        return Error::failed("the driver has no cuTensorMapEncodeTiled; it is older than CUDA 12.0");
    }
    const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(address);
    const cuuint64_t sizes[] = {columns, rows};
    const cuuint64_t strides[] = {columns * 2};
    const cuuint32_t box[] = {boxColumns, boxRows};
    const cuuint32_t steps[] = {1, 1};
    CUtensorMap map;
    const CUresult result = encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, matrix, sizes, strides, box, steps,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                   CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
        return Error::failed("describing a matrix to the tensor memory accelerator failed (CUDA driver error " +
                             std::to_string(static_cast<int>(result)) + ")");
    }
    TensorMap made;
    std::memcpy(made.data(), &map, sizeof map);
    return made;
}

}  // namespace warpline::kernels::gemm
