// Changes of owners, nodes and namespaces during the load.

#include <fmt/format.h>

#include <algorithm>

#include "loadgen/generate/generator.h"

namespace berth::loadgen {
namespace {

// Draws at most this many nodes to find one that can change.
constexpr uint64_t kTries = 64;
constexpr char kNameLabel[] = "kubernetes.io/metadata.name";

}  // namespace

void Generator::plan(int64_t at, What what, uint32_t of, uint64_t number) {
  planned_.push_back({std::min(at, kNever), order_++, what, of, number});
  std::push_heap(planned_.begin(), planned_.end(), Later());
}

const std::vector<ChurnSpec>& Generator::churn_of(What what) const {
  if (what == What::kFail) return spec_.failures;
  if (what == What::kDrain) return spec_.drains;
  if (what == What::kNodeLabel) return spec_.node_labels;
  if (what == What::kNamespaceCome) return spec_.namespaces_come;
  return spec_.namespace_labels;
}

// Random bits for a change. For recurring changes event.number counts the occurrences.
uint64_t Generator::bits_for(For purpose, What what, const Planned& event) const {
  constexpr uint32_t kEntries = 1u << 16;
  return drawn(seed_, purpose, static_cast<uint32_t>(what) * kEntries + event.of % kEntries,
               event.number);
}

void Generator::plan_next(What what, const ChurnSpec& churn, uint32_t of) {
  const Planned first{.at = 0, .order = 0, .what = what, .of = of, .number = 0};
  plan(churn.every.draw(bits_for(For::kChurnGap, what, first)), what, of, 1);
}

void Generator::happen(LoadStep& step) {
  // Within a tick, pods end before other changes happen.
  const bool ending = !ending_ticks_.empty() && ending_ticks_.front() == next_event();
  if (ending) return end_pod(step);
  std::pop_heap(planned_.begin(), planned_.end(), Later());
  const Planned event = planned_.back();
  planned_.pop_back();
  const auto again = [&] {
    const ChurnSpec& churn = churn_of(event.what)[event.of];
    plan(event.at + churn.every.draw(bits_for(For::kChurnGap, event.what, event)), event.what,
         event.of, event.number + 1);
  };
  switch (event.what) {
    case What::kScale: {
      const ScaleSpec& spec = *spec_.owners[owners_[event.of].spec].scale;
      scale(event.of, step);
      const uint64_t times = owners_[event.of].scaled;
      plan(event.at + spec.every.draw(drawn(seed_, For::kScaleGap, event.of, times)), What::kScale,
           event.of, 0);
      return;
    }
    case What::kFail:
      fail(event, step);
      return again();
    case What::kRepair:
      return repair(event.number, step);
    case What::kDrain:
      drain(event, step);
      return again();
    case What::kUndrain:
      return undrain(event.number, step);
    case What::kNodeLabel:
      label_node(event, step);
      return again();
    case What::kNamespaceCome:
      namespace_comes(event, step);
      return again();
    case What::kNamespaceGo:
      step.events.push_back(
          model::deleted(model::Namespace{fmt::format("churn-{}-{}", event.of, event.number), {}}));
      return;
    case What::kNamespaceLabel:
      label_namespace(event, step);
      return again();
  }
}

// Adds new pods, or deletes the newest ones.
void Generator::scale(uint32_t owner, LoadStep& step) {
  Owner& of = owners_[owner];
  const ScaleSpec& spec = *spec_.owners[of.spec].scale;
  const auto wanted =
      static_cast<size_t>(spec.replicas.draw(drawn(seed_, For::kScaleTo, owner, ++of.scaled)));
  const OwnerIdentity who = identity(owner);
  // A StatefulSet keeps the claims of its pods.
  const bool claims = who.kind != OwnerKind::kStatefulSet && owner_has_claims(owner);
  while (of.living.size() > wanted) {
    name_pod({.number = of.living.back(), .of = owner, .kind = PodOf::kOwner}, name_);
    step.events.push_back(model::deleted_pod(who.namespace_name, name_));
    if (claims) end_claims(spec_.owners[of.spec].pod_template, who.namespace_name, step);
    of.living.pop_back();
  }
  if (of.living.size() < wanted)
    tasks_.push_back({.kind = TaskKind::kReplicas,
                      .measured = true,
                      .of = owner,
                      .to = wanted - of.living.size()});
}

model::Node Generator::node_now(uint64_t number) const {
  model::Node node = nodes_.make(number);
  const auto state = node_states_.find(number);
  if (state == node_states_.end()) return node;
  for (const auto& [key, value] : state->second.labels) set_label(node.labels, key, value);
  if (state->second.drained) set_unschedulable(node, true);
  return node;
}

// Draws a node of the entry's shapes that is neither down nor drained; nullopt if none was found.
std::optional<uint64_t> Generator::choose_node(const ChurnSpec& churn, What what,
                                               const Planned& event) {
  uint64_t bits = bits_for(For::kChurnNode, what, event);
  for (uint64_t i = 0; i < kTries; ++i, bits = mix(bits + i)) {
    const uint64_t number = below(bits, nodes_.count());
    if (!churn.shapes.empty() &&
        std::ranges::find(churn.shapes, nodes_.shape(number)) == churn.shapes.end())
      continue;
    const auto state = node_states_.find(number);
    if (state == node_states_.end() || (!state->second.down && !state->second.drained))
      return number;
  }
  return std::nullopt;
}

// Deletes the node together with its DaemonSet pods. The generator does not know which other pods
// run there.
void Generator::fail(const Planned& event, LoadStep& step) {
  const ChurnSpec& churn = spec_.failures[event.of];
  const std::optional<uint64_t> node = choose_node(churn, What::kFail, event);
  if (!node) return;
  const model::Node now = node_now(*node);
  for (size_t i = 0; i < daemon_sets_.size(); ++i) {
    if (!runs_on(*daemon_specs_[i], now)) continue;
    const OwnerIdentity who = identity(daemon_sets_[i]);
    step.events.push_back(
        model::deleted_pod(who.namespace_name, daemon_name(daemon_sets_[i], *node)));
  }
  step.events.push_back(model::deleted_node(now.name));
  if (spec_.storage) step.events.push_back(model::deleted(claims_.csi_node(now.name)));
  NodeState& state = node_states_[*node];
  state.down = true;
  ++state.generation;
  plan(event.at + churn.lasting->draw(bits_for(For::kChurnLasting, What::kFail, event)),
       What::kRepair, event.of, *node);
}

void Generator::repair(uint64_t node, LoadStep& step) {
  node_states_[node].down = false;
  step.events.push_back(model::added(node_now(node)));
  if (spec_.storage) step.events.push_back(model::added(claims_.csi_node(NodeMaker::name(node))));
  if (!daemon_sets_.empty())
    tasks_.push_back({.kind = TaskKind::kDaemonsOfNode,
                      .measured = true,
                      .number = node,
                      .from = daemon_sets_.front(),
                      .to = daemon_sets_.back() + uint64_t{1}});
}

void Generator::drain(const Planned& event, LoadStep& step) {
  const ChurnSpec& churn = spec_.drains[event.of];
  const std::optional<uint64_t> node = choose_node(churn, What::kDrain, event);
  if (!node) return;
  node_states_[*node].drained = true;
  step.events.push_back(model::modified(node_now(*node)));
  step.drained.push_back(NodeMaker::name(*node));
  plan(event.at + churn.lasting->draw(bits_for(For::kChurnLasting, What::kDrain, event)),
       What::kUndrain, event.of, *node);
}

void Generator::undrain(uint64_t node, LoadStep& step) {
  node_states_[node].drained = false;
  step.events.push_back(model::modified(node_now(node)));
}

void Generator::label_node(const Planned& event, LoadStep& step) {
  const ChurnSpec& churn = spec_.node_labels[event.of];
  const std::optional<uint64_t> node = choose_node(churn, What::kNodeLabel, event);
  if (!node) return;
  const uint64_t bits = bits_for(For::kChurnValue, What::kNodeLabel, event);
  set_label(node_states_[*node].labels, churn.key, churn.values[below(bits, churn.values.size())]);
  step.events.push_back(model::modified(node_now(*node)));
}

model::Namespace Generator::namespace_object(uint64_t number) const {
  const auto entry = std::ranges::upper_bound(first_namespace_, static_cast<uint32_t>(number)) - 1;
  const NamespaceSpec& spec =
      spec_.namespaces[static_cast<size_t>(entry - first_namespace_.begin())];
  model::Namespace object{namespaces_[number], spec.labels};
  set_label(object.labels, kNameLabel, object.name);
  const auto state = namespace_states_.find(number);
  if (state != namespace_states_.end())
    for (const auto& [key, value] : state->second) set_label(object.labels, key, value);
  return object;
}

void Generator::namespace_comes(const Planned& event, LoadStep& step) {
  const std::string name = fmt::format("churn-{}-{}", event.of, event.number);
  step.events.push_back(model::added(model::Namespace{name, {{kNameLabel, name}}}));
  const ChurnSpec& churn = spec_.namespaces_come[event.of];
  plan(event.at + churn.lasting->draw(bits_for(For::kChurnLasting, What::kNamespaceCome, event)),
       What::kNamespaceGo, event.of, event.number);
}

void Generator::label_namespace(const Planned& event, LoadStep& step) {
  const ChurnSpec& churn = spec_.namespace_labels[event.of];
  const uint64_t number =
      below(bits_for(For::kChurnNode, What::kNamespaceLabel, event), namespaces_.size());
  const uint64_t bits = bits_for(For::kChurnValue, What::kNamespaceLabel, event);
  set_label(namespace_states_[number], churn.key, churn.values[below(bits, churn.values.size())]);
  step.events.push_back(model::modified(namespace_object(number)));
}

}  // namespace berth::loadgen
