// The trials of NodeChangeFinder that change the model: labels that the node lacks, and pods that
// leave their nodes.

#include <algorithm>

#include "engine/explain/change/node_change.h"

namespace berth::explain {

// Adds the labels of the first proposal with which the filter passes: one that other filters accept
// as well, if there is such, or else one that leaves only pods missing that match.
bool NodeChangeFinder::find_labels(size_t filter) {
  if (!labels_.added().empty() || cycle_->follows_changes(filter)) return false;
  const std::vector<TriedLabels::Proposal> proposals =
      labels_.proposals(cycle_->filter_states()[filter]->inputs, row_, *cycle_->pod);
  for (const With with : {With::kOtherFilters, With::kLabelsAlone, With::kMatchingPods})
    for (const TriedLabels::Proposal& proposal : proposals) {
      if (with != With::kOtherFilters && proposal.judged) continue;
      if (!passes_with(proposal.labels, filter, with)) continue;
      labels_.kept(proposal);
      return true;
    }
  if (!proposals.empty()) {
    labels_.failed(proposals.back());
    cycle_->refresh_filters();
    begin_rows();
  }
  return false;
}

bool NodeChangeFinder::passes_with(const model::Labels& labels, size_t filter, With with) {
  labels_.add(row_, labels);
  if (passes_now(filter)) {
    if (with != With::kOtherFilters || others_pass(filter)) return true;
  } else if (with == With::kMatchingPods && trials_ <= kMostTrials) {
    uint32_t step = 0;
    find_candidates(filter);
    const bool matched = try_counts(filter, step);
    begin_rows();
    if (matched) return true;
  }
  labels_.put_back();
  return false;
}

// The filters that read labels accept those that the row has now.
bool NodeChangeFinder::others_pass(size_t filter) {
  const auto reads_labels = [&](model::ColumnId column) {
    return column != 0 && (cluster_.catalog().info(column).changes & model::change::kLabels) != 0;
  };
  const auto& filters = cycle_->profile->filter;
  for (size_t i = 0; i < filters.size(); ++i) {
    if (i == filter || !cycle_->calls(filters[i])) continue;
    if (std::ranges::any_of(cycle_->filter_states()[i]->inputs, reads_labels) && !passes(i))
      return false;
  }
  return true;
}

// Removes the fewest pods of the row with which the filter passes, if it passes without all of
// them: pods come back in the order of their importance, as far as the filter allows.
bool NodeChangeFinder::find_removals(size_t filter) {
  if (pods_.empty()) {
    const framework::Profile& profile = *cycle_->profile;
    std::vector<model::PodOnNode> pods = cluster_.nodes().pods(cluster_.nodes().slot_of(row_));
    const auto priority = [&](const model::PodOnNode& pod) {
      return cluster_.templates()[pod.pod_template].priority;
    };
    std::stable_sort(pods.begin(), pods.end(),
                     [&](const auto& a, const auto& b) { return priority(a) > priority(b); });
    for (const model::PodOnNode& pod : pods) {
      if (profile.overlay_state.empty()) {
        pods_.emplace_back(pod);
      } else {
        pods_.emplace_back(profile, cluster_, cluster_.pod(pod.pod));
      }
    }
    removed_.assign(pods_.size(), false);
  }
  const std::vector<bool> before = removed_;
  removed_.assign(pods_.size(), true);
  begin_rows();
  if (before == removed_ || !passes(filter)) {
    removed_ = before;
    return false;
  }
  for (size_t i = 0; i < pods_.size(); ++i) {
    if (before[i]) continue;
    for (const auto& changed : rows_) changed->add_pod(pods_[i]);
    removed_[i] = false;
    if (passes(filter)) continue;
    for (const auto& changed : rows_) changed->remove_pod(pods_[i]);
    removed_[i] = true;
  }
  begin_rows();
  return before != removed_;
}

// Takes the fewest pods away with which the filter passes, of those that count for the row on any
// node, if it passes without all of them. They come back as in find_removals().
bool NodeChangeFinder::find_removals_elsewhere(size_t filter) {
  // Its state does not follow the model, or the domains are not those of the pods behind.
  if (cycle_->follows_changes(filter) || !labels_.added().empty()) return false;
  for (size_t i = 0; i < pods_.size(); ++i)
    if (removed_[i]) away_.take(pods_[i].on_node().pod);
  pods_.clear();
  removed_.clear();
  const InTheWay key{filter, in_the_way(filter)};
  const std::vector<model::PodId>& pods = key.second;
  if (pods.empty() || pods.size() > kMostInTheWay) return false;
  const auto [known, is_new] = known_.try_emplace(key);
  if (!is_new && (known->second.empty() || passes_without(filter, known->second)))
    return !known->second.empty();
  if (!passes_without(filter, pods)) return false;
  for (const model::PodId pod : pods) {
    away_.put_back(pod);
    if (!passes_now(filter)) away_.take(pod);
  }
  if (!passes_now(filter)) return false;  // it passes but for the limit of trials
  known->second = away_.all();
  return true;
}

bool NodeChangeFinder::passes_without(size_t filter, const std::vector<model::PodId>& pods) {
  const auto is_placed = [&](model::PodId pod) { return cluster_.pod(pod).placed(); };
  if (!std::ranges::all_of(pods, is_placed)) return false;  // an earlier filter's are away
  for (const model::PodId pod : pods) away_.take(pod);
  if (passes_now(filter)) return true;
  for (const model::PodId pod : pods) away_.put_back(pod);
  return false;
}

// The pods behind the counts of the row's domains that the filter reads, the most important first.
std::vector<model::PodId> NodeChangeFinder::in_the_way(size_t filter) {
  const std::vector<model::PodId> away = away_.all();
  away_.put_all_back();
  std::vector<model::PodId> pods;
  for (const model::ColumnId column : cycle_->filter_states()[filter]->inputs) {
    if (column == 0) continue;
    const std::vector<model::PodId>& behind = behind_.all(column, row_);
    if (pods.size() + behind.size() > 4 * kMostInTheWay) return {};
    pods.insert(pods.end(), behind.begin(), behind.end());
  }
  for (const model::PodId pod : away) away_.take(pod);
  std::erase_if(pods, [&](model::PodId pod) { return !cluster_.pod(pod).placed(); });
  const auto rank = [&](model::PodId pod) {
    return std::pair(-int64_t{cluster_.pod(pod).priority}, pod.handle());
  };
  std::ranges::sort(pods, {}, rank);
  pods.erase(std::unique(pods.begin(), pods.end()), pods.end());
  return pods;
}

// The filter passes the row as the model is now, without other changes.
bool NodeChangeFinder::passes_now(size_t filter) {
  if (++trials_ > kMostTrials) return false;
  cycle_->refresh_filters();
  begin_rows();
  return passes(filter);
}

NodeChange NodeChangeFinder::removal() {
  NodeChange change;
  change.column = cluster_.find_column("node.pods");
  change.pods = away_.all();
  for (size_t i = 0; i < pods_.size(); ++i)
    if (removed_[i]) change.pods.push_back(pods_[i].on_node().pod);
  std::ranges::stable_sort(change.pods, std::greater(),
                           [&](model::PodId pod) { return cluster_.pod(pod).priority; });
  change.from = static_cast<int64_t>(change.pods.size());
  return change;
}

}  // namespace berth::explain
