// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/identities.h"

#include <limits>

#include "core/loaders/nsys_sqlite/names.h"

namespace warpline::loaders::nsys_sqlite {

uint32_t Identities::processNumber(std::optional<int64_t> globalId) {
    if (!globalId) {
        return 0;
    }
    return m_processes.try_emplace(processKey(*globalId), static_cast<uint32_t>(m_processes.size())).first->second;
}

uint64_t Identities::correlation(std::optional<int64_t> globalId, std::optional<int64_t> correlation) const {
    if (!correlation) {
        return 0;
    }
    const auto number = static_cast<uint64_t>(*correlation);
    const auto it = globalId ? m_processes.find(processKey(*globalId)) : m_processes.end();
    const uint64_t process = it == m_processes.end() ? 0 : it->second;
    // CUDA counts calls in 32 bits.
    return number == 0 || number > std::numeric_limits<uint32_t>::max() ? number : process << 32 | number;
}

void Identities::addCudaDevice(int64_t pid, int64_t cudaId, int64_t gpuId) {
    m_gpus.try_emplace({pid, cudaId}, gpuId);
}

int32_t Identities::device(std::optional<int64_t> globalId, std::optional<int64_t> deviceId) const {
    if (!deviceId) {
        return -1;
    }
    const auto it = globalId ? m_gpus.find({processOf(*globalId), *deviceId}) : m_gpus.end();
    const int64_t number = it == m_gpus.end() ? *deviceId : it->second;
    return number >= 0 && number <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(number) : -1;
}

}  // namespace warpline::loaders::nsys_sqlite
