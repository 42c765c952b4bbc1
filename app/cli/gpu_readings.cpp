// SPDX-License-Identifier: MIT
#include "app/cli/gpu_readings.h"

#include "core/base/json_writer.h"
#include "core/record/nvml/throttle_reasons.h"

namespace warpline::cli {

namespace {

using namespace warpline::record;

Cell cellOf(const Reading<std::string>& reading) {
    return reading ? Cell(*reading) : Cell();
}

template <class T>
Cell cellOf(const Reading<T>& reading) {
    return reading ? Cell(static_cast<int64_t>(*reading)) : Cell();
}

void write(JsonWriter& json, const char* key, const Reading<std::string>& reading) {
    json.key(key);
    reading ? json.text(*reading) : json.null();
}

void write(JsonWriter& json, const char* key, const Reading<bool>& reading) {
    json.key(key);
    reading ? json.boolean(*reading) : json.null();
}

void write(JsonWriter& json, const char* key, const Reading<double>& reading) {
    json.key(key);
    reading ? json.real(*reading) : json.null();
}

template <class T>
void write(JsonWriter& json, const char* key, const Reading<T>& reading) {
    json.key(key);
    reading ? json.unsignedInteger(*reading) : json.null();
}

}  // namespace

Table readingsTable(const std::vector<DeviceSnapshot>& devices) {
    Table table("device");
    const auto column = [&](const char* id, const char* title, ColumnType type, Unit unit = Unit::None) {
        table.addColumn({id, title, "", type, unit, true});
    };
    column("device", "GPU", ColumnType::Integer);
    column("name", "Name", ColumnType::Text);
    column("pci_bus_id", "PCI", ColumnType::Text);
    column("compute_capability", "CC", ColumnType::Text);
    column("used_bytes", "Used", ColumnType::Integer, Unit::Bytes);
    column("memory_bytes", "Memory", ColumnType::Integer, Unit::Bytes);
    column("sm_clock_mhz", "SM MHz", ColumnType::Integer);
    column("max_sm_clock_mhz", "Max MHz", ColumnType::Integer);
    column("memory_clock_mhz", "Mem MHz", ColumnType::Integer);
    column("power_watts", "W", ColumnType::Integer);
    column("temperature_c", "°C", ColumnType::Integer);
    column("gpu_busy_percent", "Busy %", ColumnType::Integer);
    column("throttle", "Clocks held by", ColumnType::Text);
    for (const auto& [identity, state] : devices) {
        table.addRow({Cell(int64_t{identity.index}), cellOf(identity.name), cellOf(identity.pciBusId),
                      cellOf(identity.computeCapability), cellOf(state.usedBytes), cellOf(identity.memoryBytes),
                      cellOf(state.smClockMhz), cellOf(identity.maxSmClockMhz), cellOf(state.memoryClockMhz),
                      cellOf(state.powerWatts), cellOf(state.temperatureC), cellOf(state.gpuBusyPercent),
                      state.throttleReasons ? Cell(throttleReasonText(*state.throttleReasons)) : Cell()});
    }
    return table;
}

void writeReadings(JsonWriter& json, const DeviceSnapshot& device) {
    const auto& [identity, state] = device;
    json.key("device").integer(identity.index);
    write(json, "name", identity.name);
    write(json, "uuid", identity.uuid);
    write(json, "pci_bus_id", identity.pciBusId);
    write(json, "compute_capability", identity.computeCapability);
    write(json, "memory_bytes", identity.memoryBytes);
    write(json, "used_bytes", state.usedBytes);
    write(json, "sm_clock_mhz", state.smClockMhz);
    write(json, "max_sm_clock_mhz", identity.maxSmClockMhz);
    write(json, "application_sm_clock_mhz", state.applicationSmClockMhz);
    write(json, "default_sm_clock_mhz", identity.defaultSmClockMhz);
    write(json, "memory_clock_mhz", state.memoryClockMhz);
    write(json, "power_watts", state.powerWatts);
    write(json, "power_limit_watts", state.powerLimitWatts);
    write(json, "temperature_c", state.temperatureC);
    write(json, "gpu_busy_percent", state.gpuBusyPercent);
    json.key("throttle_reasons");
    if (state.throttleReasons) {
        json.beginArray();
        for (const std::string& name : throttleReasonNames(*state.throttleReasons)) {
            json.text(name);
        }
        json.endArray();
    } else {
        json.null();
    }
    write(json, "persistence", state.persistence);
    write(json, "mig", state.mig);
}

}  // namespace warpline::cli
