#include "tests/properties/brute_force/brute_force_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace berth::tests::brute {
namespace {

constexpr char kHostname[] = "kubernetes.io/hostname";
constexpr char kNoMatch[] = "node(s) didn't match pod topology spread constraints";
constexpr char kNoLabel[] =
    "node(s) didn't match pod topology spread constraints (missing required label)";

SpreadConstraint parsed(const model::TopologySpreadConstraint& one, std::string& problem) {
  SpreadConstraint made{.max_skew = one.max_skew, .key = one.topology_key, .selector = {}};
  made.selector = parse(one.label_selector, problem);
  made.min_domains = one.min_domains.value_or(1);
  if (!one.node_affinity_policy.empty())
    made.honours_affinity = one.node_affinity_policy == "Honor";
  if (!one.node_taints_policy.empty()) made.honours_taints = one.node_taints_policy == "Honor";
  return made;
}

std::vector<model::TopologySpreadConstraint> system_constraints() {
  model::TopologySpreadConstraint host, zone;
  host.topology_key = kHostname;
  host.max_skew = 3;
  zone.topology_key = "topology.kubernetes.io/zone";
  zone.max_skew = 5;
  host.when_unsatisfiable = zone.when_unsatisfiable = "ScheduleAnyway";
  return {host, zone};
}

bool has_all_keys(const model::Node& node, const std::vector<SpreadConstraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](const auto& one) { return find(node.labels, one.key) != nullptr; });
}

// A missing label counts as an empty value.
std::string value_of(const model::Node& node, const std::string& key) {
  const std::string* value = find(node.labels, key);
  return value != nullptr ? *value : std::string();
}

}  // namespace

Spread::Spread(const Objects& objects, const SpreadArguments& arguments, const model::Pod& pod)
    : objects_(objects), arguments_(arguments), pod_(pod), nodes_(node_infos(objects)) {
  std::string problem;
  hard_ = constraints("DoNotSchedule", problem);
  if (!problem.empty())
    pre_filter_ = {
        Code::kError,
        "get constraints from pod: obtaining pod's hard topology spread constraints: " + problem};
  else if (hard_.empty())
    pre_filter_.code = Code::kSkip;
  domains_ = placed_domains();
}

std::vector<SpreadConstraint> Spread::constraints(const char* action, std::string& problem) const {
  return pod_.spec.topology_spread_constraints.empty() ? defaults(action) : own(action, problem);
}

std::vector<SpreadConstraint> Spread::own(const char* action, std::string& problem) const {
  std::vector<SpreadConstraint> found;
  for (const model::TopologySpreadConstraint& one : pod_.spec.topology_spread_constraints) {
    if (one.when_unsatisfiable != action) continue;
    SpreadConstraint made = parsed(one, problem);
    if (!problem.empty()) return {};
    for (const std::string& key : one.match_label_keys)
      if (const std::string* value = find(pod_.spec.labels, key); value != nullptr)
        made.selector.add_labels({{key, *value}});
    found.push_back(std::move(made));
  }
  return found;
}

std::vector<SpreadConstraint> Spread::defaults(const char* action) const {
  const Selector selector = default_selector();
  if (selector.empty()) return {};
  std::vector<SpreadConstraint> found;
  std::string none;  // default constraints have no selector of their own
  for (const auto& one :
       arguments_.system_defaults ? system_constraints() : arguments_.default_constraints) {
    if (one.when_unsatisfiable != action) continue;
    found.push_back(parsed(one, none));
    found.back().selector = selector;
  }
  return found;
}

// The combined selector of the services that select the pod and of its controller.
Selector Spread::default_selector() const {
  std::map<std::string, std::string> merged;
  for (const auto& [key, owner] : objects_.selector_owners) {
    if (owner.kind != model::SelectorOwnerKind::kService ||
        owner.namespace_name != pod_.namespace_name || !owner.selector)
      continue;
    Selector service;
    service.add_labels(owner.selector->match_labels);
    if (!service.matches(pod_.spec.labels)) continue;
    for (const auto& [name, value] : owner.selector->match_labels) merged[name] = value;
  }
  std::vector<model::Requirement> more;
  const auto owner_is = [&](const char* version, const char* kind) {
    return pod_.controller && pod_.controller->api_version == version &&
           pod_.controller->kind == kind;
  };
  const auto owner = [&](model::SelectorOwnerKind kind) {
    auto at = objects_.selector_owners.find({kind, pod_.namespace_name, pod_.controller->name});
    return at == objects_.selector_owners.end() ? std::nullopt : at->second.selector;
  };
  if (owner_is("v1", "ReplicationController")) {
    if (auto selector = owner(model::SelectorOwnerKind::kReplicationController); selector)
      for (const auto& [name, value] : selector->match_labels) merged[name] = value;
  } else if (owner_is("apps/v1", "ReplicaSet") || owner_is("apps/v1", "StatefulSet")) {
    std::string problem;
    const Selector other =
        parse(owner(pod_.controller->kind == "ReplicaSet" ? model::SelectorOwnerKind::kReplicaSet
                                                          : model::SelectorOwnerKind::kStatefulSet),
              problem);
    if (problem.empty() && !other.nothing) more = other.requirements;
  }
  Selector selector;
  selector.add_labels({merged.begin(), merged.end()});
  selector.add(more);
  return selector;
}

bool Spread::counts_on(const SpreadConstraint& constraint, const model::Node& node) const {
  if (constraint.honours_affinity && !matches_required(pod_.spec, node)) return false;
  return !constraint.honours_taints || tolerates(pod_.spec, node);
}

// An empty selector counts nothing here, although it matches everything.
int64_t Spread::count(const NodeInfo& info, const Selector& selector) const {
  if (selector.empty()) return 0;
  return std::count_if(info.pods.begin(), info.pods.end(), [&](const model::Pod* other) {
    return !other->terminating && other->namespace_name == pod_.namespace_name &&
           selector.matches(other->spec.labels);
  });
}

std::vector<Spread::Domains> Spread::placed_domains() const {
  std::vector<Domains> all(hard_.size());
  for (const NodeInfo& info : nodes_) {
    if (!has_all_keys(*info.node, hard_)) continue;
    for (size_t i = 0; i < hard_.size(); ++i)
      if (counts_on(hard_[i], *info.node))
        all[i][value_of(*info.node, hard_[i].key)] += count(info, hard_[i].selector);
  }
  return all;
}

// In contrast to count(), includes terminating pods and honours empty selectors.
void Spread::add(std::vector<Domains>& all, const model::Node& node, const model::Pod& pod) const {
  if (pod.namespace_name != pod_.namespace_name || !has_all_keys(node, hard_)) return;
  for (size_t i = 0; i < hard_.size(); ++i)
    if (hard_[i].selector.matches(pod.spec.labels) && counts_on(hard_[i], node))
      ++all[i][value_of(node, hard_[i].key)];
}

Status Spread::filter(const model::Node& node,
                      const std::vector<const model::Pod*>& nominated) const {
  if (pre_filter_.code != Code::kSuccess) return pre_filter_;
  std::vector<Domains> all = domains_;
  for (const model::Pod* other : nominated) add(all, node, *other);
  for (size_t i = 0; i < hard_.size(); ++i) {
    const SpreadConstraint& constraint = hard_[i];
    const std::string* value = find(node.labels, constraint.key);
    if (value == nullptr) return {Code::kUnresolvable, kNoLabel};
    int64_t least = std::numeric_limits<int32_t>::max();
    for (const auto& [name, pods] : all[i]) least = std::min(least, pods);
    if (static_cast<int64_t>(all[i].size()) < constraint.min_domains) least = 0;
    const int64_t self = constraint.selector.matches(pod_.spec.labels) ? 1 : 0;
    auto at = all[i].find(*value);
    const int64_t pods = at == all[i].end() ? 0 : at->second;
    if (pods + self - least > constraint.max_skew) return {Code::kUnschedulable, kNoMatch};
  }
  return {};
}

std::vector<Spread::Domains> Spread::scored_domains(const std::vector<SpreadConstraint>& soft,
                                                    const std::vector<const model::Node*>& scored,
                                                    bool all_keys) const {
  std::vector<Domains> all(soft.size());
  for (const model::Node* node : scored)
    for (size_t i = 0; i < soft.size(); ++i)
      if (soft[i].key != kHostname) all[i][value_of(*node, soft[i].key)] = 0;
  for (const NodeInfo& info : nodes_) {
    if (all_keys && !has_all_keys(*info.node, soft)) continue;
    for (size_t i = 0; i < soft.size(); ++i) {
      auto at = all[i].find(value_of(*info.node, soft[i].key));
      if (at != all[i].end() && counts_on(soft[i], *info.node))
        at->second += count(info, soft[i].selector);
    }
  }
  return all;
}

std::map<std::string, int64_t> Spread::normalised(
    const std::map<std::string, int64_t>& raw,
    const std::vector<const model::Node*>& scored) const {
  int64_t least = std::numeric_limits<int64_t>::max(), most = 0;
  for (const model::Node* node : scored) {
    least = std::min(least, raw.at(node->name));
    most = std::max(most, raw.at(node->name));
  }
  std::map<std::string, int64_t> made;
  for (const auto& [name, score] : raw) made[name] = 0;
  for (const model::Node* node : scored)
    made[node->name] = most == 0 ? 100 : 100 * (most + least - raw.at(node->name)) / most;
  return made;
}

Scores Spread::score(const std::vector<std::string>& feasible) const {
  Scores scores;
  std::string problem;
  const std::vector<SpreadConstraint> soft = constraints("ScheduleAnyway", problem);
  if (!problem.empty()) {
    scores.status = {Code::kError,
                     "calculating preScoreState: obtaining pod's soft topology spread "
                     "constraints: " +
                         problem};
    return scores;
  }
  if (soft.empty()) {
    scores.status.code = Code::kSkip;
    return scores;
  }
  const bool all_keys =
      !pod_.spec.topology_spread_constraints.empty() || !arguments_.system_defaults;
  std::vector<const model::Node*> scored;
  for (const std::string& name : feasible) {
    scores.raw[name] = 0;
    const model::Node& node = objects_.nodes.at(name);
    if (!all_keys || has_all_keys(node, soft)) scored.push_back(&node);
  }
  const std::vector<Domains> domains = scored_domains(soft, scored, all_keys);
  for (const NodeInfo& info : nodes_) {
    if (std::find(scored.begin(), scored.end(), info.node) == scored.end()) continue;
    double score = 0;
    for (size_t i = 0; i < soft.size(); ++i) {
      const std::string* value = find(info.node->labels, soft[i].key);
      if (value == nullptr) continue;
      const bool host = soft[i].key == kHostname;
      const auto size = static_cast<double>(host ? scored.size() : domains[i].size());
      const int64_t pods = host ? count(info, soft[i].selector) : domains[i].at(*value);
      score += static_cast<double>(pods) * std::log(size + 2) + (soft[i].max_skew - 1);
    }
    scores.raw[info.node->name] = static_cast<int64_t>(std::round(score));
  }
  scores.final = normalised(scores.raw, scored);
  return scores;
}

}  // namespace berth::tests::brute
