// SPDX-License-Identifier: MIT
#pragma once
// The checks of doctor.h, one function each.

#include "core/record/doctor/doctor.h"
#include "core/record/doctor/profiling_clients.h"

namespace warpline::record {

Check checkDriver(const DoctorInput& input);
Check checkNvml(const DoctorInput& input);
Check checkDevices(const DoctorInput& input);
Check checkCupti(const DoctorInput& input);
Check checkInjection(const DoctorInput& input);
Check checkCounters(const DoctorInput& input, const ProcessScan& scan);
Check checkClients(const DoctorInput& input, const ProcessScan& scan);
Check checkRecordings(const DoctorInput& input);
Check checkClocks(const DoctorInput& input);
Check checkThrottling(const DoctorInput& input);
Check checkPersistence(const DoctorInput& input);
Check checkMig(const DoctorInput& input);
Check checkMps(const DoctorInput& input, const ProcessScan& scan);
Check checkVirtualization(const DoctorInput& input);
Check checkContainer(const DoctorInput& input);

}  // namespace warpline::record
