#pragma once

// A replay as one HTML page that needs no network.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/replay/record_text.h"
#include "cli/replay/replay_text.h"
#include "engine/output/summary.h"

namespace berth::cli {

// The parts of the page that replays of journals and of records have in common. What is pointed to
// outlives the object.
struct ReplayFacts {
  // The first difference.
  struct First {
    std::string place;          // "decision 3 at 5ms"
    std::string pod;            // namespace/name
    std::string recorded, now;  // for people
    const Cause* cause = nullptr;
  };

  std::string title;
  std::vector<std::string> notes;                           // lines above the counts
  std::vector<std::pair<std::string, std::string>> counts;  // a label, then a number
  std::optional<First> first{};
  const ReplayedPods* pods = nullptr;
  // The heading of the pods of which nobody asked why they differ.
  std::string_view not_asked;
  std::string_view of_resources;                 // whose use it is
  std::vector<output::ResourceUse> resources{};  // at the end; empty: unknown
};

// Shows up to 1,000 pods that differ; JSON has all.
std::string to_page(const ReplayFacts& facts);

std::string to_page(const JournalReplay& replay, const Journal& journal);
std::string to_page(const FollowedRecord& record);

}  // namespace berth::cli
