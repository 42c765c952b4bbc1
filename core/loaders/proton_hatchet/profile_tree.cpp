// SPDX-License-Identifier: MIT
#include "core/loaders/proton_hatchet/profile_tree.h"

namespace warpline::loaders::proton_hatchet {

std::vector<NodePlace> layOut(const ProfileTree& tree) {
    std::vector<NodePlace> places(tree.size());
    for (size_t i = tree.size(); i-- > 0;) {
        places[i].duration += tree[i].own;
        if (tree[i].parent != ProfileNode::kNoParent) {
            places[tree[i].parent].duration += places[i].duration;
        }
    }
    TimeNs nextRoot = 0;
    std::vector<TimeNs> nextChild(tree.size());
    for (size_t i = 0; i < tree.size(); ++i) {
        TimeNs& next = tree[i].parent == ProfileNode::kNoParent ? nextRoot : nextChild[tree[i].parent];
        places[i].begin = next;
        nextChild[i] = next;
        next += places[i].duration;
    }
    return places;
}

}  // namespace warpline::loaders::proton_hatchet
