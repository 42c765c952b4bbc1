// SPDX-License-Identifier: MIT
#include "core/record/doctor/doctor.h"

#include "core/record/doctor/checks.h"

namespace warpline::record {

const char* checkStateName(CheckState state) {
    switch (state) {
        case CheckState::Ok:
            return "ok";
        case CheckState::Limited:
            return "limited";
        case CheckState::NotAvailable:
            break;
    }
    return "not_available";
}

std::vector<Check> runChecks(const DoctorInput& input) {
    const ProcessScan scan = scanProcesses(input.system);
    return {checkDriver(input),    checkNvml(input),           checkDevices(input),       checkCupti(input),
            checkInjection(input), checkCounters(input, scan), checkClients(input, scan), checkRecordings(input),
            checkClocks(input),    checkThrottling(input),     checkPersistence(input),   checkMig(input),
            checkMps(input, scan), checkVirtualization(input), checkContainer(input)};
}

}  // namespace warpline::record
