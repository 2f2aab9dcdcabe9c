#include "engine/runtime/core.h"

#include <algorithm>

namespace berth::runtime {

Core::Core(config::Configuration configuration, Plugins& plugins, CoreOptions options,
           OnReport report)
    : configuration_(std::move(configuration)),
      report_(std::move(report)),
      sink_(options.sink),
      binder_(cluster_, options.sink),
      intake_(cluster_, diagnostics_, this) {
  watchdog_ = std::make_unique<host::Watchdog>(hooks_, std::vector<host::CallContext*>{&calls_},
                                               options.deadlines);
  host::Environment environment{model_services_, &binder_, host::standard_log(), hooks_};
  assembly_ = assemble(configuration_, plugins, environment, calls_, cluster_);
  options.scheduler.decide.percentage_of_nodes_to_score =
      configuration_.percentage_of_nodes_to_score;
  // Ids that a plugin asked for in `init` are valid for its life.
  shapes_stay_ = cluster_.counts().count() != 0 || cluster_.terms().count() != 0;
  scheduler_ = std::make_unique<Scheduler>(cluster_, assembly_.profiles, binder_, calls_,
                                           std::move(options.scheduler));
  std::vector<host::CallContext*> all = scheduler_->other_calls();
  if (all.empty()) return;
  all.push_back(&calls_);
  watchdog_ = std::make_unique<host::Watchdog>(hooks_, std::move(all), options.deadlines);
}

Core::~Core() = default;

void Core::pod_leaves(model::PodId pod) { scheduler_->release(pod, report_); }
void Core::pod_updated(model::PodId pod) { scheduler_->pod_updated(pod, report_); }
void Core::node_leaves(model::Slot) { scheduler_->bind_assumed(report_); }

// Called where nothing but rows of the pod table refers to what pods brought. Forgetting states
// costs an evaluation of all nodes for each template that is in use, hence the thresholds.
void Core::collect() {
  using Retired = model::Cluster::Retired;
  constexpr size_t kFewestNames = 1 << 16;
  constexpr size_t kFewestShapes = 1 << 14;
  if (!shapes_stay_ &&
      cluster_.unused(Retired::kAll) > std::max(kFewestShapes, 2 * cluster_.pods().size())) {
    for (const auto& profile : assembly_.profiles)
      profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states(); });
    cluster_.collect(Retired::kAll);
  } else if (cluster_.unused(Retired::kNames) > std::max(kFewestNames, cluster_.pods().size())) {
    for (const auto& profile : assembly_.profiles)
      profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states_of_pods(); });
    cluster_.collect(Retired::kNames);
  }
}

void Core::apply(const ingest::Objects& cluster, std::string_view source) {
  intake_.add_cluster(cluster, source);
}

void Core::apply(const model::ClusterPart& cluster, const Origin& from) {
  intake_.add_cluster(cluster, from);
}

void Core::apply(const std::vector<model::TemplateDefinition>& templates) {
  intake_.define(templates);
}

void Core::apply(const model::Event& event, const Origin& from, size_t index) {
  collect();
  waiting_.clear();
  intake_.apply(event, from, waiting_, index);
  if (!waiting_.empty()) arrive(waiting_);
}

void Core::apply_work(const ingest::Objects& pods, std::string_view source) {
  collect();
  waiting_.clear();
  intake_.add_work(pods, source, waiting_);
  arrive(waiting_);
}

void Core::apply_work(const model::PodBatch& pods, const Origin& from) {
  collect();
  waiting_.clear();
  intake_.add_work(pods, from, waiting_);
  arrive(waiting_);
}

std::vector<model::PodId> Core::add(const model::PodBatch& pods, const Origin& from) {
  collect();
  std::vector<model::PodId> waiting;
  intake_.add_work(pods, from, waiting);
  return waiting;
}

model::PodId Core::add(const model::Pod& pod) { return cluster_.add_pod(pod); }

void Core::arrive(std::span<const model::PodId> pods) { scheduler_->enqueue(pods, report_); }

void Core::remove(model::PodId pod) { intake_.remove(pod); }

size_t Core::drain(const std::string& node, std::vector<model::PodId>& again) {
  settle();
  size_t evicted = 0;
  for (const model::PodId id : cluster_.pods_on(node)) {
    const model::PodRecord& pod = cluster_.pod(id);
    const bool managed = pod.controller != 0;
    if (managed && cluster_.templates().controller(pod.controller).kind == "DaemonSet") continue;
    model::PodRecord fresh;
    fresh.namespace_name = pod.namespace_name;
    fresh.name = pod.name;
    fresh.pod_template = pod.pod_template;
    fresh.labels = pod.labels;
    fresh.controller = pod.controller;
    fresh.shape = pod.shape;
    fresh.requested = true;
    const bool comes_again = managed && !pod.terminating;
    remove(id);
    ++evicted;
    if (comes_again) again.push_back(cluster_.add_pod(fresh));
  }
  return evicted;
}

bool Core::step(Time now) {
  if (scheduler_->queued() == 0) return false;
  snapshot();
  if (!unsettled_since_) unsettled_since_ = now;
  const bool decided = scheduler_->step(report_);
  if (now - *unsettled_since_ >= kLongestUnbound) settle();
  return decided;
}

void Core::run_until_idle() {
  while (step(Time{0})) {
  }
  settle();
}

void Core::settle() {
  scheduler_->bind_assumed(report_);
  if (sink_ != nullptr) sink_->flush();
  unsettled_since_.reset();
}

}  // namespace berth::runtime
