#pragma once

// Follows what a cluster recorded, and asks our rules about each pod when it was bound there.
//
// The state is that of the record: its bindings are applied as facts, and ours are opinions that
// nothing follows. So each decision is compared in the very cluster that the recorded one was made
// in, as far as the record tells, and one that differs is explained there. What a record does not
// tell counts in its favour: which of several best nodes was drawn, and at which node a search
// began that did not look at all of them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/diff/live.h"
#include "cli/replay/replayed_pods.h"
#include "engine/output/summary.h"

namespace berth::cli {

// The end of the part that is followed, and the beginning of what is compared.
struct FollowLimits {
  uint64_t from = 0;               // bindings before are taken without a question
  std::optional<uint64_t> until;   // so many bindings
  std::optional<Time> until_time;  // since the record began
};

struct RecordReplay {
  uint64_t bindings = 0;           // of pods that waited before
  uint64_t asked = 0;              // pods that our rules were asked about, when bound or at the end
  uint64_t in_place = 0;           // pods that the record tells of with their node alone
  uint64_t begun_elsewhere = 0;    // equal with another beginning of the search
  uint64_t of_other_profiles = 0;  // bindings of pods that no profile here serves
  ReplayedPods pods;
  // The number of the first binding that differs, from 1, and its time; 0: none.
  uint64_t first = 0;
  Time first_at{};
  uint64_t errors_in_input = 0;
  std::map<std::string, uint64_t> failures;    // of plugins, with the number of each
  std::vector<output::ResourceUse> resources;  // of the cluster at the end of what was followed
  bool interrupted = false;

  bool differs() const { return !pods.different.empty(); }
};

// `side.options`: `pods` is the record, a watch, which `open` opens; `cluster` what was there
// before it. Throws Error.
RecordReplay follow_record(LiveSide side, const FollowLimits& limits);

}  // namespace berth::cli
