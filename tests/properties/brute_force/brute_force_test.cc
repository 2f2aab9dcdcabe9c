// For random clusters, pods and configurations, PodTopologySpread and InterPodAffinity give the
// same answers as brute force.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/properties/brute_force/brute_force_check.h"
#include "tests/properties/trace.h"

namespace berth::tests {
namespace {

uint64_t any_seed() { return *rc::gen::noShrink(rc::gen::arbitrary<uint64_t>()); }

uint32_t any_of(uint32_t low, uint32_t high) { return *rc::gen::inRange<uint32_t>(low, high + 1); }

class Comparison final : public Observer {
 public:
  explicit Comparison(const World& world)
      : objects_(brute::objects_of(world)), arguments_(world.arguments) {}

  void on_step(const Step& step) override {
    pod_ = step.pod;
    objects_.apply(step);
  }

  void on_report(runtime::Core& core, const runtime::Report& report) override {
    const framework::Decision* decision = runtime::decision_of(report);
    if (decision == nullptr) return;
    if (problem.empty())
      problem = brute::disagreement(core, report, pod_, objects_, arguments_, checked);
    if (const auto* to = std::get_if<runtime::Scheduled>(&report))
      objects_.place(pod_, std::string(to->node));
    else if (!pod_.nominated_node_name.empty() && keeps_nomination(*decision))
      objects_.nominated[{pod_.namespace_name, pod_.name}] = pod_;
  }

  std::string problem;
  brute::Checked checked;

 private:
  // An error, or a cluster without nodes, clears the nominated node of the pod.
  bool keeps_nomination(const framework::Decision& decision) const {
    return decision.outcome != framework::Outcome::kError && !objects_.nodes.empty();
  }

  brute::Objects objects_;
  PluginArguments arguments_;
  model::Pod pod_;  // the last pod that arrived
};

brute::Checked compare(const World& world, Way way, std::string& problem) {
  Comparison comparison(world);
  way.details = false;
  way.preempts = false;  // brute force evicts nobody
  // 1.36 ends the nominations of pods that it refuses without PostFilter.
  way.version = KubeVersion::k1_34;
  run(world, way, built_plugins(), &comparison);
  problem = comparison.problem;
  return comparison.checked;
}

void expect_agreement(const World& world, const Way& way) {
  std::string problem;
  const brute::Checked checked = compare(world, way, problem);
  if (!problem.empty()) RC_FAIL(problem);
  RC_TAG(checked.scored != 0 ? "scored" : "never scored");
}

RC_GTEST_PROP(BruteForce, Agrees, ()) {
  World world = random_world(any_seed(), {.nodes = any_of(0, 30),
                                          .placed = any_of(0, 60),
                                          .pods = any_of(1, 40),
                                          .plain_pods = any_of(0, 3) == 0});
  expect_agreement(world, {.seed = any_seed()});
}

RC_GTEST_PROP(BruteForce, AgreesWhereTheSearchEndsEarly, ()) {
  World world = random_world(any_seed(), {.nodes = any_of(100, 300),
                                          .placed = any_of(0, 200),
                                          .pods = any_of(1, 8),
                                          .plain_pods = any_of(0, 3) != 0});
  Way way{.start = any_of(0, 350), .percentage = static_cast<int32_t>(any_of(0, 100))};
  expect_agreement(world, way);
}

model::Pod web_pod(const char* name, const char* app) {
  model::Pod pod;
  pod.name = pod.uid = name;
  pod.namespace_name = "default";
  pod.spec.labels = {{"app", app}};
  return pod;
}

model::WeightedPodAffinityTerm prefers(const char* app, int32_t weight) {
  model::WeightedPodAffinityTerm made;
  made.weight = weight;
  made.term.label_selector = model::LabelSelector{{{"app", app}}, {}};
  made.term.topology_key = "kubernetes.io/hostname";
  return made;
}

// A raw score of 29 of 100 normalises to 28, because 0.29 * 100 is below 29 in floating point and
// the result is truncated. Random worlds seldom reach such a score.
TEST(BruteForce, ScoresAreCutOffWhereKubeSchedulerCutsThemOff) {
  World world;
  world.config = R"({"apiVersion": "kubescheduler.config.k8s.io/v1",
                     "kind": "KubeSchedulerConfiguration"})";
  for (const char* name : {"a", "b", "c"}) {
    model::Node& node = world.nodes.emplace_back();
    node.name = name;
    node.labels = {{"kubernetes.io/hostname", name}};
    node.allocatable = {{"pods", model::Quantity::from_units(10)}};
  }
  for (const auto& [name, app, node] :
       {std::tuple("some", "web", "b"), std::tuple("other", "db", "c")}) {
    world.placed.push_back(web_pod(name, app));
    world.placed.back().spec.node_name = node;
  }
  Step& step = world.steps.emplace_back();
  step.pod = web_pod("comes", "x");
  step.pod.spec.affinity.pod_affinity.emplace();
  step.pod.spec.affinity.pod_affinity->preferred = {prefers("web", 29), prefers("db", 100)};
  std::string problem;
  EXPECT_EQ(compare(world, {}, problem).scores, 3u);
  EXPECT_EQ(problem, "");
  const std::vector<std::string> lines = run(world, {}).lines;
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("  b:") && line.find(" InterPodAffinity=29/28 ") != std::string::npos;
  }));
}

// A pod that names a nominated node ends in an error, and the next pod does not count it there.
TEST(BruteForce, ErrorClearsTheNominatedNode) {
  World world;
  world.config = R"({"apiVersion": "kubescheduler.config.k8s.io/v1",
                     "kind": "KubeSchedulerConfiguration"})";
  model::Node& node = world.nodes.emplace_back();
  node.name = "a";
  node.labels = {{"zone", "z"}};
  node.allocatable = {{"pods", model::Quantity::from_units(10)}};
  model::TopologySpreadConstraint constraint;
  constraint.max_skew = 1;
  constraint.min_domains = 2;  // so that no pod may be counted before
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.label_selector = model::LabelSelector{{{"app", "web"}}, {}};
  for (const char* name : {"fails", "next"}) {
    model::Pod& pod = world.steps.emplace_back().pod = web_pod(name, "web");
    pod.spec.topology_spread_constraints = {constraint};
  }
  model::Pod& fails = world.steps[0].pod;
  fails.nominated_node_name = "a";
  fails.spec.topology_spread_constraints[0].label_selector->match_expressions = {
      {"app", "Near", {}}};
  std::string problem;
  compare(world, {}, problem);
  EXPECT_EQ(problem, "");
  const std::vector<std::string> lines = run(world, {}).lines;
  const auto has = [&](const char* begin) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.starts_with(begin); });
  };
  EXPECT_TRUE(has("fails: error")) << lines.front();
  EXPECT_TRUE(has("next: scheduled")) << lines.back();
}

// Checks that the comparison covers enough of everything.
TEST(BruteForce, ComesToAllThatIsCompared) {
  brute::Checked all;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::string problem;
    const brute::Checked one =
        compare(random_world(seed, {.placed = 40, .plain_pods = seed % 3 == 0}), {}, problem);
    EXPECT_EQ(problem, "") << "seed " << seed;
    all.decisions += one.decisions;
    all.pre_filtered += one.pre_filtered;
    all.rows += one.rows;
    all.refused += one.refused;
    all.nominated += one.nominated;
    all.scored += one.scored;
    all.scores += one.scores;
  }
  EXPECT_GT(all.decisions, 1000u);
  EXPECT_GT(all.pre_filtered, 2u);
  EXPECT_GT(all.refused, all.rows / 40);
  EXPECT_GT(all.nominated, 50u);
  EXPECT_GT(all.scored, all.decisions / 5);
  EXPECT_GT(all.scores, all.scored * 4);
}

}  // namespace
}  // namespace berth::tests
