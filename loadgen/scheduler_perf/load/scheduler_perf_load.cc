#include "loadgen/scheduler_perf/load/scheduler_perf_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/model/objects/names.h"
#include "engine/model/objects/pod_requests.h"
#include "loadgen/generate/cluster/nodes.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_refusals.h"

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

PerfLoad::PerfLoad(Plan plan, std::string note) : plan_(std::move(plan)), note_(std::move(note)) {
  for (const PlanOp& op : plan_.ops) {
    if (std::holds_alternative<CreateNodes>(op.op->action))
      for (const int64_t i : op.kinds()) shapes_.push_back(op.node(i).node);
    if (!std::holds_alternative<CreateAny>(op.op->action)) continue;
    for (const int64_t i : op.kinds())
      if (const AnySample sample = op.any(i); std::holds_alternative<NodeSample>(sample))
        shapes_.push_back(std::get<NodeSample>(sample).node);
  }
}

bool PerfLoad::next(LoadStep& step) {
  bool awaits_pods = false;
  do {
    step.clear();
    pods_.begin(step);
    awaits_pods |= std::exchange(awaits_pods_, false);
    Timer* timer = earliest();
    if (timer != nullptr && timer->due <= now_) {
      tick(*timer, step);
    } else if (at_ == plan_.ops.size()) {
      return false;
    } else {
      play(step);
    }
  } while (is_empty(step));
  step.awaits_pods = awaits_pods;
  anything_came_ |= !step.events.empty() || step.pods.size() > 0;
  return true;
}

void PerfLoad::advance() {
  ++at_;
  done_ = 0;
  begun_ = false;
  began_ = now_;
}

// As upstream, which asks the API server until the pods have nodes.
void PerfLoad::advance_when_placed() {
  awaits_pods_ = true;
  advance();
}

void PerfLoad::play(LoadStep& step) {
  step.at = now_;
  // Steps with pods get the value of their operation instead, where it is played.
  step.measured = collecting_ && anything_came_;
  std::visit([&](const auto& action) { play(action, step); }, op().op->action);
}

void PerfLoad::play(const Sleep&, LoadStep&) {
  wait(began_ + Nanoseconds(op().duration_ns), false);
}

void PerfLoad::play(const StartCollecting&, LoadStep&) {
  collecting_ = true;
  selected_came_ = false;
  advance();
}

void PerfLoad::play(const StopCollecting&, LoadStep&) {
  collecting_ = false;
  selected_came_ = false;
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

void PerfLoad::add(model::Object object, LoadStep& step) {
  (anything_came_ ? step.events : step.cluster).push_back(model::added(std::move(object)));
}

// `with_hostname`: nodes of createNodes get the hostname label, which a kubelet would set. Objects
// of createAny and churn do not, as upstream.
std::string PerfLoad::add_node(NodeSample sample, bool with_hostname, LoadStep& step) {
  model::Node& node = sample.node;
  node.name = numbered_name(sample.naming, next_node_++);
  if (with_hostname) set_label(node.labels, model::kHostnameLabel, node.name);
  const std::string name = node.name;
  add(std::move(node), step);
  return name;
}

bool PerfLoad::take_name(const Naming& naming, const std::string& where) {
  return naming.generated || fixed_names_.insert(where + "/" + naming.text).second;
}

void PerfLoad::play(const CreateNodes& nodes, LoadStep& step) {
  const int64_t end = std::min(op().count, done_ + int64_t{kMostPerStep});
  const NodeSample same = op().count > 0 ? op().node(0) : NodeSample();
  const bool varies = op().object && op().object->varies();
  for (; done_ < end; ++done_) {
    NodeSample sample = varies ? op().node(done_) : same;
    if (!take_name(sample.naming, "node")) fail_created_twice(op(), "node " + sample.naming.text);
    set_strategy_label(nodes.label, done_, next_node_, sample.node);
    const std::string name = add_node(std::move(sample), true, step);
    if (nodes.csi_node) add_csi_node(*nodes.csi_node, name, step);
  }
  if (done_ == op().count) advance();
}

void PerfLoad::add_namespace(const std::string& name, model::StringMap labels, LoadStep& step) {
  if (!namespaces_.insert(name).second) return;
  set_label(labels, "kubernetes.io/metadata.name", name);
  add(model::Namespace{name, std::move(labels)}, step);
}

void PerfLoad::play(const CreateNamespaces& spaces, LoadStep& step) {
  const int64_t end = std::min(op().count, done_ + int64_t{kMostPerStep});
  const model::StringMap labels =
      op().object ? op().object->namespace_object().labels : model::StringMap();
  for (; done_ < end; ++done_)
    add_namespace(fmt::format("{}-{}", spaces.prefix, done_), labels, step);
  if (done_ == op().count) advance();
}

bool PerfLoad::fits_any_node(const model::PodSpec& pod) const {
  const model::ResourceList requests = model::pod_requests(pod).requests;
  return std::ranges::any_of(
      shapes_, [&](const model::Node& node) { return fits_empty_node(requests, node); });
}

// The API server gives running pods their grace period, and no kubelet ends it.
std::shared_ptr<const PerfLoad::Prepared> PerfLoad::prepare(PodSample sample, LoadStep& step) {
  auto prepared = std::make_shared<Prepared>();
  const model::PodSpec& spec = sample.pod.spec;
  const bool runs = spec.scheduling_gates.empty() && fits_any_node(spec);
  prepared->stays = sample.has_finalizers || (runs && !sample.dies_at_once);
  model::PodSpec shared = spec;
  shared.node_name.clear();
  if (!plan_.volumes) shared.volumes.clear();
  prepared->entry = template_numbers_.find_or_define(std::move(shared), step);
  prepared->sample = std::move(sample);
  return prepared;
}

std::shared_ptr<const PerfLoad::Prepared> PerfLoad::prepared_of(Run& run, int64_t pod,
                                                                LoadStep& step) {
  if (run.prepared) return run.prepared;
  std::shared_ptr<const Prepared> prepared = prepare(run.op->pod(pod), step);
  if (!run.op->object || !run.op->object->varies()) run.prepared = prepared;
  return prepared;
}

PerfLoad::Own PerfLoad::own_of(const PlanOp& op, int64_t pod) {
  Own own;
  if (op.signature_batch != 0)
    own.labels = {{"signature", fmt::format("signature-label-{}", pod / op.signature_batch)}};
  if (op.own_volume) own.claims = {claim_name(pod)};
  return own;
}

Nanoseconds PerfLoad::planned_of(int64_t pod) const {
  return began_ + Nanoseconds(pod * kSecond.count() / plan_.pods_per_second);
}

// The pods of the operation at hand are part of the measurement: they are selected, or what
// selected pods wait for.
bool PerfLoad::counts() {
  selected_came_ |= collecting_ && op().measured;
  return op().measured || selected_came_;
}

void PerfLoad::begin_run() {
  runs_.push_back({&op(), next_pod_, 0, nullptr, {}});
  next_pod_ += static_cast<uint64_t>(op().count);
}

void PerfLoad::add_next_pod(LoadStep& step) {
  Run& run = runs_.back();
  const int64_t number = run.made++;
  const std::shared_ptr<const Prepared> pod = prepared_of(run, number, step);
  const Naming& naming = pod->sample.naming;
  if (!take_name(naming, op().namespace_name))
    fail_created_twice(op(), fmt::format("pod {}/{}", op().namespace_name, naming.text));
  add_claim_of(number, step);
  add_pod(*pod, op().namespace_name,
          numbered_name(naming, run.first + static_cast<uint64_t>(number)), own_of(op(), number),
          step);
}

void PerfLoad::play(const CreatePods& pods, LoadStep& step) {
  if (!begun_) {
    begun_ = true;
    add_namespace(op().namespace_name, {}, step);
    begin_run();
  }
  step.measured = counts();
  const Timer* timer = earliest();
  const int64_t end = std::min(op().count, done_ + int64_t{kMostPerStep});
  for (; done_ < end; ++done_) {
    const Nanoseconds planned = planned_of(done_);
    if (timer != nullptr && timer->due <= planned) break;
    now_ = planned;
    add_next_pod(step);
  }
  const Nanoseconds until = planned_of(done_);
  if (done_ == op().count) return wait(until, !pods.skip_wait);
  if (timer != nullptr && timer->due <= until) now_ = timer->due;
}

void PerfLoad::add_pod(const Prepared& pod, const std::string& namespace_name,
                       const std::string& name, const Own& own, LoadStep& step) {
  const std::string& node = pod.sample.pod.spec.node_name;
  if (!node.empty()) {
    ingest::TemplatePod placed;
    placed.template_id = pod.entry.id;
    placed.spec = pod.entry.spec;
    placed.namespace_name = namespace_name;
    placed.name = name;
    placed.node_name = node;
    placed.labels = own.labels;
    placed.claims = own.claims;
    step.events.push_back(model::added(std::move(placed)));
    return;
  }
  ArrivingPod arriving;
  arriving.template_id = pod.entry.id;
  arriving.namespace_name = namespace_name;
  arriving.name = name;
  arriving.labels = own.labels;
  arriving.claims = own.claims;
  arriving.planned = now_;
  pods_.add(arriving);
}

void PerfLoad::play(const CreateAny& objects, LoadStep& step) {
  if (!begun_) {
    begun_ = true;
    if (objects.namespace_name) add_namespace(op().namespace_name, {}, step);
    if (op().makes_pods) begin_run();
  }
  if (op().makes_pods) step.measured = counts();
  const int64_t end = std::min(op().count, done_ + int64_t{kMostPerStep});
  for (; done_ < end; ++done_) {
    if (op().makes_pods) {
      add_next_pod(step);
    } else if (!create(op(), op().any(done_), step)) {
      fail_created_twice(op(), "an object");
    }
  }
  if (done_ == op().count) advance();
}

}  // namespace berth::loadgen::scheduler_perf
