// SPDX-License-Identifier: MIT
#pragma once
// What a program asks of the stand-in for CUPTI and the driver: the work that a real driver would tell CUPTI of. What
// the stand-in answers to CUPTI's clients is set by its environment:
//   STANDIN_VERSION    as cuptiGetVersion() gives it; 130001
//   STANDIN_SUBSCRIBE  the result of a subscription; 0
//   STANDIN_HOLDER     who holds it then
//   STANDIN_FLUSH_MS   how long a flush takes; 0

#include <cstdint>

namespace warpline::test {

/// Any thread.
struct Standin {
    /// Facts of a device, a context and a stream.
    void (*announce)();
    /// By cudaLaunchKernel().
    void (*launchKernel)(const char* name, uint32_t device, uint32_t stream);
    /// One whose begin and end are not known.
    void (*launchUntimed)(const char* name);
    /// A kernel that runs until endKernel() is called on the same thread: it holds back what comes behind it.
    void (*beginKernel)(const char* name);
    void (*endKernel)();
    /// A graph of so many kernels, by cudaGraphLaunch().
    void (*launchGraph)(const char* name, uint32_t kernels);
    void (*copy)(uint64_t bytes);
    void (*set)(uint64_t bytes);
    void (*allocate)(uint64_t bytes);
    void (*changePool)();
    void (*synchronise)();
    void (*compile)();
    void (*overhead)();
    void (*nameThread)(const char* name);
    /// A record of a kind that no client can know.
    void (*writeUnknown)();
    void (*loadModule)(uint64_t bytes, uint32_t seed);
    void (*pushRange)(const char* name);
    void (*popRange)();
    void (*mark)(const char* name);
    /// As if so many records had found no room.
    void (*drop)(uint64_t records);
    /// Gives the client a buffer that is none of its own.
    void (*giveForeignBuffer)();
    /// Another client takes CUPTI over, with a clock of its own: nothing comes any more. Or it ends.
    void (*takeOver)(bool isTaken);
    /// Who reads buffers is held up until it may go on.
    void (*holdReading)(bool isHeld);
    /// Waits until the client has flushed, or asked for the time, so many times more. False: it did not within a
    /// minute.
    bool (*awaitFlushes)(uint64_t count);
    bool (*awaitClocks)(uint64_t count);
    /// Whether kinds of work are enabled, and whether there is a subscriber.
    bool (*isRecording)();
    bool (*isSubscribed)();
};

}  // namespace warpline::test

extern "C" const warpline::test::Standin* warplineStandin();
