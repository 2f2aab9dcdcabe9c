#pragma once

// The next steps of a StatefulSet. Source: pkg/controller/statefulset, stateful_set_control.go.

#include <cstdint>
#include <span>
#include <vector>

namespace berth::controllers {

struct StatefulPod {
  int64_t ordinal = 0;
  bool ready = false;  // it runs, too
  bool terminating = false;
};

struct StatefulStep {
  int64_t ordinal = 0;
  bool creates = true;  // or deletes

  bool operator==(const StatefulStep&) const = default;
};

// The steps of now; more may follow when pods become ready, or are gone. `wanted`: the ordinals
// that are to be there, ascending. `pods`: those that are there, by ordinal, each once: a pod that
// terminates keeps its ordinal until it is gone. With `parallel` all is done at once, else one step
// at a time, from the lowest ordinal for creations and from the highest for deletions, when all
// before it are ready.
std::vector<StatefulStep> stateful_steps(std::span<const int64_t> wanted,
                                         std::span<const StatefulPod> pods, bool parallel);

}  // namespace berth::controllers
