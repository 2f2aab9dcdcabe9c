#include "bench/micro/steady_cluster.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "engine/host/loading/discovery.h"
#include "engine/runtime/testing/model_access.h"

namespace berth::bench {
namespace {

model::Quantity mebibytes(int64_t count) { return model::Quantity::from_units(count << 20); }

}  // namespace

host::Discovery shipped_discovery() {
  const std::array<std::filesystem::path, 1> folders{BERTH_BUILD_DIR "/lib/berth/plugins"};
  host::Discovery found = host::discover(folders);
  if (!found.problems.empty()) throw found.problems.front().error;
  return found;
}

runtime::Plugins shipped_plugins() { return runtime::Plugins(shipped_discovery()); }

SteadyCluster::SteadyCluster(const SteadyOptions& options, runtime::Plugins plugins,
                             config::Configuration configuration)
    : options_(options), plugins_(std::move(plugins)) {
  runtime::CoreOptions core;
  core.scheduler.full = options.full;
  core.scheduler.decide.forced_percentage = options.percentage;
  core.audits = runtime::AuditPace::kNever;  // no part of a decision
  core_ = std::make_unique<runtime::Core>(
      std::move(configuration), plugins_, core, [this](const runtime::Report& report) {
        const auto outcome = runtime::outcome_of(report);
        failed_ += outcome && *outcome != runtime::PodOutcome::kScheduled;
      });
  prepare(options.load, options.groups, runtime::ModelAccess::of(*core_));
  add_nodes(options.nodes);
  add_others(options.others);
  most_ = options.related != 0 ? options.related : uint64_t{options.nodes} * options.pods_per_node;
  for (uint32_t i = 0; i < most_ + kBatch; ++i) {
    pods_.push_back(runtime::ModelAccess::of(*core_).record_of(pod(i)));
    runtime::ModelAccess::of(*core_).retain(pods_.back());
  }
  ids_.resize(pods_.size());
}

model::Node SteadyCluster::node(uint32_t number) const {
  model::Node node;
  node.name = "node-" + std::to_string(number);
  node.allocatable = {{"cpu", model::Quantity::from_units(4)},
                      {"memory", mebibytes(32 << 10)},
                      {"pods", model::Quantity::from_units(options_.most_pods)}};
  node.labels = {{"kubernetes.io/hostname", node.name}};
  const std::string zone = options_.zones != 0 ? "zone-" + std::to_string(number % options_.zones)
                                               : std::string(zone_of(options_.load, number));
  if (!zone.empty()) node.labels.emplace_back("topology.kubernetes.io/zone", zone);
  return node;
}

void SteadyCluster::add_nodes(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) runtime::ModelAccess::of(*core_).put_node(node(i));
  core_->snapshot();
}

void SteadyCluster::add_others(uint32_t count) {
  model::Pod pod;
  pod.namespace_name = "default";
  pod.spec.labels = {{"app", "other"}};
  pod.spec.containers.resize(1);
  pod.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(10)},
                                     {"memory", mebibytes(16)}};
  model::Cluster& cluster = runtime::ModelAccess::of(*core_);
  for (uint32_t i = 0; i < count; ++i) {
    pod.name = "other-" + std::to_string(i);
    const model::PodId placed = cluster.add_pod(pod);
    cluster.place(placed, static_cast<model::Row>(i % cluster.nodes().rows()));
    cluster.set_state(placed, model::PodState::kBound);
  }
}

model::Pod SteadyCluster::pod(uint32_t number) const {
  model::Pod made = pod_of(options_.load, number, options_.groups);
  const uint32_t shape = number % options_.templates;
  made.spec.containers.resize(1);
  made.spec.containers[0].name = "main";
  made.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(100 + shape)},
                                      {"memory", mebibytes(500 + shape)}};
  return made;
}

void SteadyCluster::fill() {
  model::Cluster& cluster = runtime::ModelAccess::of(*core_);
  for (; placed_ < most_; ++placed_) {
    ids_[placed_] = cluster.add_pod(pods_[placed_]);
    cluster.place(ids_[placed_], static_cast<model::Row>(placed_ % cluster.nodes().rows()));
    cluster.set_state(ids_[placed_], model::PodState::kBound);
  }
  next_ = placed_;
}

void SteadyCluster::refill() {
  if (queued_ != 0) return;
  queued_ = std::min(kBatch, pods_.size() - next_);
  for (size_t i = next_; i < next_ + queued_; ++i)
    ids_[i] = runtime::ModelAccess::of(*core_).add_pod(pods_[i]);
  core_->door().arrive({ids_.data() + next_, queued_});
}

void SteadyCluster::step() {
  core_->step(Time{0});
  --queued_;
  next_ = (next_ + 1) % pods_.size();
  core_->door().remove(ids_[(next_ + kBatch - 1) % pods_.size()]);
}

}  // namespace berth::bench
