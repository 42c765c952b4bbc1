// SPDX-License-Identifier: MIT
#include "core/record/nvml/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "core/record/nvml/nvml_api.h"

namespace warpline::record {

struct Nvml::Library {
    ~Library() {
        if (isInitialised && api.shutdown != nullptr) {
            api.shutdown();
        }
        if (handle != nullptr) {
            dlclose(handle);
        }
    }

    std::string words(int code) const {
        switch (code) {
            case kNvmlNotSupported:
                return "this device does not have it";
            case kNvmlNoPermission:
                return "no permission";
            case kNvmlGpuIsLost:
                return "the GPU has fallen off the bus";
            case kNvmlResetRequired:
                return "the GPU needs a reset";
            case kNvmlFunctionNotFound:
                return "this driver does not have it";
            default:
                break;
        }
        const char* text = api.errorString != nullptr ? api.errorString(code) : nullptr;
        return text != nullptr && *text != 0 ? text : "NVML error " + std::to_string(code);
    }

    template <class T>
    Reading<T> failed(int code) const {
        return Reading<T>::none(
            words(code), code == kNvmlNotSupported || code == kNvmlFunctionNotFound || code == kNvmlNoPermission);
    }
    template <class T>
    static Reading<T> missing() {
        return Reading<T>::none("this driver's NVML does not have it", true);
    }

    /// Calls function(arguments…, &raw); `value` makes of that what is read.
    template <class Raw, class T, class Function, class... Arguments>
    Reading<T> read(Function* function, T (*value)(const Raw&), Arguments... arguments) const {
        if (function == nullptr) {
            return missing<T>();
        }
        Raw raw{};
        const int code = function(arguments..., &raw);
        return code == kNvmlSuccess ? Reading<T>::of(value(raw)) : failed<T>(code);
    }
    template <class Function, class... Arguments>
    Reading<std::string> readText(Function* function, unsigned size, Arguments... arguments) const {
        if (function == nullptr) {
            return missing<std::string>();
        }
        std::string text(size, '\0');
        const int code = function(arguments..., text.data(), size);
        if (code != kNvmlSuccess) {
            return failed<std::string>(code);
        }
        text.resize(text.find('\0') == std::string::npos ? size : text.find('\0'));
        return Reading<std::string>::of(std::move(text));
    }
    /// For functions that take the room there is, and give back how much is needed.
    template <class Item>
    Reading<std::vector<Item>> readList(const std::function<int(unsigned*, Item*)>& function) const {
        std::vector<Item> items(128);
        unsigned count = static_cast<unsigned>(items.size());
        int code = function(&count, items.data());
        // It may grow between two calls.
        for (int attempt = 0; attempt < 3 && code == kNvmlInsufficientSize; ++attempt) {
            items.assign(std::max<size_t>(count, items.size()) * 2, Item{});
            count = static_cast<unsigned>(items.size());
            code = function(&count, items.data());
        }
        if (code != kNvmlSuccess) {
            return failed<std::vector<Item>>(code);
        }
        items.resize(std::min<size_t>(count, items.size()));
        return Reading<std::vector<Item>>::of(std::move(items));
    }
    Reading<NvmlDevice> device(uint32_t index) const {
        if (api.deviceByIndex == nullptr) {
            return missing<NvmlDevice>();
        }
        NvmlDevice device = nullptr;
        const int code = api.deviceByIndex(index, &device);
        return code == kNvmlSuccess ? Reading<NvmlDevice>::of(device) : failed<NvmlDevice>(code);
    }

    void* handle = nullptr;
    bool isInitialised = false;
    std::string path;
    NvmlApi api;
};

namespace {

uint32_t asNumber(const unsigned& raw) {
    return raw;
}

uint64_t asBits(const unsigned long long& raw) {
    return raw;
}

double asWatts(const unsigned& milliwatts) {
    return milliwatts / 1000.0;
}

template <class T, class Device>
Reading<T> without(const Device& device) {
    return Reading<T>::none(device.why, device.isFinal);
}

Error openError(int code, const std::string& words) {
    switch (code) {
        case kNvmlDriverNotLoaded:
            return Error::failed("the NVIDIA driver is not loaded", nvml_error::kNoDriver);
        case kNvmlVersionMismatch:
            return Error::failed("NVML and the loaded kernel module are of different versions", nvml_error::kMismatch);
        case kNvmlNoPermission:
            return Error::failed("no permission to talk to the NVIDIA driver", nvml_error::kNoPermission);
        default:
            return Error::failed("NVML does not start: " + words, nvml_error::kFailed);
    }
}

}  // namespace

Nvml::Nvml(std::unique_ptr<Library> library) : m_library(std::move(library)) {}
Nvml::~Nvml() = default;

Result<std::shared_ptr<const Nvml>> Nvml::open() {
    const char* path = std::getenv("WARPLINE_NVML");
    return openLibrary(path != nullptr && *path != 0 ? path : "libnvidia-ml.so.1");
}

Result<std::shared_ptr<const Nvml>> Nvml::openLibrary(const std::string& path) {
    auto library = std::make_unique<Library>();
    library->handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library->handle == nullptr) {
        const char* reason = dlerror();
        return Error::failed("NVML cannot be opened: " + std::string(reason != nullptr ? reason : path),
                             nvml_error::kNoLibrary);
    }
    library->api = loadNvmlApi(library->handle);
    const NvmlApi& api = library->api;
    library->path = path;
    if (api.init == nullptr || api.deviceCount == nullptr || api.deviceByIndex == nullptr) {
        return Error::failed(path + " is no NVML, or one that is too old", nvml_error::kUnusable);
    }
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(api.init), &info) != 0 && info.dli_fname != nullptr) {
        library->path = info.dli_fname;
    }
    const int code = api.init();
    if (code != kNvmlSuccess) {
        return openError(code, library->words(code));
    }
    library->isInitialised = true;
    return std::shared_ptr<const Nvml>(new Nvml(std::move(library)));
}

const std::string& Nvml::libraryPath() const {
    return m_library->path;
}

Reading<std::string> Nvml::driverVersion() const {
    return m_library->readText(m_library->api.driverVersion, kNvmlVersionChars);
}

Reading<std::string> Nvml::nvmlVersion() const {
    return m_library->readText(m_library->api.nvmlVersion, kNvmlVersionChars);
}

Reading<uint32_t> Nvml::cudaVersion() const {
    return m_library->read<int, uint32_t>(m_library->api.cudaVersion,
                                          [](const int& raw) { return static_cast<uint32_t>(raw); });
}

Reading<uint32_t> Nvml::deviceCount() const {
    return m_library->read<unsigned, uint32_t>(m_library->api.deviceCount, asNumber);
}

DeviceIdentity Nvml::identity(uint32_t index) const {
    DeviceIdentity identity;
    identity.index = index;
    const Library& library = *m_library;
    const NvmlApi& api = library.api;
    const auto device = library.device(index);
    if (!device) {
        for (auto* text : {&identity.uuid, &identity.name, &identity.pciBusId, &identity.computeCapability}) {
            *text = without<std::string>(device);
        }
        for (auto* clock : {&identity.maxSmClockMhz, &identity.maxMemoryClockMhz, &identity.defaultSmClockMhz}) {
            *clock = without<uint32_t>(device);
        }
        identity.memoryBytes = without<uint64_t>(device);
        identity.virtualization = without<VirtualizationMode>(device);
        return identity;
    }
    identity.uuid = library.readText(api.uuid, kNvmlUuidChars, *device);
    identity.name = library.readText(api.name, kNvmlNameChars, *device);
    identity.pciBusId = library.read<NvmlPci, std::string>(
        api.pci, [](const NvmlPci& pci) { return std::string(pci.busId, strnlen(pci.busId, sizeof pci.busId)); },
        *device);
    identity.memoryBytes = library.read<NvmlMemory, uint64_t>(
        api.memory, [](const NvmlMemory& memory) -> uint64_t { return memory.total; }, *device);
    if (api.computeCapability == nullptr) {
        identity.computeCapability = Library::missing<std::string>();
    } else {
        int major = 0;
        int minor = 0;
        const int code = api.computeCapability(*device, &major, &minor);
        identity.computeCapability = code == kNvmlSuccess
                                         ? Reading<std::string>::of(std::to_string(major) + "." + std::to_string(minor))
                                         : library.failed<std::string>(code);
    }
    const auto clock = [&](auto* function, NvmlClock which) {
        return library.read<unsigned, uint32_t>(function, asNumber, *device, int{which});
    };
    identity.maxSmClockMhz = clock(api.maxClock, kNvmlClockSm);
    identity.maxMemoryClockMhz = clock(api.maxClock, kNvmlClockMemory);
    identity.defaultSmClockMhz = clock(api.defaultApplicationClock, kNvmlClockGraphics);
    identity.virtualization = library.read<int, VirtualizationMode>(
        api.virtualization, [](const int& raw) { return static_cast<VirtualizationMode>(raw); }, *device);
    return identity;
}

DeviceState Nvml::state(uint32_t index) const {
    DeviceState state;
    const Library& library = *m_library;
    const NvmlApi& api = library.api;
    state.smClockMhz = smClockMhz(index);
    state.memoryClockMhz = memoryClockMhz(index);
    state.powerWatts = powerWatts(index);
    state.temperatureC = temperatureC(index);
    state.throttleReasons = throttleReasons(index);
    state.usedBytes = usedBytes(index);
    state.gpuBusyPercent = gpuBusyPercent(index);
    state.processes = processes(index);
    const auto device = library.device(index);
    if (!device) {
        state.applicationSmClockMhz = state.applicationMemoryClockMhz = without<uint32_t>(device);
        state.powerLimitWatts = without<double>(device);
        state.persistence = state.mig = without<bool>(device);
        return state;
    }
    state.applicationSmClockMhz =
        library.read<unsigned, uint32_t>(api.applicationClock, asNumber, *device, int{kNvmlClockGraphics});
    state.applicationMemoryClockMhz =
        library.read<unsigned, uint32_t>(api.applicationClock, asNumber, *device, int{kNvmlClockMemory});
    state.powerLimitWatts = library.read<unsigned, double>(api.powerLimit, asWatts, *device);
    state.persistence = library.read<int, bool>(
        api.persistence, [](const int& raw) { return raw != 0; }, *device);
    if (api.mig == nullptr) {
        state.mig = Library::missing<bool>();
    } else {
        unsigned current = 0;
        unsigned pending = 0;
        const int code = api.mig(*device, &current, &pending);
        state.mig = code == kNvmlSuccess ? Reading<bool>::of(current != 0) : library.failed<bool>(code);
    }
    return state;
}

Reading<uint32_t> Nvml::smClockMhz(uint32_t index) const {
    const auto device = m_library->device(index);
    return device ? m_library->read<unsigned, uint32_t>(m_library->api.clock, asNumber, *device, int{kNvmlClockSm})
                  : without<uint32_t>(device);
}

Reading<uint32_t> Nvml::memoryClockMhz(uint32_t index) const {
    const auto device = m_library->device(index);
    return device ? m_library->read<unsigned, uint32_t>(m_library->api.clock, asNumber, *device, int{kNvmlClockMemory})
                  : without<uint32_t>(device);
}

Reading<double> Nvml::powerWatts(uint32_t index) const {
    const auto device = m_library->device(index);
    return device ? m_library->read<unsigned, double>(m_library->api.power, asWatts, *device) : without<double>(device);
}

Reading<uint32_t> Nvml::temperatureC(uint32_t index) const {
    const auto device = m_library->device(index);
    return device ? m_library->read<unsigned, uint32_t>(m_library->api.temperature, asNumber, *device,
                                                        int{kNvmlTemperatureGpu})
                  : without<uint32_t>(device);
}

Reading<uint64_t> Nvml::throttleReasons(uint32_t index) const {
    const auto device = m_library->device(index);
    return device ? m_library->read<unsigned long long, uint64_t>(m_library->api.throttleReasons, asBits, *device)
                  : without<uint64_t>(device);
}

Reading<uint64_t> Nvml::usedBytes(uint32_t index) const {
    const auto device = m_library->device(index);
    if (!device) {
        return without<uint64_t>(device);
    }
    if (m_library->api.memory2 != nullptr) {
        NvmlMemory2 memory{};
        memory.version = kNvmlMemory2Version;
        const int code = m_library->api.memory2(*device, &memory);
        if (code == kNvmlSuccess) {
            return Reading<uint64_t>::of(memory.used);
        }
    }
    return m_library->read<NvmlMemory, uint64_t>(
        m_library->api.memory, [](const NvmlMemory& memory) -> uint64_t { return memory.used; }, *device);
}

Reading<uint32_t> Nvml::gpuBusyPercent(uint32_t index) const {
    const auto device = m_library->device(index);
    return device
               ? m_library->read<NvmlUtilization, uint32_t>(
                     m_library->api.utilization, [](const NvmlUtilization& raw) { return uint32_t{raw.gpu}; }, *device)
               : without<uint32_t>(device);
}

Reading<std::vector<GpuProcess>> Nvml::processes(uint32_t index) const {
    using List = std::vector<GpuProcess>;
    const auto device = m_library->device(index);
    if (!device) {
        return without<List>(device);
    }
    if (m_library->api.processes == nullptr) {
        return Library::missing<List>();
    }
    const auto raw = m_library->readList<NvmlProcess>(
        [&](unsigned* count, NvmlProcess* items) { return m_library->api.processes(*device, count, items); });
    if (!raw) {
        return Reading<List>::none(raw.why, raw.isFinal);
    }
    List list;
    for (const NvmlProcess& process : *raw) {
        list.push_back({process.pid, process.usedBytes == kNvmlUnknownBytes
                                         ? Reading<uint64_t>::none("the driver does not tell it")
                                         : Reading<uint64_t>::of(process.usedBytes)});
    }
    return Reading<List>::of(std::move(list));
}

Reading<std::vector<uint32_t>> Nvml::supportedMemoryClocksMhz(uint32_t index) const {
    using List = std::vector<uint32_t>;
    const auto device = m_library->device(index);
    if (!device) {
        return without<List>(device);
    }
    if (m_library->api.supportedMemoryClocks == nullptr) {
        return Library::missing<List>();
    }
    auto clocks = m_library->readList<unsigned>(
        [&](unsigned* count, unsigned* items) { return m_library->api.supportedMemoryClocks(*device, count, items); });
    if (clocks) {
        std::sort(clocks.value->rbegin(), clocks.value->rend());
    }
    return clocks;
}

Reading<std::vector<uint32_t>> Nvml::supportedSmClocksMhz(uint32_t index) const {
    using List = std::vector<uint32_t>;
    const auto memory = supportedMemoryClocksMhz(index);
    if (!memory || memory->empty()) {
        return Reading<List>::none(memory ? "the device names no clocks" : memory.why, memory.isFinal);
    }
    const auto device = m_library->device(index);
    if (!device || m_library->api.supportedGraphicsClocks == nullptr) {
        return device ? Library::missing<List>() : without<List>(device);
    }
    auto clocks = m_library->readList<unsigned>([&](unsigned* count, unsigned* items) {
        return m_library->api.supportedGraphicsClocks(*device, memory->front(), count, items);
    });
    if (clocks) {
        std::sort(clocks.value->rbegin(), clocks.value->rend());
    }
    return clocks;
}

}  // namespace warpline::record
