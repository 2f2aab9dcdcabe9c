#pragma once

// The names of a kubelet's checks of a pod, and the reasons why they fail. They are also the names
// and reasons of plugins of a scheduler, whose code a kubelet shares.

#include <string_view>

namespace berth::controllers::kubelet {

struct PredicateName {
  std::string_view name, reason;
};

inline constexpr PredicateName kAffinityPredicate{
    "NodeAffinity", "node(s) didn't match Pod's node affinity/selector"};
inline constexpr PredicateName kNamePredicate{"NodeName",
                                              "node(s) didn't match the requested node name"};
inline constexpr PredicateName kPortsPredicate{
    "NodePorts", "node(s) didn't have free ports for the requested pod ports"};
inline constexpr PredicateName kTaintPredicate{"TaintToleration",
                                               "node(s) had taints that the pod didn't tolerate"};

}  // namespace berth::controllers::kubelet
