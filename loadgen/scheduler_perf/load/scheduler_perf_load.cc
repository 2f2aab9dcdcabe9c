#include "loadgen/scheduler_perf/load/scheduler_perf_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "loadgen/generate/cluster/nodes.h"

namespace berth::loadgen::scheduler_perf {
namespace {

bool is_empty(const LoadStep& step) {
  return step.cluster.empty() && step.events.empty() && step.pods.size() == 0;
}

[[noreturn]] void fail_created_twice(const PlanOp& op, const std::string& what) {
  throw Error(op.op->where.place(), what +
                                        " is created twice: give it a generateName, or {{.Index}} "
                                        "in its name");
}

// `number` counts the nodes of this operation, `node_number` those of the whole load.
void set_strategy_label(const NodeLabel& label, int64_t number, uint64_t node_number,
                        model::Node& node) {
  if (label.strategy == LabelStrategy::kRoundRobin) {
    set_label(node.labels, label.key,
              label.values[static_cast<size_t>(number) % label.values.size()]);
  } else if (label.strategy == LabelStrategy::kUnique) {
    set_label(node.labels, label.key, fmt::format("unique-{}", node_number));
  }
}

}  // namespace

PerfLoad::PerfLoad(Plan plan, std::string note)
    : plan_(std::move(plan)), note_(std::move(note)), objects_(plan_) {}

bool PerfLoad::next(LoadStep& step) {
  bool awaits_pods = false;
  do {
    step.clear();
    objects_.begin(step);
    awaits_pods |= std::exchange(awaits_pods_, false);
    Timer* timer = earliest();
    if (timer != nullptr && timer->due <= now_) {
      tick(*timer, step);
    } else if (at_end()) {
      return false;
    } else {
      play(step);
    }
  } while (is_empty(step));
  step.awaits_pods = awaits_pods;
  objects_.end();
  return true;
}

void PerfLoad::advance() { current_ = {current_.index + 1, 0, false, now_}; }

// As upstream, which asks the API server until the pods have nodes.
void PerfLoad::advance_when_placed() {
  awaits_pods_ = true;
  advance();
}

void PerfLoad::play(LoadStep& step) {
  step.at = now_;
  // Steps with pods get the value of their operation instead, where it is played.
  step.measured = measurement_.collects() && objects_.anything_came();
  std::visit([&](const auto& action) { play(action, step); }, op().op->action);
}

void PerfLoad::play(const Sleep&, LoadStep&) {
  wait(current_.began + Nanoseconds(op().duration_ns), false);
}

void PerfLoad::play(const StartCollecting&, LoadStep&) {
  measurement_.collect(true);
  advance();
}

void PerfLoad::play(const StopCollecting&, LoadStep&) {
  measurement_.collect(false);
  advance();
}

// No plan has these.
void PerfLoad::play(const CreatePodSets&, LoadStep&) { advance(); }
void PerfLoad::play(const Missing&, LoadStep&) { advance(); }

void PerfLoad::wait(Nanoseconds until, bool for_pods) {
  const Timer* timer = earliest();
  if (timer != nullptr && timer->due <= until) {
    now_ = std::max(now_, timer->due);
  } else {
    now_ = until;
    for_pods ? advance_when_placed() : advance();
  }
}

// All earlier pods have been tried at this point. A barrier for scheduled pods also lets deletions
// finish first: upstream's pods wait for the room that deletions make.
void PerfLoad::play(const Barrier& barrier, LoadStep&) {
  if (barrier.attempted) return advance();
  const bool deletes = std::ranges::any_of(
      timers_, [](const Timer& timer) { return std::holds_alternative<Deletion>(timer.work); });
  if (!deletes) return advance_when_placed();
  now_ = std::max(now_, earliest()->due);
}

int64_t PerfLoad::end_of_step() const {
  return std::min(op().count, current_.done + int64_t{kMostPerStep});
}

void PerfLoad::play(const CreateNodes& nodes, LoadStep&) {
  const NodeSample same = op().count > 0 ? op().node(0) : NodeSample();
  const bool varies = op().object && op().object->varies();
  for (const int64_t end = end_of_step(); current_.done < end; ++current_.done) {
    NodeSample sample = varies ? op().node(current_.done) : same;
    if (!objects_.names().take(sample.naming, kNodes))
      fail_created_twice(op(), "node " + sample.naming.text);
    set_strategy_label(nodes.label, current_.done, objects_.names().nodes(), sample.node);
    const std::string name = objects_.add_node(std::move(sample), true);
    if (nodes.csi_node) objects_.add_csi_node(*nodes.csi_node, name);
  }
  if (current_.done == op().count) advance();
}

void PerfLoad::play(const CreateNamespaces& spaces, LoadStep&) {
  const model::StringMap labels =
      op().object ? op().object->namespace_object().labels : model::StringMap();
  for (const int64_t end = end_of_step(); current_.done < end; ++current_.done)
    objects_.add_namespace(fmt::format("{}-{}", spaces.prefix, current_.done), labels);
  if (current_.done == op().count) advance();
}

Nanoseconds PerfLoad::planned_of(int64_t pod) const {
  return current_.began + Nanoseconds(pod * kSecond.count() / plan_.pods_per_second);
}

bool PerfLoad::Measurement::counts(const PlanOp& op) {
  selected_came_ |= collecting_ && op.measured;
  return op.measured || selected_came_;
}

void PerfLoad::begin_run() { created_.begin(op(), objects_.names().count_pods(op().count)); }

void PerfLoad::add_next_pod() {
  PodRun& run = created_.last();
  const int64_t number = run.made++;
  const std::string& space = op().namespace_name;
  const std::shared_ptr<const PreparedPod> pod = objects_.prepare(run, number);
  const Naming& naming = pod->sample.naming;
  if (!objects_.names().take(naming, space))
    fail_created_twice(op(), fmt::format("pod {}/{}", space, naming.text));
  objects_.add_volume_of(op(), number);
  objects_.add_pod(*pod, space, run.name(naming, number), own_parts(op(), number), now_);
}

void PerfLoad::play(const CreatePods& pods, LoadStep& step) {
  if (!std::exchange(current_.begun, true)) {
    objects_.add_namespace(op().namespace_name, {});
    begin_run();
  }
  step.measured = measurement_.counts(op());
  const Timer* timer = earliest();
  for (const int64_t end = end_of_step(); current_.done < end; ++current_.done) {
    const Nanoseconds planned = planned_of(current_.done);
    if (timer != nullptr && timer->due <= planned) break;
    now_ = planned;
    add_next_pod();
  }
  const Nanoseconds until = planned_of(current_.done);
  if (current_.done == op().count) return wait(until, !pods.skip_wait);
  if (timer != nullptr && timer->due <= until) now_ = timer->due;
}

void PerfLoad::play(const CreateAny& objects, LoadStep& step) {
  if (!std::exchange(current_.begun, true)) {
    if (objects.namespace_name) objects_.add_namespace(op().namespace_name, {});
    if (op().makes_pods) begin_run();
  }
  if (op().makes_pods) step.measured = measurement_.counts(op());
  for (const int64_t end = end_of_step(); current_.done < end; ++current_.done) {
    if (op().makes_pods) {
      add_next_pod();
    } else if (!objects_.create(op(), op().any(current_.done))) {
      fail_created_twice(op(), "an object");
    }
  }
  if (current_.done == op().count) advance();
}

}  // namespace berth::loadgen::scheduler_perf
