// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/identities.h"

#include <cstring>
#include <limits>
#include <vector>

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

// Whole numbers of 64 bits: how many processes, key and number of each; then pid, CUDA id and GPU of each device.
std::string Identities::stored() const {
    std::vector<int64_t> numbers{static_cast<int64_t>(m_processes.size())};
    for (const auto& [key, number] : m_processes) {
        numbers.insert(numbers.end(), {key, number});
    }
    for (const auto& [cuda, gpu] : m_gpus) {
        numbers.insert(numbers.end(), {cuda.first, cuda.second, gpu});
    }
    std::string bytes(numbers.size() * sizeof(int64_t), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

std::optional<Identities> Identities::fromStored(std::string_view bytes) {
    std::vector<int64_t> numbers(bytes.size() / sizeof(int64_t));
    if (numbers.empty() || bytes.size() % sizeof(int64_t) != 0) {
        return std::nullopt;
    }
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    const auto processes = static_cast<uint64_t>(numbers.front());
    const size_t left = numbers.size() - 1;
    if (processes > left / 2 || (left - 2 * processes) % 3 != 0) {
        return std::nullopt;
    }
    Identities identities;
    size_t i = 1;
    for (; i < 1 + 2 * processes; i += 2) {
        if (numbers[i + 1] < 0 || numbers[i + 1] > std::numeric_limits<uint32_t>::max()) {
            return std::nullopt;
        }
        identities.m_processes.try_emplace(numbers[i], static_cast<uint32_t>(numbers[i + 1]));
    }
    for (; i < numbers.size(); i += 3) {
        identities.m_gpus.try_emplace({numbers[i], numbers[i + 1]}, numbers[i + 2]);
    }
    return identities;
}

}  // namespace warpline::loaders::nsys_sqlite
