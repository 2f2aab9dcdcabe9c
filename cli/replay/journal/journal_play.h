#pragma once

// Plays a journal again, and compares each decision with the recorded one.
//
// The run goes twice at most: once to find the first decision that differs, which costs no more
// than the run itself, and if there is one a second time up to it, where the rules are asked why.
// There the states are still equal, so the answer is exact: if the settings are others, those of
// the journal are asked beside them (second_opinion.h), else the recorded node is compared with the
// one that is chosen now.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/diff/cause.h"
#include "cli/diff/live.h"
#include "cli/replay/journal/journal.h"
#include "cli/replay/replayed_pods.h"
#include "engine/output/summary.h"

namespace berth::cli {

// The end of the part that is played, and the beginning of what is compared.
struct PlayLimits {
  uint64_t from = 0;               // decisions before are played silently
  std::optional<uint64_t> until;   // so many decisions are made
  std::optional<Time> until_time;  // the run's clock is there
};

struct FirstDifference {
  uint64_t decision = 0;  // from 1
  Time at{};              // of the run's clock
  std::string pod;
  std::string recorded, now;  // for people
  Cause cause;
};

struct JournalReplay {
  uint64_t decisions = 0;  // that were made
  uint64_t recorded = 0;   // of the journal
  std::string hash;        // over those that were made
  // Of the journal after as many; empty: it does not tell.
  std::string recorded_hash;
  std::optional<FirstDifference> first;
  ReplayedPods pods;
  uint64_t errors_in_input = 0;
  std::map<std::string, uint64_t> failures;    // as in a run's summary
  std::vector<output::ResourceUse> resources;  // of the cluster at the end of what was played
  bool other_settings = false;  // a cause calls those of the journal A, those of now B
  bool ends_at_first = false;   // nothing is compared behind the first difference
  bool interrupted = false;

  bool differs() const {
    return first.has_value() || (!recorded_hash.empty() && recorded_hash != hash);
  }
};

// The settings of a run, made anew for each time it goes.
using MakeSide = std::function<LiveSide()>;

// `recorded`: the settings of the journal, if those of `now` are others; else null. Throws Error.
JournalReplay play_journal(Journal& journal, const MakeSide& now, const MakeSide& recorded,
                           const PlayLimits& limits);

}  // namespace berth::cli
