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
