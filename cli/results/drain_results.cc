#include "cli/results/drain_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"

namespace berth::cli {
namespace {

using controllers::Drain;
using Outcome = Drain::Outcome;

const char* drain_outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kUnderWay:
      return "drain_under_way";
    case Outcome::kDrained:
      return "drained";
    case Outcome::kRefused:
      return "drain_refused";
    case Outcome::kFailed:
      return "drain_failed";
    case Outcome::kStopped:
      return "drain_stopped";
  }
  return "";
}

bool is_hindered(const Drain& drain) {
  return drain.outcome() != Outcome::kDrained && drain.outcome() != Outcome::kStopped;
}

// Why the drain is not done.
std::string reason_of(const Drain& drain) {
  if (drain.over()) return drain.message();
  std::vector<std::string> waiting;
  size_t others = 0;
  constexpr size_t kMost = 3;
  for (const Drain::Pod& one : drain.pods()) {
    if (one.state != Drain::State::kAsking && one.state != Drain::State::kGoing) continue;
    if (waiting.size() == kMost) {
      ++others;
    } else {
      waiting.push_back(one.pod.full_name() +
                        (one.message.empty() ? " (terminates)" : ": " + one.message));
    }
  }
  std::string text = fmt::format("it waits for {}", fmt::join(waiting, ", "));
  if (others != 0) text += fmt::format(" and {} others", others);
  return text;
}

}  // namespace

std::vector<output::DrainResult> drain_results(const std::list<Drain>& drains) {
  std::vector<output::DrainResult> results;
  for (const Drain& drain : drains) {
    output::DrainResult& result = results.emplace_back();
    result.node = drain.node();
    result.outcome = drain_outcome_name(drain.outcome());
    result.message = drain.message();
    result.began = drain.began();
    if (drain.over()) result.ended = drain.ended();
    for (const Drain::Pod& one : drain.pods()) {
      if (one.state == Drain::State::kGone)
        result.evicted.push_back(one.pod.full_name());
      else
        result.left.push_back({one.pod.full_name(), one.message});
    }
  }
  return results;
}

void count_drains(const std::list<Drain>& drains, output::Summary& summary) {
  for (const Drain& drain : drains) {
    summary.nodes_drained += drain.outcome() == Outcome::kDrained;
    summary.nodes_not_drained += is_hindered(drain);
  }
}

void say_drains(const std::list<Drain>& drains) {
  constexpr size_t kMost = 3;
  size_t count = 0;
  for (const Drain& drain : drains)
    if (is_hindered(drain) && ++count <= kMost)
      say(printable(fmt::format("node {} is not drained: {}", drain.node(), reason_of(drain))));
  if (count > kMost) say(fmt::format("{} other nodes are not drained", count - kMost));
}

}  // namespace berth::cli
