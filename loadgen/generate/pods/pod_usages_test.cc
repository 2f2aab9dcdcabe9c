#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

const std::string kUsing =
    "timed: true\n"
    "cluster: {shapes: [{name: a, count: 2, allocatable: {cpu: 4}}]}\n"
    "kubelets: [{apiVersion: kubelet.config.k8s.io/v1beta1, kind: KubeletConfiguration, "
    "evictionHard: {memory.available: 1Gi}}]\n"
    "templates:\n"
    "- name: leaky\n"
    "  template: {spec: {containers: [{name: c}]}}\n"
    "  usage: {every: 10s, reports: 3, cpu: 250m, memory: 1Ki, growth: 2}\n";

TEST(PodUsages, AreToldFromTheArrivalOn) {
  const Played all =
      play_all(head(kUsing + "duration: 100s\narrivals: [{replay: {times: [1s, 5s]}}]\n"));
  EXPECT_EQ(all.broken, std::vector<std::string>());
  ASSERT_EQ(all.events.size(), 6u);
  std::vector<std::string> told;
  for (const auto& [at, event] : all.events) {
    const auto& metrics = std::get<model::ControllerObject>(event.object);
    EXPECT_EQ(metrics.kind, "PodMetrics");
    told.push_back(std::to_string(at / 1'000'000'000) + " " + metrics.name.substr(12) + " " +
                   metrics.json.substr(metrics.json.find("\"memory\"")));
  }
  EXPECT_EQ(told, (std::vector<std::string>{
                      "1 0 \"memory\":\"1024\"}}]}", "5 1 \"memory\":\"1024\"}}]}",
                      "11 0 \"memory\":\"1026\"}}]}", "15 1 \"memory\":\"1026\"}}]}",
                      "21 0 \"memory\":\"1028\"}}]}", "25 1 \"memory\":\"1028\"}}]}"}));
  EXPECT_EQ(std::get<model::ControllerObject>(all.events[0].second.object).json,
            R"({"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetrics","metadata":{"namespace":)"
            R"("default","name":"leaky-0000000"},"containers":[{"name":"c","usage":{"cpu":"250m",)"
            R"("memory":"1024"}}]})");
}

TEST(PodUsages, AreToldUntilThePodEnds) {
  const Played all = play_all(
      head(kUsing + "duration: 100s\narrivals: [{replay: {times: [1s, 5s]}, lifetime: 15s}]\n"));
  EXPECT_EQ(all.broken, std::vector<std::string>()) << "nothing is told of a pod that is gone";
  std::vector<std::string> told;
  for (const auto& [at, event] : all.events)
    told.push_back(std::to_string(at / 1'000'000'000) + " " +
                   std::string(model::kind_of(event.object)));
  EXPECT_EQ(told, (std::vector<std::string>{"1 PodMetrics", "5 PodMetrics", "11 PodMetrics",
                                            "15 PodMetrics", "16 Pod", "20 Pod"}));
}

TEST(PodUsages, NodesTellWhatRunsBesidePods) {
  const Played all = play_all(
      head("cluster: {shapes: [{name: a, count: 2, allocatable: {cpu: 4}, systemMemory: 1Ki}]}\n"
           "duration: 100s\nchurn: {failures: [{every: 10s, lasting: 5s}]}\n"));
  EXPECT_EQ(all.broken, std::vector<std::string>());
  const auto first = model::objects_of<model::ControllerObject>(all.cluster);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].json,
            R"({"apiVersion":"metrics.k8s.io/v1beta1","kind":"NodeMetrics","metadata":{"name":)"
            R"("node-000000","annotations":{"berth/beside-pods":"true"}},"usage":)"
            R"({"memory":"1024"}})");
  size_t again = 0;
  for (const auto& [at, event] : all.events) again += model::kind_of(event.object) == "NodeMetrics";
  EXPECT_GT(again, 0u) << "a node that is there again";
}

TEST(PodUsages, ComeWithWhatKubeletsAreTold) {
  const Played all =
      play_all(head(kUsing + "duration: 10s\narrivals: [{replay: {times: [1s]}}]\n"));
  const auto kubelets = model::objects_of<model::ControllerObject>(all.cluster);
  ASSERT_EQ(kubelets.size(), 1u);
  EXPECT_EQ(kubelets[0].kind, "KubeletConfiguration");
  EXPECT_NE(kubelets[0].json.find(R"("evictionHard":{"memory.available":"1Gi"})"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::loadgen
