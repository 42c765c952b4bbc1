// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/identities.h"

#include <limits>

#include "core/base/packed.h"
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

std::string Identities::stored() const {
    PackedWriter out;
    out.number(m_processes.size());
    for (const auto& [key, number] : m_processes) {
        out.number(static_cast<uint64_t>(key));
        out.number(number);
    }
    out.number(m_gpus.size());
    for (const auto& [cuda, gpu] : m_gpus) {
        out.number(static_cast<uint64_t>(cuda.first));
        out.number(static_cast<uint64_t>(cuda.second));
        out.number(static_cast<uint64_t>(gpu));
    }
    return out.take();
}

std::optional<Identities> Identities::fromStored(std::string_view bytes) {
    PackedReader in(bytes);
    Identities identities;
    for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
        const auto key = static_cast<int64_t>(in.number());
        identities.m_processes.try_emplace(key, static_cast<uint32_t>(in.number()));
    }
    for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
        const auto pid = static_cast<int64_t>(in.number());
        const auto cudaId = static_cast<int64_t>(in.number());
        identities.m_gpus.try_emplace({pid, cudaId}, static_cast<int64_t>(in.number()));
    }
    return in.ok() ? std::optional(std::move(identities)) : std::nullopt;
}

}  // namespace warpline::loaders::nsys_sqlite
