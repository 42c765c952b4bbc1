// SPDX-License-Identifier: MIT
#pragma once
// Captures made up for tests: a writer of the recorder's own, and one capture that has a record of every kind.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/capture/capture_writer.h"
#include "core/capture/records.h"

namespace warpline::test {

/// A whole second since 1970: what it is in a capture is 0 in its trace, if nothing lies before.
inline constexpr int64_t kCaptureStart = 1'800'000'000'000'000'000;

/// One source that writes into a stream, which several may share.
class CaptureMaker {
public:
    explicit CaptureMaker(std::string& stream, uint32_t source = 0);
    CaptureMaker(const CaptureMaker&) = delete;
    CaptureMaker& operator=(const CaptureMaker&) = delete;

    /// Begins with these facts, and a reading of the clocks at kCaptureStart.
    void begin(std::string_view pid, std::string_view program);
    void end();
    uint32_t text(std::string_view text) { return m_writer.number(text); }
    template <class Record>
    void add(const Record& record) {
        m_writer.add(record);
    }
    /// Sends what was added, as frames of their own.
    void flush() { m_writer.flush(); }
    capture::CaptureWriter& writer() { return m_writer; }

    /// Device 0 as an H200 has it, with a context of that number on it.
    void addDevice(uint32_t context = 1);
    /// A kernel of 10 us and its call of 2 us, 5 us before it. `at` counts from kCaptureStart.
    void addLaunch(std::string_view kernel, int64_t at, uint32_t correlation, uint32_t thread = 4242);
    /// 100 ns long, on stream 7 of context 1.
    capture::KernelRecord kernel(std::string_view name, int64_t at, uint32_t correlation);

private:
    capture::CaptureWriter m_writer;
};

/// Two processes with a record of every kind, `repeats` launches each; see the loader's test for what it holds.
std::string sampleCapture(int repeats);
/// The same frames with their contents packed.
std::string withPackedFrames(std::string_view stream);
/// Where frames begin, and the end.
std::vector<size_t> frameBorders(std::string_view stream);
/// The frames that `takes` says so of, unchanged.
std::string framesThat(std::string_view stream, const std::function<bool(const capture::FrameHeader&)>& takes);

}  // namespace warpline::test
