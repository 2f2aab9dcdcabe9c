#include "cli/diff/trail.h"

#include <algorithm>

#include "engine/model/cluster/pod_name.h"

namespace berth::cli {
namespace {

uint64_t key_of(PodNumbers::Number pod, uint32_t attempt) {
  return static_cast<uint64_t>(pod) << 32 | attempt;
}

}  // namespace

// No name has a space.
PodNumbers::Number PodNumbers::number(std::string_view full_name, uint32_t occurrence) {
  std::string key(full_name);
  key += ' ' + std::to_string(occurrence);
  return numbers_.emplace(std::move(key), static_cast<Number>(numbers_.size())).first->second;
}

std::optional<uint32_t> NameCounts::last(std::string_view full_name) const {
  const auto at = counts_.find(std::string(full_name));
  return at == counts_.end() ? std::nullopt : std::optional(at->second - 1);
}

// As PodResults counts them.
void ArrivedPods::take(const runtime::Report& report) {
  if (const auto* away = std::get_if<runtime::TurnedAway>(&report)) {
    if (away->why != runtime::TurnedAway::Why::kRejected)
      names_.count(std::string(away->namespace_name) + "/" + std::string(away->name));
    return;
  }
  const auto* arrived = std::get_if<runtime::Arrived>(&report);
  if (arrived == nullptr) return;
  for (const model::PodId pod : arrived->pods) {
    if (by_handle_.contains(pod.handle())) continue;
    const std::string name = model::full_name(cluster_, pod);
    by_handle_[pod.handle()] = numbers_.number(name, names_.count(name));
  }
}

std::optional<PodNumbers::Number> ArrivedPods::number(model::PodId pod) const {
  const auto at = by_handle_.find(pod.handle());
  return at == by_handle_.end() ? std::nullopt : std::optional(at->second);
}

std::vector<PodNumbers::Number> numbers_of(const std::vector<output::PodResult>& results,
                                           PodNumbers& numbers) {
  std::vector<PodNumbers::Number> found;
  NameCounts names;
  for (const output::PodResult& result : results) {
    const std::string name = result.namespace_name + "/" + result.name;
    found.push_back(numbers.number(name, names.count(name)));
  }
  return found;
}

Attempt Trail::attempt_of(const model::Cluster& cluster, PodNumbers::Number pod,
                          const framework::Request& request, const framework::Decision& decision) {
  Attempt attempt{.pod = pod, .attempt = request.attempt};
  attempt.failed = decision.outcome == framework::Outcome::kError;
  if (decision.outcome == framework::Outcome::kScheduled)
    attempt.node = texts_.id(cluster.node_name(decision.row));
  if (!decision.post_filter || decision.post_filter->plugin.empty()) return attempt;
  std::vector<std::string> names;
  for (const model::PodId victim : decision.post_filter->victims)
    names.push_back(model::full_name(cluster, victim));
  std::ranges::sort(names);
  std::string text(cluster.node_name(decision.post_filter->row));
  for (const std::string& name : names) text += " " + name;
  attempt.nominates = texts_.id(text);
  return attempt;
}

void Trail::add(const Attempt& attempt) {
  positions_[key_of(attempt.pod, attempt.attempt)] = attempts_.size();
  last_[attempt.pod] = attempts_.size();
  attempts_.push_back(attempt);
}

const Attempt* Trail::find(PodNumbers::Number pod, uint32_t attempt) const {
  const auto at = positions_.find(key_of(pod, attempt));
  return at == positions_.end() ? nullptr : &attempts_[at->second];
}

const Attempt* Trail::last_of(PodNumbers::Number pod) const {
  const size_t at = last_position(pod);
  return at == SIZE_MAX ? nullptr : &attempts_[at];
}

size_t Trail::last_position(PodNumbers::Number pod) const {
  const auto at = last_.find(pod);
  return at == last_.end() ? SIZE_MAX : at->second;
}

}  // namespace berth::cli
