// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/event_slots.h"

#include "core/loaders/chrome_trace/json_text.h"

namespace warpline::loaders::chrome_trace {

Slot slotOfField(std::string_view key) {
    switch (key.size()) {
        case 1:
            return key[0] == 's' ? Slot::InstantScope : Slot::None;
        case 2:
            if (key[0] == 't' && key[1] == 's') {
                return Slot::Ts;
            }
            return isKey(key, "ph")   ? Slot::Phase
                   : isKey(key, "id") ? Slot::Id
                   : isKey(key, "bp") ? Slot::BindingPoint
                                      : Slot::None;
        case 3:
            if (key[1] == 'i' && key[2] == 'd') {
                return key[0] == 'p' ? Slot::Pid : key[0] == 't' ? Slot::Tid : Slot::None;
            }
            return isKey(key, "dur")   ? Slot::Dur
                   : isKey(key, "cat") ? Slot::Category
                   : isKey(key, "id2") ? Slot::Id2
                                       : Slot::None;
        case 4:
            return isKey(key, "name") ? Slot::Name : isKey(key, "args") ? Slot::Args : Slot::None;
        case 5:
            return isKey(key, "scope") ? Slot::IdScope : Slot::None;
        case 7:
            return isKey(key, "bind_id") ? Slot::BindId : isKey(key, "flow_in") ? Slot::FlowIn : Slot::None;
        case 8:
            return isKey(key, "flow_out") ? Slot::FlowOut : Slot::None;
        default:
            return Slot::None;
    }
}

Slot slotOfArg(std::string_view key) {
    switch (key.size()) {
        case 4:
            return isKey(key, "grid") ? Slot::Grid : Slot::None;
        case 5:
            return isKey(key, "block") ? Slot::Block : isKey(key, "bytes") ? Slot::Bytes : Slot::None;
        case 6:
            return isKey(key, "stream") ? Slot::Stream : isKey(key, "device") ? Slot::Device : Slot::None;
        case 7:
            return isKey(key, "context") ? Slot::Context : Slot::None;
        case 10:
            return isKey(key, "Input Dims")   ? Slot::InputDims
                   : isKey(key, "context_id") ? Slot::XlaContext
                   : isKey(key, "call_stack") ? Slot::CallStack
                                              : Slot::None;
        case 11:
            return isKey(key, "External id") || isKey(key, "external id") ? Slot::ExternalId
                   : isKey(key, "correlation")                            ? Slot::Correlation
                                                                          : Slot::None;
        case 13:
            return isKey(key, "shared memory")   ? Slot::SharedMemory
                   : isKey(key, "graph node id") ? Slot::GraphNode
                                                 : Slot::None;
        case 14:
            return isKey(key, "correlation_id")   ? Slot::Correlation
                   : isKey(key, "kernel_details") ? Slot::KernelDetails
                                                  : Slot::None;
        case 18:
            return isKey(key, "cuda_graph_node_id")   ? Slot::GraphNode
                   : isKey(key, "staticSharedMemory") ? Slot::StaticShared
                                                      : Slot::None;
        case 19:
            return isKey(key, "dynamicSharedMemory") ? Slot::DynamicShared : Slot::None;
        case 20:
            return isKey(key, "registers per thread")   ? Slot::Registers
                   : isKey(key, "localMemoryPerThread") ? Slot::LocalPerThread
                                                        : Slot::None;
        case 25:
            return isKey(key, "est. achieved occupancy %") ? Slot::Occupancy : Slot::None;
        default:
            return Slot::None;
    }
}

}  // namespace warpline::loaders::chrome_trace
