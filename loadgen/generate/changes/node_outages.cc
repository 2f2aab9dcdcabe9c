#include "loadgen/generate/changes/node_outages.h"

namespace berth::loadgen {

void NodeOutages::plan_end(const Planned& change, const ChurnSpec& churn, What end,
                           uint64_t number) {
  const int64_t lasting = churn.lasting->draw(bits(For::kChurnLasting, change));
  planned_.add({.at = change.at + lasting, .what = end, .of = change.of, .number = number});
}

// A node that is not there is added later, as it is then.
void NodeOutages::tell(uint64_t node, LoadStep& step) {
  if (!cluster_.nodes.down(node)) step.events.push_back(model::modified(cluster_.nodes.now(node)));
}

void NodeOutages::stop(const Planned& change, LoadStep& step) {
  const ChurnSpec& churn = cluster_.spec.outages[change.of];
  const std::optional<uint64_t> node =
      cluster_.nodes.choose(churn.shapes, bits(For::kChurnNode, change));
  if (!node) return;
  if (cluster_.nodes.stop(*node)) tell(*node, step);
  plan_end(change, churn, What::kOutageEnd, *node);
}

void NodeOutages::go_on(const Planned& change, LoadStep& step) {
  if (cluster_.nodes.go_on(change.number)) tell(change.number, step);
}

template <typename Visit>
void NodeOutages::each_in_zone(uint64_t zone, const ChurnSpec& churn, Visit visit) const {
  const CurrentNodes& nodes = cluster_.nodes;
  for (uint64_t node = 0; node < nodes.count(); ++node)
    if (nodes.zone(node) == zone && nodes.has_shape(node, churn.shapes)) visit(node);
}

void NodeOutages::stop_zone(const Planned& change, LoadStep& step) {
  const ChurnSpec& churn = cluster_.spec.zone_outages[change.of];
  const uint64_t zone = below(bits(For::kChurnNode, change), cluster_.spec.cluster.zones.size());
  each_in_zone(zone, churn, [&](uint64_t node) {
    if (cluster_.nodes.stop(node)) tell(node, step);
  });
  plan_end(change, churn, What::kZoneOutageEnd, zone);
}

void NodeOutages::go_on_in_zone(const Planned& change, LoadStep& step) {
  each_in_zone(change.number, cluster_.spec.zone_outages[change.of], [&](uint64_t node) {
    if (cluster_.nodes.go_on(node)) tell(node, step);
  });
}

std::optional<Planned> NodeOutages::drain(Planned change, LoadStep& step) {
  const ChurnSpec& churn = cluster_.spec.rolling_drains[change.of];
  CurrentNodes& nodes = cluster_.nodes;
  const auto takes = [&](uint64_t node) {
    return nodes.has_shape(node, churn.shapes) && !nodes.drains(node);
  };
  while (change.number <= nodes.count() && !takes(change.number - 1)) ++change.number;
  if (change.number > nodes.count()) return std::nullopt;
  const uint64_t node = change.number - 1;
  nodes.begin_drain(node, churn.options);
  tell(node, step);
  plan_end(change, churn, What::kRollingReturn, node);
  return change;
}

void NodeOutages::come_back(const Planned& change, LoadStep& step) {
  cluster_.nodes.end_drain(change.number);
  tell(change.number, step);
}

}  // namespace berth::loadgen
