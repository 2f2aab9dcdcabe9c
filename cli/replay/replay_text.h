#pragma once

// A replay as text for people, and as JSON for programs.

#include <string>
#include <string_view>

#include "cli/replay/journal/journal_play.h"

namespace berth::cli {

// `most`: pods that end differently, of those that are shown. `path`: of the journal.
std::string to_text(const JournalReplay& replay, const Journal& journal, size_t most);
std::string to_json(const JournalReplay& replay, const Journal& journal);

// The part of the decision hash that differs where no node does.
inline constexpr std::string_view kOtherWay =
    "nodes that were looked at, random draws or reasons of refusals differ";

// Parts of both, for records of other kinds, too.
inline constexpr std::string_view kInterruptedText =
    "the replay was interrupted: this is what it came to";
inline constexpr std::string_view kNothingAsked =
    "nothing to compare: what is played of the record binds no pod that waited";
// A line about the place where the journal ends; empty: it ends with its run.
std::string end_text(const Journal& journal);
// A line for each way to end, and the pods.
std::string pods_text(const ReplayedPods& pods, size_t most);
// One line of a cause, with what it is about.
std::string cause_text(const Cause& cause);

}  // namespace berth::cli
