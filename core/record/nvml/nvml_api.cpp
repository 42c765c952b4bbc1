// SPDX-License-Identifier: MIT
#include "core/record/nvml/nvml_api.h"

#include <dlfcn.h>

#include <initializer_list>

namespace warpline::record {

namespace {

template <class Function>
void find(void* library, Function*& function, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        function = reinterpret_cast<Function*>(dlsym(library, name));
        if (function != nullptr) {
            return;
        }
    }
}

}  // namespace

NvmlApi loadNvmlApi(void* library) {
    NvmlApi api;
    find(library, api.init, {"nvmlInit_v2", "nvmlInit"});
    find(library, api.shutdown, {"nvmlShutdown"});
    find(library, api.errorString, {"nvmlErrorString"});
    find(library, api.driverVersion, {"nvmlSystemGetDriverVersion"});
    find(library, api.nvmlVersion, {"nvmlSystemGetNVMLVersion"});
    find(library, api.cudaVersion, {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
    find(library, api.deviceCount, {"nvmlDeviceGetCount_v2"});
    find(library, api.deviceByIndex, {"nvmlDeviceGetHandleByIndex_v2"});
    find(library, api.uuid, {"nvmlDeviceGetUUID"});
    find(library, api.name, {"nvmlDeviceGetName"});
    find(library, api.pci, {"nvmlDeviceGetPciInfo_v3"});
    find(library, api.computeCapability, {"nvmlDeviceGetCudaComputeCapability"});
    find(library, api.memory, {"nvmlDeviceGetMemoryInfo"});
    find(library, api.memory2, {"nvmlDeviceGetMemoryInfo_v2"});
    find(library, api.clock, {"nvmlDeviceGetClockInfo"});
    find(library, api.maxClock, {"nvmlDeviceGetMaxClockInfo"});
    find(library, api.applicationClock, {"nvmlDeviceGetApplicationsClock"});
    find(library, api.defaultApplicationClock, {"nvmlDeviceGetDefaultApplicationsClock"});
    find(library, api.supportedMemoryClocks, {"nvmlDeviceGetSupportedMemoryClocks"});
    find(library, api.supportedGraphicsClocks, {"nvmlDeviceGetSupportedGraphicsClocks"});
    find(library, api.power, {"nvmlDeviceGetPowerUsage"});
    find(library, api.powerLimit, {"nvmlDeviceGetEnforcedPowerLimit"});
    find(library, api.temperature, {"nvmlDeviceGetTemperature"});
    find(library, api.throttleReasons,
         {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    find(library, api.utilization, {"nvmlDeviceGetUtilizationRates"});
    find(library, api.processes,
         {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
    find(library, api.persistence, {"nvmlDeviceGetPersistenceMode"});
    find(library, api.mig, {"nvmlDeviceGetMigMode"});
    find(library, api.virtualization, {"nvmlDeviceGetVirtualizationMode"});
    return api;
}

}  // namespace warpline::record
