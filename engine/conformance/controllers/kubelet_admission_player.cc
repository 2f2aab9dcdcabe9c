#include "engine/conformance/controllers/kubelet_admission_player.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/kubelet_objects.h"
#include "engine/controllers/kubelet/admission/oom_score.h"
#include "engine/controllers/kubelet/admission/pod_start.h"

namespace berth::conformance {

namespace kubelet = controllers::kubelet;
using document::Value;

namespace {

std::string full_pod_name(const kubelet::Pod& pod) { return pod.namespace_name + "/" + pod.name; }

class KubeletAdmissionPlayer final : public Player {
 public:
  explicit KubeletAdmissionPlayer(Entries& entries) : entries_(entries) {}

  void add(Value object) override {
    if (text_of(object, "kind") == "Node") {
      node_ = node_facts(object);
    } else {
      running_.push_back(std::make_unique<kubelet::StartingPod>(starting_pod(object)));
    }
  }
  void start() override {}
  bool operate(Time now, const std::string& op, Value event) override {
    if (op == "start") {
      start_pod(now, event.find("object"));
    } else if (op == "finish") {
      const std::string name = text_of(event, "pod");
      std::erase_if(running_, [&](const auto& one) { return full_pod_name(one->pod) == name; });
    } else if (op == "set-node") {
      node_ = node_facts(event.find("object"));
    } else {
      return false;
    }
    return true;
  }
  void settle(Time) override {}
  std::optional<Time> next() const override { return std::nullopt; }
  void run_due(Time) override {}

 private:
  void start_pod(Time now, Value object) {
    auto pod = std::make_unique<kubelet::StartingPod>(starting_pod(object));
    std::vector<const kubelet::StartingPod*> others;
    for (const auto& one : running_) others.push_back(one.get());
    const kubelet::PodStart start = kubelet::decide_start(predicates_, node_, *pod, others);
    for (const kubelet::Pod* stopped : start.preempted) preempt(now, stopped);
    write_start(now, pod->pod, start);
    if (!start.refusal) running_.push_back(std::move(pod));
  }
  void preempt(Time now, const kubelet::Pod* pod) {
    entries_.add(now, "preempt", [&](document::JsonWriter& writer) {
      writer.member("pod", full_pod_name(*pod));
      writer.member("phase", "Failed");
      writer.member("reason", kubelet::kPreempting);
      writer.member("message", kubelet::kPreempted);
      write_condition(writer, kubelet::preempted_condition(now));
    });
    std::erase_if(running_, [&](const auto& one) { return &one->pod == pod; });
  }
  void write_start(Time now, const kubelet::Pod& pod, const kubelet::PodStart& start) {
    entries_.add(now, "start", [&](document::JsonWriter& writer) {
      writer.member("pod", full_pod_name(pod));
      writer.member("admit", !start.refusal);
      if (!start.refusal) {
        writer.object("oomScoreAdj", [&] { write_scores(writer, pod); });
        return;
      }
      writer.member("phase", "Failed");
      writer.member("reason", start.refusal->reason);
      writer.member("message", std::string(kubelet::kRejected) + start.refusal->message);
    });
  }
  void write_scores(document::JsonWriter& writer, const kubelet::Pod& pod) const {
    if (node_.memory_capacity <= 0)
      throw Error("the node has no status.capacity.memory above 0; oom scores follow from it");
    for (const auto* list : {&pod.init_containers, &pod.containers})
      for (const kubelet::Container& one : *list)
        writer.member(one.name, kubelet::oom_score_adjust(pod, one, node_.memory_capacity));
  }

  Entries& entries_;
  kubelet::Predicates predicates_;
  kubelet::NodeFacts node_;
  std::vector<std::unique_ptr<kubelet::StartingPod>> running_;  // in the order in which they came
};

}  // namespace

std::unique_ptr<Player> make_kubelet_admission_player(Value, Entries& entries) {
  return std::make_unique<KubeletAdmissionPlayer>(entries);
}

}  // namespace berth::conformance
