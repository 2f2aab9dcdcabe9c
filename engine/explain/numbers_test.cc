#include <gmock/gmock.h>

#include "engine/explain/testing.h"

namespace berth::explain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class NumbersTest : public ExplanationTest {
 protected:
  // The lines of the page that begin with four blanks and the plugin's name.
  static Texts lines(const Explanation& explanation, const std::string& plugin) {
    Texts lines;
    const std::string text = to_text(explanation, Extent::kAll);
    for (size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (line.starts_with("    " + plugin + " ")) lines.push_back(line.substr(5 + plugin.size()));
    }
    return lines;
  }
};

TEST_F(NumbersTest, WhatIsShortOfEachResource) {
  add(node("a", "4", "1Gi"));
  add(on_node(pod("old", "3500m", "512Mi"), "a"));
  const Explanation explanation = explain(pod("p", "1", "768Mi"));
  EXPECT_THAT(lines(explanation, "NodeResourcesFit"),
              ElementsAre("cpu: wanted 1, free 500m, requested 3500m, allocatable 4",
                          "memory: wanted 768Mi, free 512Mi, requested 512Mi, allocatable 1Gi"));
  EXPECT_THAT(to_json(explanation), HasSubstr("\"fact\": \"free\",\n"
                                              "                  \"number\": 500,\n"
                                              "                  \"unit\": \"milliCPU\""));
}

TEST_F(NumbersTest, NominatedPodsAreInTheNumbersOfARefusalThatCountsThem) {
  add(node("a", "2"));
  model::Pod other = pod("other", "1500m");
  other.spec.priority = 10;
  other.nominated_node_name = "a";
  add(other);
  EXPECT_THAT(lines(explain(pod("p", "1")), "NodeResourcesFit"),
              ElementsAre("cpu: wanted 1, free 500m, requested 1500m, allocatable 2"));
}

TEST_F(NumbersTest, SpreadByZone) {
  add_in_zone("a", "z1");
  add_in_zone("b", "z2", "0");
  for (const char* name : {"web-1", "web-2", "web-3", "web-4"})
    add(on_node(labelled(name, "web"), "a"));
  add(on_node(labelled("other", "db"), "a"));
  model::Pod p = labelled("p", "web");
  p.spec.topology_spread_constraints = {by_zone("web", 2)};
  EXPECT_THAT(
      lines(explain(p), "PodTopologySpread"),
      ElementsAre("zone: domain z1, selector app=web in namespace default, count 4, minimum 0, "
                  "skew 5, maxSkew 2, domains 2, counted default/web-1, default/web-2, "
                  "default/web-3 and 1 more"));
}

TEST_F(NumbersTest, PodsInTheWayOfAntiAffinityInBothDirections) {
  add_in_zone("a", "z1");
  add_in_zone("b", "z1");
  add_in_zone("c", "z2");
  add(on_node(labelled("web-1", "web"), "a"));
  model::Pod shy = labelled("shy", "db");
  shy.spec.affinity.pod_anti_affinity.emplace().required = {term("web", "kubernetes.io/hostname")};
  add(on_node(shy, "c"));
  model::Pod p = labelled("p", "web");
  p.spec.affinity.pod_anti_affinity.emplace().required = {term("web", "zone")};
  const std::string in_zone =
      "podAntiAffinity by zone: domain z1, selector app=web in namespace default, matching 1, pods "
      "default/web-1";
  EXPECT_THAT(lines(explain(p), "InterPodAffinity"),
              ElementsAre(in_zone, in_zone, "podAntiAffinity of placed pods: pods default/shy"));
}

TEST_F(NumbersTest, AffinityThatNothingMatches) {
  add_in_zone("a", "z1");
  add(on_node(labelled("web-1", "web"), "a"));
  model::Pod p = labelled("p", "web");
  p.spec.affinity.pod_affinity.emplace().required = {term("cache", "zone")};
  EXPECT_THAT(lines(explain(p), "InterPodAffinity"),
              ElementsAre("podAffinity by zone: domain z1, selector app=cache in namespace "
                          "default, matching 0"));
}

TEST_F(NumbersTest, ThePodThatHoldsAPort) {
  add(node("a"));
  add(on_node(with_port(pod("holder"), 8080, "10.0.0.1"), "a"));
  add(on_node(with_port(pod("other"), 9090), "a"));
  const Explanation explanation = explain(with_port(pod("p"), 8080));
  EXPECT_THAT(lines(explanation, "NodePorts"),
              ElementsAre("0.0.0.0:TCP:8080: in use 10.0.0.1:TCP:8080, pods default/holder"));
  EXPECT_THAT(to_json(explanation), HasSubstr("\"fact\": \"pods\",\n"
                                              "                  \"pods\": 1,\n"
                                              "                  \"names\": ["));
}

TEST_F(NumbersTest, ScoresOfResources) {
  add(node("a", "4"));
  add(node("b", "16"));
  const Explanation explanation = explain(pod("p", "1"));
  const std::string text = to_text(explanation);
  EXPECT_THAT(text,
              HasSubstr("Behind the scores of b\n"
                        "  NodeResourcesFit cpu: requested 1, allocatable 16\n"
                        "  NodeResourcesFit memory: requested 1Mi, allocatable 8Gi\n"
                        "  NodeResourcesBalancedAllocation cpu: requested 1, allocatable 16\n"));
  EXPECT_THAT(text, HasSubstr("Behind the scores of a\n"));
}

TEST_F(NumbersTest, PassedFiltersHaveNone) {
  add(node("a"));
  const Explanation explanation = explain(pod("p"));
  for (const Explanation::Filter& filter : explanation.nodes[0].filters)
    EXPECT_THAT(filter.numbers, IsEmpty()) << filter.plugin;
}

TEST_F(NumbersTest, NamesFromOutsideArePrintable) {
  add(node("a"));
  add(on_node(with_port(pod("evil\x1b[2J\nname"), 8080), "a"));
  const Explanation explanation = explain(with_port(pod("p"), 8080));
  for (const std::string& text : {to_text(explanation), to_json(explanation)})
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(lines(explanation, "NodePorts"), ElementsAre(HasSubstr("evil\\x1b[2J\\nname")));
}

}  // namespace
}  // namespace berth::explain
