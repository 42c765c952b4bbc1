// SPDX-License-Identifier: MIT
#pragma once
// The values of an event that loading needs, by what they mean: the members that the Trace Event Format gives a
// meaning, and the args that Kineto, XLA and Proton do. Views of the text as it stands there. One thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpline::loaders::chrome_trace {

enum class Slot : uint8_t {
    // of the event itself
    Phase,
    Name,
    Category,
    Pid,
    Tid,
    Ts,
    Dur,
    Id,
    Id2,
    InstantScope,
    IdScope,
    BindingPoint,
    Args,
    BindId,
    FlowIn,
    FlowOut,
    // of its args
    Correlation,
    ExternalId,
    Device,
    Stream,
    Context,
    Grid,
    Block,
    Registers,
    SharedMemory,
    StaticShared,  ///< this and the next two: Nsight's, as `convert` writes them
    DynamicShared,
    LocalPerThread,
    Occupancy,
    GraphNode,
    Bytes,
    InputDims,
    KernelDetails,
    XlaContext,
    CallStack,
    None,  ///< a key that nobody needs at load
};

/// What the value of a key means; the key without its quotes.
Slot slotOfField(std::string_view key);
Slot slotOfArg(std::string_view key);

/// "" for what the event does not say.
class EventSlots {
public:
    std::string_view operator[](Slot slot) const { return m_values[static_cast<size_t>(slot)]; }
    void set(Slot slot, std::string_view value) { m_values[static_cast<size_t>(slot)] = value; }
    void clear() { m_values.fill({}); }

private:
    std::array<std::string_view, static_cast<size_t>(Slot::None) + 1> m_values;
};

}  // namespace warpline::loaders::chrome_trace
