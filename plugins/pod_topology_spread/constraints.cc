#include "plugins/pod_topology_spread/constraints.h"

#include <algorithm>

namespace berth::plugins {
namespace {

void sort_once(std::vector<uint32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

ConstraintReader::ConstraintReader(sdk::Declaration& hook, const SpreadArgs& args)
    : args_(args),
      keys_(hook, "pod.spread_keys"),
      when_(hook, "pod.spread_when"),
      terms_(hook, "pod.spread_terms"),
      problems_(hook, "pod.spread_problems"),
      affinity_policies_(hook, "pod.spread_node_affinity_policies"),
      taints_policies_(hook, "pod.spread_node_taints_policies"),
      max_skew_(hook, "pod.spread_max_skew"),
      min_domains_(hook, "pod.spread_min_domains"),
      self_(hook, "pod.spread_self"),
      selects_all_(hook, "pod.spread_selects_all"),
      siblings_(hook, "pod.siblings"),
      siblings_self_(hook, "pod.siblings_self"),
      node_selector_(hook, "pod.node_selector"),
      affinity_(hook, "pod.affinity"),
      tolerations_(hook, "pod.tolerations") {}

void ConstraintReader::init(sdk::Host host) {
  strings_ = sdk::Strings(host);
  selectors_ = sdk::Selectors(host);
  columns_ = sdk::ColumnIds(host);
  hard_ = strings_.intern("DoNotSchedule");
  soft_ = strings_.intern("ScheduleAnyway");
  honour_ = strings_.intern("Honor");
  hostname_ = strings_.intern("kubernetes.io/hostname");
  for (const DefaultConstraint& from : args_.constraints) {
    Constraint made;
    made.key = strings_.intern(from.topology_key);
    made.max_skew = from.max_skew;
    made.min_domains = from.min_domains;
    made.honours_affinity = from.honours_affinity;
    made.honours_taints = from.honours_taints;
    defaults_.push_back({made, from.when_unsatisfiable == "DoNotSchedule"});
  }
}

PodConstraints ConstraintReader::read(const sdk::Template& pod, bool hard) const {
  PodConstraints found;
  const auto keys = pod.one(keys_);
  found.own = !keys.empty();
  for (size_t i = 0; i < keys.size(); ++i) {
    if (pod.one(when_)[i] != (hard ? hard_ : soft_)) continue;
    if (const uint32_t problem = pod.one(problems_)[i]; problem != 0) {
      found.problem = strings_.text(problem);
      return found;
    }
    const uint32_t affinity_policy = pod.one(affinity_policies_)[i];
    found.all.push_back({.key = keys[i],
                         .max_skew = pod.one(max_skew_)[i],
                         .min_domains = pod.one(min_domains_)[i],
                         .term = pod.one(terms_)[i],
                         .self = pod.one(self_)[i] != 0,
                         .selects_all = pod.one(selects_all_)[i] != 0,
                         .honours_affinity = affinity_policy == 0 || affinity_policy == honour_,
                         .honours_taints = pod.one(taints_policies_)[i] == honour_});
  }
  const uint32_t siblings = pod.one(siblings_);
  if (found.own || siblings == 0) return found;
  for (const Default& one : defaults_) {
    if (one.hard != hard) continue;
    found.all.push_back(one.constraint);
    found.all.back().term = siblings;
    found.all.back().self = pod.one(siblings_self_) != 0;
  }
  return found;
}

std::vector<uint32_t> ConstraintReader::participants(const sdk::Template& pod,
                                                     const Constraint& constraint,
                                                     std::span<const uint32_t> keys) const {
  std::vector<uint32_t> columns;
  for (const uint32_t key : keys) columns.push_back(column("node.has_label:", key));
  if (constraint.honours_affinity)
    for (const uint32_t selector : {pod.one(node_selector_), pod.one(affinity_)})
      if (selector != 0) columns.push_back(selectors_.match_column(selector));
  if (constraint.honours_taints)
    columns.push_back(columns_.find(sdk::concat("node.tolerated:", pod.one(tolerations_))));
  sort_once(columns);
  return columns;
}

uint32_t ConstraintReader::column(std::string_view family, uint32_t key) const {
  return columns_.find(sdk::concat(family, strings_.text(key)));
}

Participants::Participants(const ConstraintReader& reader, const sdk::Template& pod,
                           const std::vector<Constraint>& all, bool need_keys)
    : reader_(reader), pod_(pod) {
  if (!need_keys) return;
  for (const Constraint& constraint : all) keys_.push_back(constraint.key);
  sort_once(keys_);
  // A node without the key that is counted by takes no part anyway.
  if (keys_.size() == 1) keys_.clear();
}

const std::vector<uint32_t>& Participants::of(const Constraint& constraint) {
  const size_t policies =
      size_t{constraint.honours_affinity} * 2 + size_t{constraint.honours_taints};
  std::optional<std::vector<uint32_t>>& known = by_policies_[policies];
  if (!known) known = reader_.participants(pod_, constraint, keys_);
  return *known;
}

}  // namespace berth::plugins
