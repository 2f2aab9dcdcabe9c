#pragma once

// A replay as text for people, and as JSON for programs.

#include <string>

#include "cli/replay/journal/journal_play.h"

namespace berth::cli {

// `most`: pods that end differently, of those that are shown. `path`: of the journal.
std::string to_text(const JournalReplay& replay, const Journal& journal, size_t most);
std::string to_json(const JournalReplay& replay, const Journal& journal);

// Parts of both, for records of other kinds, too.
//
// A line for each way to end, and the pods.
std::string pods_text(const ReplayedPods& pods, size_t most);
// One line of a cause, with what it is about.
std::string cause_text(const Cause& cause);

}  // namespace berth::cli
