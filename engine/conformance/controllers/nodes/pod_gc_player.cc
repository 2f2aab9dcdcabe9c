#include "engine/conformance/controllers/nodes/pod_gc_player.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/nodes/case_values.h"
#include "engine/controllers/pods/pod_collector.h"

namespace berth::conformance {
namespace {

using controllers::CollectedPod;
using controllers::Condition;
using document::Value;

// Nodes and pods in an API server without kubelets: pods that are deleted terminate until the
// collector removes them.
class PodGcPlayer final : public Player, private controllers::PodCollectorCluster {
 public:
  PodGcPlayer(size_t most_finished, Entries& entries)
      : entries_(entries), collector_(*this, most_finished) {}

  void add(Value object) override { create({}, object); }
  void start() override {}
  bool operate(Time now, const std::string& op, Value event) override;
  void settle(Time /*now*/) override {}
  std::optional<Time> next() const override { return collector_.next(); }
  void run_due(Time now) override { collector_.run_due(now); }

 private:
  struct Pod {
    CollectedPod pod;
    std::string phase, reason;
  };

  std::vector<CollectedPod> pods_on(const std::string& node) const override;
  void collect(Time now, const CollectedPod& pod, const Condition* condition) override;

  void create(Time now, Value object);
  void set_phase(Time now, Pod& pod, const std::string& phase);

  Entries& entries_;
  controllers::PodCollector collector_;
  std::map<std::string, Pod> pods_;
};

bool PodGcPlayer::operate(Time now, const std::string& op, Value event) {
  if (op == "delete-node") {
    collector_.node_gone(now, text_of(event, "node"));
    return true;
  }
  if (op == "create" || op == "set-node") {
    create(now, event.find("object"));
    return true;
  }
  if (op != "set-phase" && op != "delete-pod") return false;
  const auto found = pods_.find(text_of(event, "pod"));
  if (found == pods_.end()) return true;
  if (op == "set-phase") {
    set_phase(now, found->second, text_of(event, "phase"));
  } else {
    found->second.pod.terminating = true;
    collector_.pod_changed(now, found->second.pod);
  }
  return true;
}

void PodGcPlayer::create(Time now, Value object) {
  const std::string name = name_of(object);
  const Value spec = object.find("spec");
  if (text_of(object, "kind") == "Node") {
    const std::vector<Condition> conditions = conditions_of(object);
    const Condition* const ready = controllers::find(conditions, "Ready");
    collector_.node_changed(now, name, ready != nullptr && ready->status == "True",
                            taints_of(spec.find("taints")));
    return;
  }
  Pod& pod = pods_[name];
  pod.pod.name = name;
  pod.pod.node = text_of(spec, "nodeName");
  pod.pod.created = object.find("createdAt").present() ? seconds_at(object, "createdAt") : now;
  pod.pod.terminating = object.find("deletedAt").present();
  pod.reason = text_of(object.find("status"), "reason");
  set_phase(now, pod, text_of(object.find("status"), "phase"));
}

void PodGcPlayer::set_phase(Time now, Pod& pod, const std::string& phase) {
  pod.phase = phase;
  pod.pod.finished = phase == "Succeeded" || phase == "Failed";
  pod.pod.evicted = phase == "Failed" && pod.reason == "Evicted";
  collector_.pod_changed(now, pod.pod);
}

std::vector<CollectedPod> PodGcPlayer::pods_on(const std::string& node) const {
  std::vector<CollectedPod> some;
  for (const auto& [name, pod] : pods_)
    if (pod.pod.node == node) some.push_back(pod.pod);
  return some;
}

void PodGcPlayer::collect(Time now, const CollectedPod& pod, const Condition* condition) {
  const std::string name = pod.name;
  entries_.add(now, "delete", [&](document::JsonWriter& writer) {
    writer.member("pod", name);
    writer.member("phase", pod.finished ? pods_.at(name).phase : "Failed");
    writer.member("gracePeriodSeconds", 0);
    if (condition != nullptr)
      writer.object("condition", [&] { write_members(writer, *condition); });
  });
  pods_.erase(name);
  collector_.pod_gone(name);
}

}  // namespace

std::unique_ptr<Player> pod_gc_player(Value config, Entries& entries) {
  const int64_t most = config.find("terminatedPodGCThreshold")
                           .as_int64()
                           .value_or(controllers::PodCollector::kMostFinished);
  return std::make_unique<PodGcPlayer>(static_cast<size_t>(std::max<int64_t>(most, 0)), entries);
}

}  // namespace berth::conformance
