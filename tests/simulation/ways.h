#pragma once

// The ways in which one seed is played, whose histories have to be equal.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/runtime/audit.h"
#include "engine/runtime/scheduling/scheduler.h"

namespace berth::simulation {

// What is kept, by how many threads, and how much is searched. Only the last two may change what is
// decided.
struct Way {
  int threads = 1;
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  runtime::AuditPace audits = runtime::AuditPace::kEveryStep;
  framework::FullOptions full{};  // without workers
  size_t change_log = 0;          // see CoreOptions
  uint64_t verify_every = 0;      // see SchedulerOptions
  std::optional<int32_t> percentage{};
  bool history = false;  // more often large clusters and the former plugins, see draw_history
};

runtime::SchedulerOptions scheduler_options(uint64_t seed, const Way& way);

// The first event that differs; empty: the histories are equal.
std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b);

inline constexpr uint64_t kReferenceEvery = 8;  // seeds

// Plays the seed on one thread and on two, and some seeds by the reference evaluation. `play`
// returns an outcome with `events` and `fault`. The fault names the first event that differs.
template <typename Play>
auto play_in_all_ways(const Play& play, uint64_t seed, Way way = {}) {
  auto first = play(way);
  const auto compare = [&](const Way& other, const char* words) {
    const std::string differs = first_difference(first.events, play(other).events);
    if (!differs.empty()) first.fault = words + differs;
  };
  if (!first.fault.empty()) return first;
  // An audit finds nothing in a run that is equal to one that was audited.
  way.audits = runtime::AuditPace::kSparse;
  Way threads = way;
  threads.threads = 2;
  compare(threads, "on one thread and on two, ");
  if (!first.fault.empty() || seed % kReferenceEvery != 0) return first;
  way.evaluation = framework::Evaluation::kReference;
  compare(way, "in batches and by reference, ");
  return first;
}

}  // namespace berth::simulation
