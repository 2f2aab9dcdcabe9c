#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

const std::string kNodes =
    "timed: true\n"
    "cluster:\n"
    "  zones: 2\n"
    "  shapes:\n"
    "  - {name: a, count: 4, allocatable: {cpu: 4}, annotations: {k: v}}\n"
    "  - {name: b, count: 2, allocatable: {cpu: 4}}\n";

std::string annotation(const model::Node& node, const std::string& key) {
  for (const auto& [own, value] : node.annotations)
    if (own == key) return value;
  return "none";
}

// As "SECONDS NODE VALUE" of each event, which is a node that is modified.
std::vector<std::string> annotated(const Played& all, const std::string& key) {
  std::vector<std::string> out;
  for (const auto& [at, event] : all.events) {
    EXPECT_EQ(event.operation, model::Operation::kModified);
    const auto& node = std::get<model::Node>(event.object);
    out.push_back(std::to_string(at / 1'000'000'000) + " " +
                  node.name.substr(node.name.size() - 1) + " " + annotation(node, key));
  }
  return out;
}

TEST(Outages, StopKubeletsForTheirTime) {
  const Played all =
      play_all(head(kNodes + "duration: 100s\n"
                             "churn: {outages: [{every: 10s, lasting: 4s, shapes: [b]}]}\n"));
  EXPECT_EQ(all.broken, std::vector<std::string>());
  const std::vector<std::string> said = annotated(all, "berth/kubelet");
  ASSERT_EQ(said.size(), 19u);
  for (size_t i = 0; i < said.size(); i += 2) {
    const std::string at = std::to_string(10 * (i / 2 + 1));
    EXPECT_TRUE(said[i] == at + " 4 stopped" || said[i] == at + " 5 stopped") << said[i];
    if (i + 1 < said.size()) {
      EXPECT_EQ(said[i + 1].substr(said[i + 1].find(' ')),
                said[i].substr(said[i].find(' '), 2) + " none");
    }
  }
  EXPECT_EQ(
      annotation(std::get<model::Node>(
                     play_all(head(kNodes +
                                   "duration: 11s\n"
                                   "churn: {outages: [{every: 10s, lasting: 4s, shapes: [a]}]}\n"))
                         .events.at(0)
                         .second.object),
                 "k"),
      "v");
}

// A node of a zone that fails while its kubelet stands still stays so until both are over.
TEST(Outages, OfZonesAreThoseOfAllTheirNodes) {
  const Played all = play_all(head(kNodes + "duration: 60s\n"
                                            "churn:\n"
                                            "  outages: [{every: 9s, lasting: 30s}]\n"
                                            "  zoneOutages: [{every: 10s, lasting: 15s}]\n"));
  std::map<std::string, bool> stopped;
  size_t changes = 0;
  for (const auto& [at, event] : all.events) {
    const auto& node = std::get<model::Node>(event.object);
    const bool now = annotation(node, "berth/kubelet") == "stopped";
    EXPECT_NE(stopped[node.name], now) << node.name << " at " << at;
    stopped[node.name] = now;
    changes += at == 10'000'000'000 && now;
  }
  EXPECT_GE(changes, 2u);
  EXPECT_LE(changes, 3u);
}

TEST(RollingDrains, GoFromNodeToNodeOnce) {
  const Played all = play_all(head(
      kNodes +
      "duration: 100s\n"
      "churn: {rollingDrains: [{every: 10s, lasting: 14s, shapes: [a], options: --force}]}\n"));
  EXPECT_EQ(annotated(all, "berth/drain"),
            (std::vector<std::string>{"10 0 --force", "20 1 --force", "24 0 none", "30 2 --force",
                                      "34 1 none", "40 3 --force", "44 2 none", "54 3 none"}));
}

TEST(Timed, StreamsTellWhenStepsAreDue) {
  const std::string text =
      head(kNodes +
           "duration: 20s\n"
           "templates: [{name: t, template: {spec: {containers: [{name: c}]}}}]\n"
           "arrivals: [{replay: {times: [1s, 2500ms]}}]\n"
           "churn: {rollingDrains: [{every: 10s, lasting: 60s}]}\n");
  const std::vector<uint8_t> bytes = stream_of(*load_of(text), true);
  std::string_view lines(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<std::string> times;
  for (size_t at = 0; (at = lines.find("\"time\":\"", at)) != lines.npos; at += 8)
    times.emplace_back(lines.substr(at + 8, lines.find('"', at + 8) - at - 8));
  EXPECT_EQ(times, (std::vector<std::string>{"1s", "2.5s", "10s", "20s"}));
  EXPECT_THROW(stream_of(*load_of(text)), Error) << "frames hold no times";
}

}  // namespace
}  // namespace berth::loadgen
