// SPDX-License-Identifier: MIT
#pragma once
// Which process, device and call a row means: the export numbers devices and calls anew in each process. Filled while
// loading, then copied to where args are read.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace warpline::loaders::nsys_sqlite {

class Identities {
public:
    /// The process of a global id, numbered by first use; 0 for rows that name none.
    uint32_t processNumber(std::optional<int64_t> globalId);
    /// A number for `correlation` that no other process of the file has; as it stands for the first process.
    /// 0 (none) without one.
    uint64_t correlation(std::optional<int64_t> globalId, std::optional<int64_t> correlation) const;

    /// `cudaId` of process `pid` is the GPU `gpuId`.
    void addCudaDevice(int64_t pid, int64_t cudaId, int64_t gpuId);
    /// The GPU's own number where the file tells, else `deviceId` as it stands; -1 if that is unknown.
    int32_t device(std::optional<int64_t> globalId, std::optional<int64_t> deviceId) const;

    /// All of it as bytes, and back; nullopt if they are not such bytes.
    std::string stored() const;
    static std::optional<Identities> fromStored(std::string_view bytes);

private:
    std::unordered_map<int64_t, uint32_t> m_processes;  ///< by processKey()
    std::map<std::pair<int64_t, int64_t>, int64_t> m_gpus;
};

}  // namespace warpline::loaders::nsys_sqlite
