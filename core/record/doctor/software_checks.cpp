// SPDX-License-Identifier: MIT
// Driver, NVML, CUPTI, our own library: what has to be installed.
#include <algorithm>

#include "core/record/doctor/checks.h"
#include "core/record/doctor/cupti_choice.h"

namespace warpline::record {

namespace {

constexpr uint32_t kOldestCuda = 11080;
constexpr const char* kInstallDriver =
    "install NVIDIA's driver, 520 or newer (CUDA 11.8), then start the machine anew; recordings can be made on another "
    "machine and opened here";

/// "580.95.05" of "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build …"
std::string moduleVersion(const std::string& text) {
    const std::string line = text.substr(0, text.find('\n'));
    for (size_t at = 0; at < line.size();) {
        const size_t end = std::min(line.find(' ', at), line.size());
        const std::string word = line.substr(at, end - at);
        if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) {
            return word;
        }
        at = end + 1;
    }
    return {};
}

std::optional<uint32_t> driverCuda(const DoctorInput& input) {
    return input.nvml.error ? std::nullopt : input.nvml.cudaVersion.value;
}

}  // namespace

Check checkDriver(const DoctorInput& input) {
    Check check{"driver", "Driver", CheckState::NotAvailable, {}, {}};
    const auto module = input.system.readFile("/proc/driver/nvidia/version");
    const std::string loaded = module ? moduleVersion(*module) : "";
    const auto cuda = input.system.probeLibrary("libcuda.so.1", nullptr);
    const std::string code = input.nvml.error ? input.nvml.error->code : "";
    const bool isWsl = input.system.exists("/dev/dxg");
    if (!module && !isWsl && input.nvml.error) {
        check.found = cuda.isFound ? "its libraries are here, its kernel module is not loaded" : "no NVIDIA driver";
        check.fix = cuda.isFound ? "sudo modprobe nvidia; if that fails, install the driver anew" : kInstallDriver;
        return check;
    }
    const std::string version = input.nvml.driverVersion && !input.nvml.error ? *input.nvml.driverVersion : loaded;
    check.found = version.empty() ? "its version is not known" : version;
    if (code == nvml_error::kMismatch) {
        check.found = "the loaded kernel module is " + (loaded.empty() ? "of another version" : loaded) +
                      ", the libraries are of another version";
        check.fix =
            "start the machine anew, or: sudo rmmod nvidia_uvm nvidia_drm nvidia_modeset nvidia; sudo modprobe nvidia";
        return check;
    }
    if (!cuda.isFound) {
        check.found += ", without libcuda.so.1";
        check.fix =
            "install the driver's CUDA library (Debian: libcuda1); start a container with --gpus all and "
            "NVIDIA_DRIVER_CAPABILITIES=compute,utility";
        return check;
    }
    const auto newest = driverCuda(input);
    if (newest && *newest < kOldestCuda) {
        check.found += ", of CUDA " + cudaVersionText(*newest) + ": too old";
        check.fix = kInstallDriver;
        return check;
    }
    if (newest) {
        check.found += ", runs CUDA up to " + cudaVersionText(*newest);
        check.state = CheckState::Ok;
    } else {
        check.found += "; which CUDA it runs is not known";
        check.fix = "see NVML";
        check.state = CheckState::Limited;
    }
    return check;
}

Check checkNvml(const DoctorInput& input) {
    Check check{"nvml", "NVML", CheckState::Ok, {}, {}};
    if (!input.nvml.error) {
        check.found = (input.nvml.nvmlVersion ? *input.nvml.nvmlVersion : "its version is not known") + ", " +
                      input.nvml.libraryPath;
        return check;
    }
    check.state = CheckState::NotAvailable;
    check.found = input.nvml.error->message;
    const std::string& code = input.nvml.error->code;
    if (code == nvml_error::kNoLibrary) {
        check.fix =
            "it comes with the driver (Debian: libnvidia-ml1); in a container, NVIDIA_DRIVER_CAPABILITIES=utility. "
            "Without it recordings lack clocks, power and temperature";
    } else if (code == nvml_error::kNoPermission) {
        check.fix = "let this user read and write /dev/nvidiactl and /dev/nvidia0";
    } else {
        check.fix = "see Driver. Without NVML recordings lack clocks, power and temperature";
    }
    return check;
}

Check checkDevices(const DoctorInput& input) {
    Check check{"devices", "GPUs", CheckState::NotAvailable, {}, {}};
    const auto visible = input.system.environment("CUDA_VISIBLE_DEVICES");
    if (input.nvml.error) {
        check.found = "cannot be listed without NVML";
        check.fix = "see NVML";
        return check;
    }
    const auto& devices = input.nvml.devices;
    if (devices.empty()) {
        check.found = "the driver sees none";
        check.fix = "lspci | grep -i nvidia shows what is built in; a container needs --gpus all";
        return check;
    }
    check.state = CheckState::Ok;
    check.found = std::to_string(devices.size()) + ": ";
    for (size_t i = 0; i < devices.size(); ++i) {
        const auto& name = devices[i].identity.name;
        const bool isRepeated = i > 0 && name.value == devices[i - 1].identity.name.value;
        if (!isRepeated) {
            check.found += (i > 0 ? ", " : "") + (name ? *name : "one that does not tell its name");
        }
    }
    if (visible && (visible->empty() || *visible == "-1")) {
        check.state = CheckState::NotAvailable;
        check.found += "; CUDA_VISIBLE_DEVICES hides all of them from programs that are started here";
        check.fix = "unset CUDA_VISIBLE_DEVICES";
    } else if (visible) {
        check.found += "; programs that are started here see CUDA_VISIBLE_DEVICES=" + *visible;
    }
    return check;
}

Check checkCupti(const DoctorInput& input) {
    Check check{"cupti", "CUPTI", CheckState::Ok, {}, {}};
    const auto cuda = driverCuda(input);
    const CuptiChoice choice = chooseCupti(input.system, cuda);
    const std::string newest = cuda ? cudaVersionText(*cuda) : "13.0";
    if (choice.chosen) {
        const std::string& path = choice.chosen->probe.path;
        check.found = cudaVersionText(cudaOfCupti(*choice.chosen->probe.version)) + ", " + path + " (" +
                      choice.chosen->place + ")";
        if (choice.chosen->mustBeNamed) {
            check.state = CheckState::Limited;
            check.found +=
                "; recorded programs do not look there, only those that bring their own, as PyTorch does, can be "
                "recorded";
            check.fix = "export WARPLINE_CUPTI=" + path;
        } else {
            check.found += "; a program that brings its own, as PyTorch does, is recorded by that";
        }
        return check;
    }
    // A program with a CUPTI of its own is recorded all the same.
    check.state = CheckState::Limited;
    if (choice.refused.empty()) {
        check.found = "no libcupti; only programs that bring their own, as PyTorch does, can be recorded";
    } else {
        const CuptiCandidate& first = choice.refused.front();
        check.found = "none that can be used; " + first.name + " (" + first.place + "): " + first.refused;
    }
    if (cuda && *cuda < kOldestCuda) {
        check.fix = "see Driver";
        return check;
    }
    std::string package = "cuda-cupti-" + newest;
    std::replace(package.begin(), package.end(), '.', '-');
    check.fix = "install CUPTI of the CUDA Toolkit, 11.8 to " + newest + " (package " + package +
                "), or name a libcupti in WARPLINE_CUPTI";
    return check;
}

std::optional<std::string> injectionLibraryIn(const SystemView& system, const std::string& programFolder) {
    const auto wanted = system.environment("WARPLINE_INJECT");
    if (wanted && !wanted->empty()) {
        return system.exists(*wanted) ? wanted : std::nullopt;
    }
    for (const char* folder : {"/../lib/warpline", ""}) {
        const std::string path = programFolder + folder + "/libwarpline_inject.so";
        if (system.exists(path)) {
            return path;
        }
    }
    return std::nullopt;
}

Check checkInjection(const DoctorInput& input) {
    Check check{"injection", "Recorder", CheckState::Ok, {}, {}};
    const auto path = injectionLibraryIn(input.system, input.programFolder);
    const auto wanted = input.system.environment("WARPLINE_INJECT");
    if (path) {
        check.found = *path;
    } else if (wanted && !wanted->empty()) {
        check.state = CheckState::NotAvailable;
        check.found = "WARPLINE_INJECT names " + *wanted + ", which is not there";
        check.fix = "unset WARPLINE_INJECT, or name libwarpline_inject.so";
    } else {
        check.state = CheckState::NotAvailable;
        check.found = "no libwarpline_inject.so in " + input.programFolder + "/../lib/warpline or beside the program";
        check.fix =
            "build Warpline where CUPTI's headers are (package cuda-cupti-dev), or name the library in WARPLINE_INJECT";
    }
    return check;
}

}  // namespace warpline::record
