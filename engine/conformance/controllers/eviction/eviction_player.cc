#include "engine/conformance/controllers/eviction/eviction_player.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include "engine/base/error.h"
#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/eviction/eviction_cluster.h"
#include "engine/conformance/controllers/eviction/eviction_entries.h"
#include "engine/conformance/controllers/eviction/eviction_objects.h"

namespace berth::conformance {
namespace {

using document::Value;
using namespace std::chrono_literals;

model::PodPhase phase_of(Value phase) {
  static const std::map<std::string_view, model::PodPhase> phases{
      {"Failed", model::PodPhase::kFailed},
      {"Pending", model::PodPhase::kPending},
      {"Running", model::PodPhase::kRunning},
      {"Succeeded", model::PodPhase::kSucceeded},
      {"Unknown", model::PodPhase::kUnknown}};
  const auto at = phases.find(phase.text());
  if (at == phases.end()) throw Error(phase.place(), "expected a phase of a pod");
  return at->second;
}

model::StringMap map_of(Value labels) {
  model::StringMap map;
  for (const document::Member member : labels.members())
    map.emplace_back(std::string(member.key), std::string(member.value.text()));
  std::sort(map.begin(), map.end());
  return map;
}

bool is_true(Value value) { return value.is(document::Kind::kBoolean) && value.as_bool(); }

class EvictionPlayer final : public Player {
 public:
  explicit EvictionPlayer(Entries& entries) : entries_(entries) {}

  void add(Value object) override { create(object, Time()); }
  void start() override {
    cluster_.run_controller(true, Time());
    settle(Time());
  }
  bool operate(Time now, const std::string& op, Value event) override;
  void settle(Time now) override {
    cluster_.settle(now);
    second_ = controllers::whole_seconds(now);
  }
  std::optional<Time> next() const override;
  void run_due(Time now) override;

 private:
  using Operation = void (EvictionPlayer::*)(Time now, Value event);

  void create(Value object, Time now);
  void create_object(Time now, Value event) { create(event.find("object"), now); }
  void evict(Time now, Value event);
  void set_ready(Time now, Value event);
  void set_phase(Time now, Value event);
  void set_labels(Time now, Value event);
  void delete_pod(Time now, Value event);
  void scale(Time now, Value event);
  void update_budget(Time now, Value event);
  void delete_budget(Time now, Value event);
  void run_controller(Time now, Value event);

  EvictionCluster cluster_;
  EvictionEntries entries_;
  std::optional<Time> second_;  // in which something happened that was not looked at
};

constexpr Time kLookAfter = 500ms;  // the beginning of a second

bool EvictionPlayer::operate(Time now, const std::string& op, Value event) {
  static const std::map<std::string_view, Operation> operations{
      {"controller", &EvictionPlayer::run_controller},
      {"create", &EvictionPlayer::create_object},
      {"delete-pdb", &EvictionPlayer::delete_budget},
      {"delete-pod", &EvictionPlayer::delete_pod},
      {"evict", &EvictionPlayer::evict},
      {"scale", &EvictionPlayer::scale},
      {"set-labels", &EvictionPlayer::set_labels},
      {"set-phase", &EvictionPlayer::set_phase},
      {"set-ready", &EvictionPlayer::set_ready},
      {"update-pdb", &EvictionPlayer::update_budget}};
  const auto at = operations.find(op);
  if (at == operations.end()) return false;
  (this->*at->second)(now, event);
  return true;
}

void EvictionPlayer::create(Value object, Time now) {
  const std::string kind = text_of(object, "kind");
  if (kind == "Pod") return cluster_.put_pod(read_pod(object), now);
  if (kind == "PodDisruptionBudget") return cluster_.put_budget(read_budget(object), now);
  cluster_.put_workload(read_workload(object));
}

void EvictionPlayer::evict(Time now, Value event) {
  const auto name = split_name(event.find("pod"));
  const EvictionCluster::Pod* pod = cluster_.find_pod(name);
  const auto request = read_eviction(event, name.second, pod == nullptr ? 1 : pod->version);
  entries_.response(now, text_of(event, "pod"), cluster_.evict(name, request, now));
}

void EvictionPlayer::set_ready(Time now, Value event) {
  cluster_.change_pod(split_name(event.find("pod")), now,
                      [&](EvictionCluster::Pod& pod) { pod.ready = is_true(event.find("ready")); });
}

void EvictionPlayer::set_phase(Time now, Value event) {
  cluster_.change_pod(split_name(event.find("pod")), now, [&](EvictionCluster::Pod& pod) {
    pod.object.phase = phase_of(event.find("phase"));
    pod.ready = false;
  });
}

void EvictionPlayer::set_labels(Time now, Value event) {
  cluster_.change_pod(split_name(event.find("pod")), now, [&](EvictionCluster::Pod& pod) {
    pod.object.spec.labels = map_of(event.find("labels"));
  });
}

void EvictionPlayer::delete_pod(Time now, Value event) {
  cluster_.delete_pod(split_name(event.find("pod")), event.find("gracePeriodSeconds").as_int64(),
                      now);
}

void EvictionPlayer::scale(Time /*now*/, Value event) {
  const std::optional<int64_t> replicas = event.find("replicas").as_int64();
  if (!replicas) throw Error(event.place(), "expected a number of replicas");
  cluster_.scale(text_of(event, "kind"), split_name(event.find("name")),
                 static_cast<int32_t>(*replicas));
}

void EvictionPlayer::update_budget(Time now, Value event) {
  const controllers::Budget* known = cluster_.find_budget(split_name(event.find("pdb")));
  if (known == nullptr) return;
  controllers::Budget budget = *known;
  budget.spec = read_budget_spec(event);
  ++budget.generation;
  cluster_.put_budget(budget, now);
}

void EvictionPlayer::delete_budget(Time /*now*/, Value event) {
  cluster_.remove_budget(split_name(event.find("pdb")));
}

void EvictionPlayer::run_controller(Time now, Value event) {
  cluster_.run_controller(is_true(event.find("running")), now);
}

std::optional<Time> EvictionPlayer::next() const {
  const std::optional<Time> due = cluster_.next();
  if (!second_) return due;
  const Time look = *second_ + kLookAfter;
  return due ? std::min(*due, look) : look;
}

void EvictionPlayer::run_due(Time now) {
  if (second_ && *second_ + kLookAfter <= now) {
    entries_.look(*second_, cluster_);
    second_.reset();
  }
  if (const auto due = cluster_.next(); !due || *due > now) return;
  cluster_.run_kubelets(now);
  settle(now);
}

}  // namespace

std::unique_ptr<Player> make_eviction_player(Value /*config*/, Entries& entries) {
  return std::make_unique<EvictionPlayer>(entries);
}

}  // namespace berth::conformance
