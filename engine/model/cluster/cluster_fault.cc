// The recount of everything that is derived from pods and nodes.

#include "engine/base/bug.h"
#include "engine/model/cluster/cluster.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::model {
namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

bool belongs_on_node(PodState state) {
  switch (state) {
    case PodState::kAssumed:
    case PodState::kPermitWaiting:
    case PodState::kBinding:
    case PodState::kBound:
      return true;
    case PodState::kWaiting:
    case PodState::kGated:
    case PodState::kInFlight:
    case PodState::kTerminating:
      return false;
  }
  return false;
}

}  // namespace

// That the pod's own row agrees with where it counts.
std::string Cluster::place_fault(const PodRecord& pod) const {
  const std::string who = "pod " + quoted(full_name(*this, pod));
  if (pods_.find(pod.namespace_name, pod.name) != pod.id) return who + " is not found by its name";
  if (pod.placed() != belongs_on_node(pod.state))
    return who + (pod.placed() ? " waits, and counts on node " + quoted(nodes_.name(pod.slot))
                               : " has a node by its state, and counts on none");
  if (pod.nominated && (pod.placed() || pod.nominated_node == 0))
    return who +
           (pod.placed() ? " counts on a node and is nominated still" : " is nominated to no node");
  if (!pod.placed()) return {};
  const auto& listed = nodes_.pods(pod.slot);
  if (pod.position >= listed.size() || listed[pod.position].pod != pod.id)
    return who + " counts on node " + quoted(nodes_.name(pod.slot)) +
           ", whose list has another pod in its place";
  const PodOnNode& known = listed[pod.position];
  if (known.pod_template != pod.pod_template || known.shape != pod.shape ||
      known.terminating != pod.terminating)
    return who + " changed, and node " + quoted(nodes_.name(pod.slot)) +
           " counts it as it was before";
  return {};
}

// That the lists of a node name pods that say the same.
std::string Cluster::list_fault(Slot slot) const {
  const std::vector<PodOnNode>& pods = nodes_.pods(slot);
  const std::string where = "node " + quoted(nodes_.name(slot));
  for (const PodOnNode& listed : pods) {
    if (!pods_.contains(listed.pod)) return where + " lists a pod that is gone";
    const PodRecord& pod = pods_[listed.pod];
    if (pod.slot != slot || &pods[pod.position] != &listed)
      return where + " lists pod " + quoted(text(pod.name)) + ", which counts elsewhere";
  }
  for (const Nomination& nomination : nodes_.nominations().at(slot)) {
    if (!pods_.contains(nomination.pod.pod))
      return where + " has the nomination of a pod that is gone";
    const PodRecord pod = nominated_record(nomination.pod.pod);
    if (!pod.nominated || pod.nominated_node != nodes_.node(slot).name ||
        nomination.priority != pod.priority || nomination.pod.shape != pod.shape)
      return where + " has a nomination of pod " + quoted(text(pod.name)) +
             ", whose row says otherwise";
  }
  return {};
}

// That groups count the pods that have nodes.
std::string Cluster::group_fault() const {
  if (pod_groups_.empty()) return {};
  boost::unordered_flat_map<int64_t, int64_t> placed;  // by the group's number
  std::string wrong;
  pods_.for_each([&](const PodRecord& pod) {
    const auto* group = pod_groups_.find(pod.namespace_name, templates_.labels(pod.labels));
    if (group != nullptr && pod.placed()) ++placed[group->number];
  });
  pods_.for_each([&](const PodRecord& pod) {
    const auto* group = pod_groups_.find(pod.namespace_name, templates_.labels(pod.labels));
    if (group == nullptr || group->placed == placed[group->number] || !wrong.empty()) return;
    wrong = "the PodGroup of pod " + quoted(full_name(*this, pod)) + " counts " +
            std::to_string(group->placed) + " pods with nodes, and has " +
            std::to_string(placed[group->number]);
  });
  return wrong;
}

// That the table of nominated pods has each nomination as it is.
std::string Cluster::nominated_fault() const {
  if (!nominated_.used()) return {};
  size_t nominations = 0;
  for (const Slot slot : nodes_.nominations().slots())
    nominations += nodes_.nominations().at(slot).size();
  if (nominations != nominated_.positions().size())
    return std::to_string(nominated_.positions().size()) + " positions of nominated pods, and " +
           std::to_string(nominations) + " nominations";
  for (const auto& [held, node, namespace_name] : nominated_.positions()) {
    const PodId id = held.pod.pod;
    if (!pods_.contains(id) || !pods_[id].nominated) return "a position of no nominated pod";
    const Nomination& now = nomination(pods_[id]);
    if (held.priority != now.priority || held.pod.pod_template != now.pod.pod_template ||
        node != pods_[id].nominated_node || namespace_name != pods_[id].namespace_name)
      return "the position of nominated pod " + quoted(full_name(*this, id)) + " is out of date";
  }
  return nominated_.fault();
}

std::string Cluster::fault() const {
  std::string wrong;
  uint64_t placed = 0, nominated = 0, listed = 0, nominations = 0;
  pods_.for_each([&](const PodRecord& pod) {
    placed += pod.placed();
    nominated += pod.nominated;
    if (wrong.empty()) wrong = place_fault(pod);
  });
  for (Slot slot = 0; slot < nodes_.slots() && wrong.empty(); ++slot) {
    listed += nodes_.pods(slot).size();
    nominations += nodes_.nominations().at(slot).size();
    wrong = list_fault(slot);
  }
  if (!wrong.empty()) return wrong;
  if (placed != placed_ || placed != listed)
    return std::to_string(placed) + " pods count on nodes; the cluster counts " +
           std::to_string(placed_) + ", and nodes list " + std::to_string(listed);
  if (nominated != nominations)
    return std::to_string(nominated) + " pods are nominated, and nodes have " +
           std::to_string(nominations) + " nominations";
  if (wrong = nominated_fault(); !wrong.empty()) return wrong;
  if (wrong = nodes_.fault(); !wrong.empty()) return wrong;
  if (wrong = counts_.fault(); !wrong.empty()) return wrong;
  if (wrong = group_fault(); !wrong.empty()) return wrong;
  return carried_.fault();
}

size_t Cluster::fault_cost() const {
  constexpr size_t kSums = 8;  // columns that are recounted, about
  const size_t relations = counts_.count() + carried_.match_sets();
  return pods_.size() + nodes_.slots() + kSums * (nodes_.rows() + placed_) +
         relations * (nodes_.slots() + placed_ + 1);
}

void Cluster::verify_counts() const {
  std::string wrong = counts_.fault();
  if (wrong.empty()) wrong = carried_.fault();
  if (!wrong.empty()) bug(wrong);
}

}  // namespace berth::model
