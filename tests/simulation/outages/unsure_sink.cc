#include "tests/simulation/outages/unsure_sink.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace berth::simulation {
namespace {

// The pod's object, bound to the node.
model::TemplatePod bound_object(const model::Cluster& cluster, const model::PodRecord& record,
                                const std::string& node) {
  const model::PodTemplates& templates = cluster.templates();
  auto spec = std::make_shared<model::PodSpec>(templates[record.pod_template].spec);
  spec->labels.clear();
  for (const auto& [key, value] : templates.labels(record.labels))
    spec->labels.emplace_back(cluster.text(key), cluster.text(value));
  std::ranges::sort(spec->labels);
  model::TemplatePod pod;
  pod.spec = std::move(spec);
  pod.namespace_name = cluster.text(record.namespace_name);
  pod.name = cluster.text(record.name);
  pod.uid = cluster.text(record.uid);
  if (record.controller != 0) pod.controller = templates.controller(record.controller);
  pod.node_name = node;
  pod.terminating = record.terminating;
  pod.preempted = record.preempted;
  return pod;
}

}  // namespace

binding::BindAnswer UnsureSink::bind(const binding::Binding& one) {
  using Kind = binding::BindAnswer::Kind;
  if (healed_) return {};
  if (dice_.chance(rates_.bind_fails)) {
    marks_.hit(Outage::kBindingFails);
    return {Kind::kFailed, "the server is busy"};
  }
  if (dice_.chance(rates_.late_answers)) {
    marks_.hit(Outage::kAnswerLate);
    const bool fails = dice_.chance(rates_.bind_fails);
    unanswered_.push_back({one.number, {fails ? Kind::kFailed : Kind::kBound, "too late"}});
    return {Kind::kUnderWay};
  }
  if (!dice_.chance(rates_.bind_is_lost)) return {};
  marks_.hit(Outage::kAnswerLost);
  if (dice_.chance(50)) return {Kind::kLostSeen, "transport is closing"};
  untold_.push_back(
      {core_->cluster().find_pod(one.namespace_name, one.name), std::string(one.node)});
  return {Kind::kLost, "transport is closing"};
}

template <typename Entry>
std::vector<Entry> UnsureSink::some_of(std::vector<Entry>& entries) {
  std::vector<Entry> taken, left;
  for (Entry& entry : entries)
    (healed_ || dice_.chance(50) ? taken : left).push_back(std::move(entry));
  entries = std::move(left);
  return taken;
}

void UnsureSink::catch_up() {
  for (const Bound& one : some_of(untold_)) tell(one);
  const std::vector<runtime::BindingAnswer> answers = some_of(unanswered_);
  if (!answers.empty()) core_->door().answer(answers);
}

// A pod that is gone by then, or was bound by another try, is not told of.
void UnsureSink::tell(const Bound& one) {
  const model::Cluster& cluster = core_->cluster();
  if (!cluster.pods().contains(one.pod)) return;
  const model::PodRecord& record = core_->door().latest(one.pod);
  if (record.state == model::PodState::kBound) return;
  api_->apply(model::modified(bound_object(cluster, record, one.node)), "outages");
}

}  // namespace berth::simulation
