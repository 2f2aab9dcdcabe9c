// For random clusters, pods and configurations, all evaluations give the same answers.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/properties/dice.h"
#include "tests/properties/trace.h"

namespace berth::tests {
namespace {

uint64_t any_seed() { return *rc::gen::noShrink(rc::gen::arbitrary<uint64_t>()); }

uint32_t any_of(uint32_t low, uint32_t high) { return *rc::gen::inRange<uint32_t>(low, high + 1); }

Way reference() { return {.evaluation = framework::Evaluation::kReference}; }
Way full() { return {.evaluation = framework::Evaluation::kFull}; }
Way incremental() { return {.evaluation = framework::Evaluation::kIncremental}; }

void expect_equal(const Trace& a, const Trace& b) {
  std::string differs = difference(a, b);
  if (!differs.empty()) RC_FAIL(differs);
}

RC_GTEST_PROP(Evaluation, AllThreeAreEqual, ()) {
  World world = random_world(
      any_seed(), {.nodes = any_of(0, 30), .placed = any_of(0, 40), .pods = any_of(1, 25)});
  uint64_t seed = any_seed();
  Way row_by_row = reference();
  row_by_row.seed = seed;
  Trace expected = run(world, row_by_row);
  RC_TAG(expected.scored != 0 ? "scored" : "never scored");
  for (Way batches : {full(), incremental()}) {
    batches.seed = seed;
    expect_equal(expected, run(world, batches));
  }
}

RC_GTEST_PROP(Evaluation, AllThreeAreEqualByName, ()) {
  World world = random_world(any_seed(), {.nodes = any_of(2, 30), .plain_pods = true});
  Way row_by_row = reference();
  row_by_row.tie_break = framework::TieBreak::kName;
  Trace expected = run(world, row_by_row);
  for (Way batches : {full(), incremental()}) {
    batches.tie_break = framework::TieBreak::kName;
    expect_equal(expected, run(world, batches));
  }
}

// Searches that end before all nodes were seen, and continue where the previous one stopped.
RC_GTEST_PROP(Evaluation, AllThreeAreEqualWhereTheSearchEndsEarly, ()) {
  World world = random_world(any_seed(), {.nodes = any_of(100, 400),
                                          .placed = any_of(0, 200),
                                          .pods = any_of(1, 8),
                                          .plain_pods = any_of(0, 3) != 0});
  Way row_by_row = reference();
  row_by_row.percentage = static_cast<int32_t>(any_of(0, 100));
  row_by_row.start = any_of(0, 450);
  row_by_row.tie_break =
      any_of(0, 1) == 0 ? framework::TieBreak::kHeap : framework::TieBreak::kRandom;
  Trace expected = run(world, row_by_row);
  for (Way batches : {full(), incremental()}) {
    batches.tie_break = row_by_row.tie_break;
    batches.percentage = row_by_row.percentage;
    batches.start = row_by_row.start;
    expect_equal(expected, run(world, batches));
  }
}

// Pods of few kinds and searches of few rows, so that changed rows are left
// (ranking/rows/left_rows.h).
RC_GTEST_PROP(Evaluation, LeftRowsChangeNothing, ()) {
  World world = random_world(any_seed(), {.nodes = any_of(310, 800),
                                          .placed = any_of(0, 100),
                                          .pods = any_of(20, 120),
                                          .events = static_cast<int>(any_of(0, 20)),
                                          .plain_pods = any_of(0, 3) != 0,
                                          .kinds = any_of(1, 4)});
  Way batches = full();
  batches.percentage = static_cast<int32_t>(any_of(1, 14));
  batches.start = any_of(0, 900);
  Way rankings = incremental();
  rankings.percentage = batches.percentage;
  rankings.start = batches.start;
  expect_equal(run(world, batches), run(world, rankings));
}

std::string any_zone(Dice& dice) { return dice.one_of<const char*>({"a", "a", "a", "b", "c"}); }

model::TopologySpreadConstraint over_zones(const char* when, int32_t max_skew) {
  model::TopologySpreadConstraint made;
  made.max_skew = max_skew;
  made.topology_key = "topology.kubernetes.io/zone";
  made.when_unsatisfiable = when;
  made.label_selector = model::LabelSelector{{{"app", "web"}}, {}};
  return made;
}

// Pods that spread over zones: some are refused where a zone has too many of them, some are scored
// by zone, and some both. Before every other pod, on average, a node comes or goes. Zones have
// different sizes, so that behind a node that comes other rows belong to each of them. In half of
// the worlds nodes are equal but for that.
World world_of_spreading_pods(uint64_t seed, uint32_t nodes) {
  World world = random_world(
      seed, {.nodes = nodes, .placed = 0, .pods = 40, .events = 0, .plain_pods = true, .kinds = 1});
  world.config = R"({"apiVersion": "kubescheduler.config.k8s.io/v1",
                     "kind": "KubeSchedulerConfiguration"})";
  Dice dice(~seed);
  const bool equal = dice.chance(50);
  const auto in_a_zone = [&](const model::Node& node) {
    model::Node made = equal ? world.nodes[0] : node;
    made.name = node.name;
    made.unschedulable = false;
    made.labels = {{"topology.kubernetes.io/zone", any_zone(dice)}};
    return made;
  };
  for (model::Node& node : world.nodes) node = in_a_zone(node);
  std::vector<Step> steps;
  const auto skew = static_cast<int32_t>(dice.number(1, 2));
  for (Step& step : world.steps) {
    if (dice.chance(50)) {
      Step& event = steps.emplace_back();
      const bool goes = dice.chance(50);
      event.kind = goes ? Step::Kind::kRemoveNode : Step::Kind::kPutNode;
      event.node = in_a_zone(dice.one_of(world.nodes));
      if (!goes) event.node.name += "-new-" + std::to_string(steps.size());
    }
    step.pod.spec.labels = {{"app", "web"}};
    step.pod.spec.topology_spread_constraints.clear();
    for (const auto& one : {over_zones("ScheduleAnyway", 1), over_zones("DoNotSchedule", skew)})
      if (dice.chance(60)) step.pod.spec.topology_spread_constraints.push_back(one);
    steps.push_back(std::move(step));
  }
  world.steps = std::move(steps);
  return world;
}

// Classes of rows move with the rows (ranking/moved_rows.cc).
RC_GTEST_PROP(Evaluation, MovedClassesChangeNothing, ()) {
  const World world = world_of_spreading_pods(any_seed(), any_of(60, 800));
  Way row_by_row = reference(), rankings = incremental();
  row_by_row.percentage = rankings.percentage = any_of(0, 3) == 0 ? 30 : 100;
  expect_equal(run(world, row_by_row), run(world, rankings));
}

RC_GTEST_PROP(Evaluation, ThreadsChangeNothing, ()) {
  World world = random_world(any_seed(), {.nodes = any_of(65, 400),
                                          .placed = any_of(0, 200),
                                          .pods = any_of(1, 8),
                                          .plain_pods = any_of(0, 1) != 0});
  Way way;
  way.start = any_of(0, 400);
  Trace expected = run(world, way);
  for (int threads : {1, 2, 8}) {
    way.full = {.workers = &workers(threads),
                .parallel_from = 1,
                .grain = 64,
                .measured = false,
                .ranking_from = static_cast<uint32_t>(any_of(1, 3))};
    expect_equal(expected, run(world, way));
  }
}

// Without memory for cached answers every answer is computed again.
RC_GTEST_PROP(Evaluation, ForgettingAnswersChangesNothing, ()) {
  World world = random_world(any_seed(), {.nodes = any_of(1, 80), .plain_pods = any_of(0, 1) != 0});
  Way forgetful;
  forgetful.full.ranking_bytes = 0;
  expect_equal(run(world, {}), run(world, forgetful));
}

// Ids of names, labels, templates, selectors, terms, columns and domains are given to others as
// soon as nothing refers to them.
RC_GTEST_PROP(Evaluation, RetiringAlwaysChangesNothing, ()) {
  World world = random_world(any_seed(), {.nodes = any_of(1, 80),
                                          .placed = any_of(0, 60),
                                          .pods = any_of(1, 60),
                                          .events = 60,
                                          .plain_pods = any_of(0, 1) != 0});
  Way retiring;
  retiring.retire_always = true;
  expect_equal(run(world, {}), run(world, retiring));
}

// The only visible effect of further threads is that they did some of the work. The operating
// system decides which thread takes a piece, so several runs may be needed.
TEST(Parallel, OtherThreadsTakePart) {
  World world = random_world(5, {.nodes = 2000, .placed = 0, .pods = 20, .plain_pods = true});
  Way way{.percentage = 100, .details = false};
  std::string expected = run(world, way).hash;
  way.full = {.workers = &workers(8),
              .parallel_from = 1,
              .grain = 64,
              .measured = false,
              .ranking_from = 1};
  uint64_t rows = 0;
  for (int i = 0; i < 200 && rows == 0; ++i) {
    Trace trace = run(world, way);
    EXPECT_EQ(trace.hash, expected);
    rows = trace.rows_off_main;
  }
  EXPECT_GT(rows, 0u);
}

TEST(Parallel, OneThreadIsAlone) {
  World world = random_world(5, {.nodes = 300, .pods = 3, .plain_pods = true});
  Way way{.details = false};
  way.full = {.workers = &workers(1), .parallel_from = 1, .grain = 64, .measured = false};
  EXPECT_EQ(run(world, way).rows_off_main, 0u);
}

// Checks that random worlds reach scores and refusals often enough.
TEST(Worlds, ReachScoresAndRefusals) {
  uint64_t scored = 0, refused = 0, decisions = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Trace trace = run(random_world(seed, {}), {});
    scored += trace.scored;
    refused += trace.refused;
    decisions += trace.decisions;
  }
  EXPECT_GT(decisions, 600u);
  EXPECT_GT(scored, decisions / 5);
  EXPECT_GT(refused, decisions / 10);
}

// Checks that a trace shows differences: by 1.34 another seed draws other nodes.
TEST(Worlds, ATraceShowsWhatDiffers) {
  World world = random_world(3, {.nodes = 50, .pods = 30, .plain_pods = true});
  const auto drawn = [&](uint64_t seed) {
    return run(world, {.seed = seed, .version = KubeVersion::k1_34});
  };
  Trace one = drawn(1);
  Trace other = drawn(2);
  EXPECT_NE(one.hash, other.hash);
  EXPECT_NE(difference(one, other), "");
  EXPECT_EQ(difference(one, drawn(1)), "");
}

}  // namespace
}  // namespace berth::tests
