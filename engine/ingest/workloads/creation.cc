#include "engine/ingest/workloads/creation.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <variant>

#include "engine/ingest/objects/report_all.h"
#include "engine/ingest/workloads/decode_workload.h"
#include "engine/ingest/workloads/ephemeral_claims.h"

namespace berth::ingest {

std::vector<model::Node> Creation::nodes() const {
  if (!follows_) return nodes_();
  std::vector<model::Node> all;
  for (const auto& [name, node] : followed_) all.push_back(node);
  return all;
}

void Creation::add_cluster(const Objects& objects) {
  if (admission_) admission_->put(objects.policies);
  for (const model::Pod& pod : objects.pods) pods_.put(pod);
  if (admission_ && admission_->has_quotas())
    for (size_t i = 0; i < objects.pods.size(); ++i)
      admission_->count(objects.pods[i], objects.pods_asked[i]);
  add_cluster(objects.others);
  if (plays_)
    cluster_workloads_.insert(cluster_workloads_.end(), objects.workloads.begin(),
                              objects.workloads.end());
}

void Creation::add_cluster(std::span<const model::Change> objects) {
  model::each<model::SelectorOwner>(objects, [&](const auto& owner) { pods_.put_set(owner); });
  model::each<model::TemplatePod>(objects, [&](const auto& pod) { pods_.put(pod); });
  model::each<model::VolumeObject>(objects, [&](const auto& object) { put(object); });
  if (!admission_ || !admission_->has_quotas()) return;
  model::each<model::TemplatePod>(objects,
                                  [&](const auto& pod) { admission_->count(pod.pod(), {}); });
  model::each<model::VolumeObject>(objects, [&](const auto& object) { count(object); });
}

void Creation::count(const model::VolumeObject& object) {
  if (const auto* claim = std::get_if<model::PersistentVolumeClaim>(&object))
    admission_->count(*claim);
}

void Creation::take_existing(Objects& objects, const std::string& path, Diagnostics& diagnostics) {
  for (const model::Pod& pod : objects.pods) pods_.put(pod);
  for (const Workload& workload : objects.workloads)
    if (workload.kind == WorkloadKind::kDeployment)
      deployments_.insert(workload.namespace_name + "/" + workload.name);
  model::each<model::VolumeObject>(objects.others, [&](const auto& object) { put(object); });
  if (!admission_) return;
  admit_classes(objects, path, diagnostics);
  admission_->put(objects.policies);
}

void Creation::create(Objects& objects, const std::string& path, Diagnostics& diagnostics) {
  take_existing(objects, path, diagnostics);
  if (!objects.workloads.empty()) {
    const bool daemons = std::ranges::any_of(objects.workloads, [](const Workload& workload) {
      return workload.kind == WorkloadKind::kDaemonSet;
    });
    const std::vector<model::Node> all = daemons ? nodes() : std::vector<model::Node>();
    limit_workloads(objects, all.size(), path, diagnostics);
    if (plays_) play_again(objects);
    const std::vector<Workload> workloads = plays_ ? objects.workloads : std::vector<Workload>();
    std::vector<model::Workload> played;
    expand(objects, all, claims_, pods_, plays_ ? &played : nullptr);
    play(workloads, std::move(played), objects);
    model::each<model::VolumeObject>(objects.others, [&](const auto& object) { put(object); });
  }
  note_missing(objects);
  if (admission_) {
    admit_claims(objects, path, diagnostics);
    admit_pods(objects, path, diagnostics);
  }
  make_claims(objects, path, diagnostics);
}

void Creation::play(const std::vector<Workload>& workloads, std::vector<model::Workload> played,
                    Objects& objects) {
  std::vector<model::Change> made;
  std::vector<uint32_t> lines;
  for (size_t i = 0; i < played.size(); ++i) {
    auto object = this->played(workloads[i], std::move(played[i]), objects.remarks);
    if (!object) continue;
    made.push_back(model::added(std::move(*object)));
    lines.push_back(workloads[i].line);
  }
  // Before the claims that controllers made.
  const auto end_of = [&](auto& all) {
    return all.end() - static_cast<ptrdiff_t>(objects.made_claims);
  };
  objects.others.insert(end_of(objects.others), std::make_move_iterator(made.begin()),
                        std::make_move_iterator(made.end()));
  objects.lines.others.insert(end_of(objects.lines.others), lines.begin(), lines.end());
}

void Creation::play_again(Objects& objects) {
  std::erase_if(objects.workloads, [&](const Workload& workload) {
    if (!played_.was_removed(workload)) return false;
    model::Workload to = played_workload(workload, pods_);
    to.creates = to.has_pods = true;
    if (auto object = played(workload, std::move(to), objects.remarks)) {
      objects.others.push_back(model::added(std::move(*object)));
      objects.lines.others.push_back(workload.line);
    }
    return true;
  });
}

std::optional<model::ControllerObject> Creation::played(const Workload& from, model::Workload to,
                                                        Remarks& remarks) {
  for (auto* claims : {&to.claims, &to.ephemeral_claims})
    for (model::PersistentVolumeClaim& claim : *claims) default_class_.admit(claim);
  const bool is_new = !played_.is_known(from);
  auto object = played_.put(
      from, std::move(to),
      [&](model::Pod& pod, const PodAsked& asked) { return admit(pod, asked, true); }, remarks);
  if (object && is_new && admission_ && admission_->has_quota(from.namespace_name))
    remarks.workloads_beyond_quotas.add(object->kind + " " + full_name(*object));
  return object;
}

std::vector<model::Change> Creation::cluster_workloads(Remarks& remarks) {
  std::vector<model::Change> made;
  for (const Workload& workload : std::exchange(cluster_workloads_, {}))
    if (auto object = played(workload, played_workload(workload, pods_), remarks))
      made.push_back(model::added(std::move(*object)));
  return made;
}

std::vector<model::Change> Creation::change_workloads(Objects& objects, const std::string& path,
                                                      Diagnostics& diagnostics) {
  limit_workloads(objects, followed_.size(), path, diagnostics);
  std::vector<model::Change> made;
  for (const Workload& workload : objects.workloads) {
    model::Workload to = played_workload(workload, pods_);
    if (!played_.is_known(workload)) to.creates = to.has_pods = true;
    if (auto object = played(workload, std::move(to), objects.remarks))
      made.push_back(model::modified(std::move(*object)));
  }
  return made;
}

model::Change Creation::remove_workload(std::string kind, std::string namespace_name,
                                        std::string name) {
  model::ControllerObject object =
      PlayedWorkloads::named(std::move(kind), std::move(namespace_name), std::move(name));
  played_.remove(object);
  return model::deleted(std::move(object));
}

void Creation::note_missing(Objects& objects) const {
  for (const ControlledSet& set : objects.controlled_sets) {
    if (deployments_.contains(set.namespace_name + "/" + set.deployment)) continue;
    const OwnPods* own = pods_.of("ReplicaSet", set.namespace_name, set.name);
    const uint64_t active = own == nullptr ? 0 : own->count(OwnState::kActive);
    if (active < set.replicas)
      objects.remarks.missing.add(set.replicas - active,
                                  "ReplicaSet " + set.namespace_name + "/" + set.name);
  }
}

// A small manifest may ask for more pods, or copies of a large template, than memory holds.
void Creation::limit_workloads(Objects& objects, size_t nodes, const std::string& path,
                               Diagnostics& diagnostics) {
  std::erase_if(objects.workloads, [&](const Workload& workload) {
    const uint64_t pods =
        workload.kind == WorkloadKind::kDaemonSet ? nodes : played_.more_pods(workload);
    const bool fits = pods <= kMostExpanded - expanded_ &&
                      pods * workload.size <= kMostExpandedBytes - expanded_bytes_;
    if (fits) {
      expanded_ += pods;
      expanded_bytes_ += pods * workload.size;
      return false;
    }
    diagnostics.report(Error(Place{.file = path,
                                   .line = workload.line,
                                   .field = workload.namespace_name + "/" + workload.name},
                             "asks for " + std::to_string(pods) + " pods with a manifest of " +
                                 std::to_string(workload.size) +
                                 " bytes; the manifests of a run make " +
                                 std::to_string(kMostExpanded) + " pods and " +
                                 std::to_string(kMostExpandedBytes >> 30) +
                                 " GiB of them at most; berth-loadgen makes more"));
    ++objects.rejected;
    return true;
  });
}

std::optional<std::string> Creation::admit(model::PersistentVolumeClaim& claim) {
  default_class_.admit(claim);
  const std::optional<std::string> refused = admission_->admit(claim);
  if (refused) claims_.erase(full_name(claim));
  return refused;
}

void Creation::admit_classes(Objects& objects, const std::string& path, Diagnostics& diagnostics) {
  size_t index = 0;
  std::vector<uint32_t> lines;  // of those that stay
  std::erase_if(objects.policies.priority_classes, [&](const PriorityClass& object) {
    const uint32_t line = objects.lines.priority_classes[index++];
    const std::optional<std::string> why = admission_->admit(object);
    if (!why) {
      lines.push_back(line);
      return false;
    }
    diagnostics.report(Error(Place{.file = path, .line = line, .field = object.name}, *why));
    ++objects.rejected;
    return true;
  });
  objects.lines.priority_classes = std::move(lines);
}

// Claims of workloads have a UID already; they are at the end.
void Creation::admit_claims(Objects& objects, const std::string& path, Diagnostics& diagnostics) {
  const size_t made = objects.others.size() - objects.made_claims;
  objects.erase_others_if([&](size_t i) {
    auto* object = std::get_if<model::VolumeObject>(&objects.others[i].object);
    auto* claim = object == nullptr ? nullptr : std::get_if<model::PersistentVolumeClaim>(object);
    const bool is_new = claim != nullptr && (i >= made || claim->uid.empty());
    if (claim != nullptr && !is_new) admission_->count(*claim);
    const auto why = is_new ? admit(*claim) : std::nullopt;
    if (!why) return false;
    diagnostics.report(Error(
        Place{.file = path, .line = objects.lines.others[i], .field = full_name(*claim)}, *why));
    if (i >= made) --objects.made_claims;
    return true;
  });
}

void Creation::make_claims(Objects& objects, const std::string& path, Diagnostics& diagnostics) {
  for (size_t i = 0; i < objects.pods.size(); ++i) {
    model::Pod& pod = objects.pods[i];
    std::vector<std::string> refused;
    for (model::VolumeObject& claim : claims_for(pod, objects.pods_asked[i], false, &refused)) {
      objects.others.push_back(model::added(std::move(claim)));
      objects.lines.others.push_back(objects.lines.pods[i]);
      ++objects.made_claims;
    }
    for (std::string& why : refused)
      diagnostics.report(Error(Place{.file = path,
                                     .line = objects.lines.pods[i],
                                     .field = pod.namespace_name + "/" + pod.name},
                               std::move(why)));
  }
}

std::vector<model::VolumeObject> Creation::claims_for(model::Pod& pod, const PodAsked& asked,
                                                      bool again,
                                                      std::vector<std::string>* refused) {
  const bool own = again ? pod.uid.empty() : Admission::creates(pod);
  if (asked.ephemeral_claims.empty() || !own) return {};
  std::vector<model::VolumeObject> made;
  for (model::PersistentVolumeClaim& claim : ephemeral_claims(pod, asked)) {
    if (again || !claims_.insert(full_name(claim)).second) continue;
    if (const auto why = admission_ ? admit(claim) : std::nullopt) {
      if (refused != nullptr) refused->push_back(*why);
      continue;
    }
    made_for_[pod.namespace_name + "/" + pod.name].push_back(full_name(claim));
    made.emplace_back(std::move(claim));
  }
  return made;
}

void Creation::remove_pod(const std::string& namespace_name, const std::string& name) {
  pods_.remove(namespace_name, name);
  const auto at = made_for_.find(namespace_name + "/" + name);
  if (at == made_for_.end()) return;
  for (const std::string& claim : at->second) claims_.erase(claim);
  made_for_.erase(at);
}

std::optional<std::string> Creation::admit(model::VolumeObject& object) {
  auto* claim = std::get_if<model::PersistentVolumeClaim>(&object);
  if (!admission_ || claim == nullptr) return std::nullopt;
  if (claim->uid.empty()) return admit(*claim);
  if (is_first(claim->uid)) admission_->count(*claim);
  return std::nullopt;
}

std::optional<std::string> Creation::admit(model::Pod& pod, const PodAsked& asked, bool again) {
  if (!admission_) return std::nullopt;
  if (Admission::creates(pod)) return admission_->admit(pod, asked, again);
  if (!again && is_first(pod.uid)) admission_->count(pod, asked);
  return std::nullopt;
}

bool Creation::is_first(const std::string& uid) {
  return uid.empty() || !admission_->has_quotas() || counted_.insert(uid).second;
}

void Creation::put(const Policies& policies) {
  if (admission_) admission_->put(policies);
}

void Creation::remove(const Policies& policies) {
  if (admission_) admission_->remove(policies);
}

void Creation::put(const model::VolumeObject& object) {
  default_class_.put(object);
  if (std::holds_alternative<model::PersistentVolumeClaim>(object))
    claims_.insert(full_name(object));
}

void Creation::remove(const model::VolumeObject& object) {
  default_class_.remove(object);
  if (std::holds_alternative<model::PersistentVolumeClaim>(object))
    claims_.erase(full_name(object));
}

// Keeps the vectors of pods in step. Of each workload one refused pod is reported first: the others
// are refused for the same reason as a rule, and would hide what else is wrong.
void Creation::admit_pods(Objects& objects, const std::string& path, Diagnostics& diagnostics) {
  objects.remarks.without_priority = {};
  std::set<std::string> reported;  // uids of controllers
  Diagnostics others;
  size_t kept = 0;
  for (size_t i = 0; i < objects.pods.size(); ++i) {
    model::Pod& pod = objects.pods[i];
    const PodAsked& asked = objects.pods_asked[i];
    if (const auto why = admit(pod, asked)) {
      Error error(Place{.file = path,
                        .line = objects.lines.pods[i],
                        .field = pod.namespace_name + "/" + pod.name},
                  *why);
      pods_.remove(pod.namespace_name, pod.name);
      objects.rejected_pods.push_back({pod.namespace_name, pod.name, error.what()});
      ++objects.rejected;
      const bool first = !pod.controller || reported.insert(pod.controller->uid).second;
      (first ? diagnostics : others).report(std::move(error));
      continue;
    }
    if (!pod.spec.priority && !asked.priority_class.empty() && !pod.bound())
      objects.remarks.without_priority.add(pod);
    if (kept != i) {
      objects.pods[kept] = std::move(pod);
      objects.pods_asked[kept] = std::move(objects.pods_asked[i]);
      objects.lines.pods[kept] = objects.lines.pods[i];
    }
    ++kept;
  }
  report_all(others, diagnostics);
  objects.pods.resize(kept);
  objects.pods_asked.resize(kept);
  objects.lines.pods.resize(kept);
}

void Creation::follow_nodes() {
  for (const model::Node& node : nodes_()) put_node(node);
  follows_ = true;
}

void Creation::put_node(const model::Node& node) {
  model::Node& kept = followed_[node.name];
  kept.name = node.name;
  kept.labels = node.labels;
  kept.taints = node.taints;
}

}  // namespace berth::ingest
