// SPDX-License-Identifier: MIT
#include "core/record/inject/launch_notes.h"

#include <generated_nvtx_meta.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <vector>

#include "core/record/inject/clocks.h"

namespace warpline::record {

namespace {

uint32_t threadNumber() {
    thread_local const auto number = static_cast<uint32_t>(syscall(SYS_gettid));
    return number;
}

/// The names that a thread met lately by their addresses. An address may come to hold another name once a module is
/// unloaded, so the text is compared.
struct NameCache {
    struct Entry {
        const char* address = nullptr;
        std::string_view text;
        uint32_t number = 0;
    };
    std::array<Entry, 64> entries;

    Entry& of(const char* address) {
        constexpr uintptr_t kSpread = 0x9e3779b97f4a7c15U;
        constexpr int kShift = 58;
        return entries[reinterpret_cast<uintptr_t>(address) * kSpread >> kShift];
    }
};

constexpr size_t kNodeBytes = 128;

/// Ranges that are open on this thread, outermost first: those of texts that cannot be known are "".
std::vector<std::string>& openRanges() {
    thread_local std::vector<std::string> open;
    return open;
}

}  // namespace

bool isDriverLaunch(std::string_view name) {
    return name.starts_with("cuLaunch") || name.starts_with("cuGraphLaunch") || name.starts_with("cuMemcpy") ||
           name.starts_with("cuMemset");
}

bool isKernelLaunch(std::string_view name) {
    return name.starts_with("cuLaunch") && !name.starts_with("cuLaunchHost");
}

uint32_t LaunchNotes::numberOf(const char* name) {
    thread_local NameCache cache;
    NameCache::Entry& entry = cache.of(name);
    if (entry.address == name && entry.text == name) {
        return entry.number;
    }
    const std::scoped_lock lock(m_mutex);
    auto known = m_numbers.find(name);
    if (known == m_numbers.end()) {
        if (m_nameBytes >= kMostNameBytes) {
            return 0;
        }
        m_nameBytes += std::strlen(name) + kNodeBytes;
        const std::string& kept = m_names.emplace_back(name);
        known = m_numbers.emplace(kept, static_cast<uint32_t>(m_names.size())).first;
    }
    entry = {name, known->first, known->second};
    return known->second;
}

bool LaunchNotes::take(Note& note, size_t upTo) {
    if (m_ring.taken() == upTo) {
        return false;
    }
    // The thread that puts it in may have lost its processor just then; that does not last.
    constexpr int kMostNaps = 1000;
    for (int nap = 0; nap < kMostNaps; ++nap) {
        if (m_ring.pop(note)) {
            return true;
        }
        usleep(100);
    }
    return false;
}

std::string_view LaunchNotes::name(uint32_t number) const {
    const std::scoped_lock lock(m_mutex);
    return number == 0 || number > m_names.size() ? std::string_view() : m_names[number - 1];
}

void LaunchNotes::onLaunch(const CUpti_CallbackData& data, Work work) {
    const bool isKernel = work == Work::Kernel;
    const char* name = data.symbolName != nullptr ? data.symbolName : "";
    Note note;
    if (m_selector != nullptr) {
        const LaunchSelector::Verdict verdict =
            isKernel ? m_selector->onLaunch(name) : m_selector->onOtherWork(work == Work::Graph);
        note.isKept = verdict.isKept;
        note.cycle = verdict.cycle;
        if (!note.isKept) {
            return;
        }
    } else if (!isKernel) {
        return;  // a copy comes with CUPTI's record soon enough
    }
    note.record.time = readRealtime();
    note.record.thread = threadNumber();
    note.record.correlation = data.correlationId;
    note.record.context = data.contextUid;
    note.record.name = m_isLive && isKernel && *name != '\0' ? numberOf(name) : 0;
    if (m_ring.push(note)) {
        return;
    }
    // Who selects would lose the kernel with its note, so this thread waits for the one that writes, as long as that
    // is no harm.
    while (m_selector != nullptr && !m_isClosed && m_napsLeft.fetch_sub(1) > 0) {
        usleep(1000);
        if (m_ring.push(note)) {
            return;
        }
    }
    ++m_lost;
}

void LaunchNotes::onRange(CUpti_CallbackId id, const CUpti_NvtxData& data) {
    if (m_selector == nullptr || data.functionParams == nullptr) {
        return;
    }
    const auto textOf = [this](const nvtxEventAttributes_t* attributes) -> std::string {
        if (attributes == nullptr) {
            return {};
        }
        if (attributes->messageType == NVTX_MESSAGE_TYPE_ASCII && attributes->message.ascii != nullptr) {
            return attributes->message.ascii;
        }
        if (attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED) {
            const std::scoped_lock lock(m_mutex);
            const auto known = m_registered.find(attributes->message.registered);
            return known != m_registered.end() ? known->second : std::string();
        }
        return {};
    };
    const auto push = [this](std::string text) {
        m_selector->onRangeBegin(text);
        openRanges().push_back(std::move(text));
    };
    const void* parameters = data.functionParams;
    switch (id) {
        case CUPTI_CBID_NVTX_nvtxRangePushA: {
            const char* text = static_cast<const nvtxRangePushA_params*>(parameters)->message;
            return push(text != nullptr ? text : "");
        }
        case CUPTI_CBID_NVTX_nvtxRangePushW:
            return push({});
        case CUPTI_CBID_NVTX_nvtxRangePushEx:
            return push(textOf(static_cast<const nvtxRangePushEx_params*>(parameters)->eventAttrib));
        case CUPTI_CBID_NVTX_nvtxDomainRangePushEx:
            return push(textOf(static_cast<const nvtxDomainRangePushEx_params*>(parameters)->core.eventAttrib));
        case CUPTI_CBID_NVTX_nvtxRangePop:
        case CUPTI_CBID_NVTX_nvtxDomainRangePop:
            if (!openRanges().empty()) {
                m_selector->onRangeEnd(openRanges().back());
                openRanges().pop_back();
            }
            return;
        case CUPTI_CBID_NVTX_nvtxDomainRegisterStringA: {
            const char* text = static_cast<const nvtxDomainRegisterStringA_params*>(parameters)->string;
            if (text != nullptr && data.functionReturnValue != nullptr) {
                const std::scoped_lock lock(m_mutex);
                if (m_nameBytes >= kMostNameBytes) {
                    return;
                }
                m_nameBytes += std::strlen(text) + kNodeBytes;
                m_registered[*static_cast<void* const*>(data.functionReturnValue)] = text;
            }
            return;
        }
        default:
            return;
    }
}

}  // namespace warpline::record
