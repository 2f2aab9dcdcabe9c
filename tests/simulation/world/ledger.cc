#include "tests/simulation/world/ledger.h"

namespace berth::simulation {

void Ledger::take(Told what, uint64_t pod, std::string_view node) {
  const auto at = entries_.find(pod);
  const bool known = at != entries_.end(), bound = known && at->second.bound;
  const bool may = what == Told::kReserved ? !known : bound == (what == Told::kLeft);
  if (fault_.empty() && (!may || (known && at->second.node != node)))
    fault_ = "the plugin was told " + std::to_string(static_cast<int>(what)) + " of pod " +
             std::to_string(pod) + " on " + std::string(node) +
             (known ? ", which it has on " + at->second.node : "");
  if (what == Told::kReserved || what == Told::kBound) {
    entries_[pod] = {what == Told::kBound, std::string(node)};
  } else {
    entries_.erase(pod);
  }
}

Ledger::Entries Ledger::expected(const runtime::Core& core) {
  Entries made;
  const model::Cluster& cluster = core.cluster();
  const runtime::BindingCycles& bindings = core.scheduler().bindings();
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    if (!pod.placed()) return;
    const bool answered = !bindings.under_way().contains(pod.id);
    made[pod.id.handle()] = {pod.state == model::PodState::kBound && answered,
                             std::string(cluster.nodes().name(pod.slot))};
  });
  return made;
}

std::string Ledger::difference(const runtime::Core& core) const {
  if (!fault_.empty()) return fault_;
  const Entries entries = expected(core);
  if (entries == entries_) return {};
  for (const auto& [pod, entry] : entries) {
    const auto at = entries_.find(pod);
    if (at == entries_.end() || at->second != entry)
      return "the plugin has another entry of pod " + std::to_string(pod) + ", which is on " +
             entry.node + (entry.bound ? " bound" : "");
  }
  return "the plugin has " + std::to_string(entries_.size()) + " pods, and the core has " +
         std::to_string(entries.size());
}

}  // namespace berth::simulation
