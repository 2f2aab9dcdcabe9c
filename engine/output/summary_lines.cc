#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text/number_text.h"
#include "engine/output/summary_parts.h"

namespace berth::output {
namespace {

// "mean 1.2   p50 1   p99 2   max 3"
template <typename Text>
std::string distribution_text(const Distribution& of, Text&& text) {
  return fmt::format("mean {}   p50 {}   p90 {}   p99 {}   max {}", text(of.mean), text(of.p50),
                     text(of.p90), text(of.p99), text(of.max));
}

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

// The sample since then with the most pods without a node; null: none has any.
const QueueSizes* most_without_node(const Summary& s, double since) {
  const QueueSizes* most = nullptr;
  for (const QueueSizes& at : s.queues)
    if (at.seconds >= since && (most == nullptr || at.without_node() > most->without_node()))
      most = &at;
  return most == nullptr || most->without_node() == 0 ? nullptr : most;
}

}  // namespace

Lines pod_lines(const Summary& s) {
  Lines lines = {{"arrived", grouped(s.pods_total)}, {"scheduled", grouped(s.pods_scheduled)}};
  const std::pair<const char*, uint64_t> rest[] = {
      {"held, not bound", s.pods_held},
      {"unschedulable", s.pods_unschedulable},
      {"failed", s.pods_failed},
      {"gated", s.pods_gated},
      {"for other schedulers", s.pods_ignored},
      {"already placed", s.pods_already_placed},
      {"finished, skipped", s.pods_finished},
      {"terminating, skipped", s.pods_terminating},
      {"bound by another", s.pods_bound_by_another},
      {"deleted while waiting", s.pods_deleted},
      {"rejected", s.pods_rejected},
      {"not tried", s.pods_untried},
      {"nominated to a node", s.nominations},
      {"evicted by preemption", s.pods_evicted},
      {"evicted by controllers", s.pods_disrupted},
      {"containers killed: memory", s.oom_kills},
      {"succeeded", s.pods_succeeded},
      {"exited with an error", s.pods_exited_with_error},
      {"nodes that were drained", s.nodes_drained},
      {"nodes that were not", s.nodes_not_drained}};
  for (const auto& [label, count] : rest)
    if (count != 0) lines.emplace_back(label, grouped(count));
  return lines;
}

Lines wait_lines(const Summary& s) {
  Lines lines;
  if (s.attempts_per_pod.count != 0)
    lines.emplace_back("attempts per pod", distribution_text(s.attempts_per_pod, short_number));
  if (s.queue_to_bound_seconds.count != 0)
    lines.emplace_back("queue to bound",
                       distribution_text(s.queue_to_bound_seconds, duration_text) +
                           fmt::format(" ({} clock)", s.clock));
  lines.emplace_back("times in backoff", grouped(s.backoffs));
  if (s.victims_per_preemption.count != 0)
    lines.emplace_back("preemptions",
                       fmt::format("{}, victims {}", grouped(s.victims_per_preemption.count),
                                   distribution_text(s.victims_per_preemption, short_number)));
  return lines;
}

Lines eviction_lines(const Summary& s) {
  if (!s.recovery) return {};
  const Recovery& recovery = *s.recovery;
  Lines lines = {{"first to last", fmt::format("{} to {}", duration_text(recovery.first_seconds),
                                               duration_text(recovery.last_seconds))}};
  if (const QueueSizes* most = most_without_node(s, recovery.first_seconds))
    lines.emplace_back("most without a node", fmt::format("{} at {}", grouped(most->without_node()),
                                                          duration_text(most->seconds)));
  lines.emplace_back(
      "as before again",
      recovery.settled_seconds
          ? fmt::format("at {}, {} after the first", duration_text(*recovery.settled_seconds),
                        duration_text(*recovery.settled_seconds - recovery.first_seconds))
          : "not until the end");
  return lines;
}

std::vector<QueueSizes> few_of(const std::vector<QueueSizes>& samples) {
  constexpr size_t kRows = 6;
  if (samples.size() <= 1) return samples;
  const size_t rows = std::min(kRows, samples.size()), last = samples.size() - 1;
  std::vector<QueueSizes> few;
  for (size_t row = 0; row < rows; ++row) few.push_back(samples[row * last / (rows - 1)]);
  return few;
}

}  // namespace berth::output
