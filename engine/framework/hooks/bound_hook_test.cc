// Growth of the tables of bound hooks, and what a collection drops.

#include "engine/framework/hooks/bound_hook.h"

#include <gtest/gtest.h>

#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakePlugin;
using testing::FakeWorld;

class GrowthTest : public ::testing::Test {
 protected:
  // Follows the template (its state is the priority), the labels, or each pod by its name.
  BoundHook& bind(const std::string& input) {
    plugin_.filter_hook.inputs = {input};
    plugin_.filter_hook.prepare = [this](const berth_template& pod) -> int64_t {
      ++prepared_;
      const berth_column& column = pod.columns[0];
      const bool priority = column.data != nullptr && column.type == BERTH_I64;
      return priority ? *static_cast<const int64_t*>(column.data) : 0;
    };
    plugin_.filter = [](const FakeCall&, size_t) -> uint8_t { return BERTH_SUCCESS; };
    profile_ = world_.profile({&plugin_});
    return profile_->filter[0].bound;
  }
  model::PodRecord pod(int number) {
    model::Pod made = FakeWorld::pod("p" + std::to_string(number));
    made.spec.priority = number;
    made.spec.labels = {{"app", std::to_string(number)}};
    return world_.cluster().record_of(made);
  }
  int64_t state(BoundHook& bound, const model::PodRecord& of) {
    return *static_cast<const int64_t*>(bound.of(of, world_.calls()).prepared.state());
  }

  FakeWorld world_{1};
  FakePlugin plugin_{"Plugin"};
  std::unique_ptr<Profile> profile_;
  int prepared_ = 0;
};

TEST_F(GrowthTest, ACodeOfADictionaryIsToldByANodeThatHasIt) {
  plugin_.filter_hook.space = "node.taints";
  const BoundHook& bound = bind("pod.priority");
  EXPECT_EQ(bound.code_text(0), "node \"n0\"");
  EXPECT_EQ(bound.code_text(7), "code 7 of node.taints");
}

// A plugin tells by it that the table is the one that it saw.
TEST_F(GrowthTest, ACopyOfATableHasItsGeneration) {
  BoundHook& bound = bind("cluster.epoch:weather");
  world_.cluster().raise_epoch(world_.cluster().find_column("cluster.epoch:weather"));
  const model::PodRecord of = pod(1), *record = &of;
  const model::Row row = 0;
  CallColumns out;
  bound.gather_pods(nullptr, {&record, 1}, {&row, 1}, out);
  const uint64_t generation = out.columns[0].generation;
  EXPECT_NE(generation, 0u);
  bound.copy_tables(out);
  EXPECT_EQ(out.columns[0].generation, generation);
}

class GrowthByInputTest : public GrowthTest, public ::testing::WithParamInterface<const char*> {};

// 40,000 pods, each of another signature: tables level off, and states with them.
TEST_P(GrowthByInputTest, EverNewSignaturesDoNotGrowTheTables) {
  BoundHook& bound = bind(GetParam());
  size_t most_states = 0, early_bytes = 0, most_bytes = 0;
  for (int i = 0; i < 40'000; ++i) {
    bound.of(pod(i), world_.calls());
    if (i % 256 == 0) profile_->collect_if_grown();
    most_states = std::max(most_states, bound.signatures());
    if (i % 1000 != 0) continue;
    (i <= 15'000 ? early_bytes : most_bytes) =
        std::max(i <= 15'000 ? early_bytes : most_bytes, bound.table_bytes());
  }
  EXPECT_EQ(prepared_, 40'000);
  EXPECT_LT(most_states, 13'000u);
  EXPECT_LE(most_bytes, early_bytes + early_bytes / 4);
}

INSTANTIATE_TEST_SUITE_P(Inputs, GrowthByInputTest,
                         ::testing::Values("pod.priority", "pod.label:app", "pod.label:*",
                                           "pod.name"));

TEST_F(GrowthTest, ACollectionDropsWhatWasNotUsedSinceTheLast) {
  BoundHook& bound = bind("pod.priority");
  const model::PodRecord first = pod(1), second = pod(2);
  TemplateHook* kept = &bound.of(first, world_.calls());
  bound.of(second, world_.calls());
  EXPECT_EQ(bound.collect(), 0u);
  EXPECT_EQ(&bound.of(first, world_.calls()), kept);
  EXPECT_EQ(bound.collect(), 1u);
  EXPECT_EQ(bound.signatures(), 1u);
  EXPECT_EQ(&bound.of(first, world_.calls()), kept);
  EXPECT_EQ(prepared_, 2);
  EXPECT_EQ(state(bound, second), 2);
  EXPECT_EQ(prepared_, 3);
}

// Numbers are given out again: a pod must never find the state of another.
TEST_F(GrowthTest, StatesAreThoseOfTheirPodsAfterCollections) {
  BoundHook& bound = bind("pod.priority");
  std::vector<model::PodRecord> pods;
  for (int i = 0; i < 600; ++i) pods.push_back(pod(i));
  uint32_t random = 1;
  for (int i = 0; i < 50'000; ++i) {
    random = random * 1'664'525 + 1'013'904'223;
    const uint32_t number = (random >> 16) % 600 * ((random >> 8) % 2);
    ASSERT_EQ(state(bound, pods[number]), number);
    if (i % 50 == 0) bound.collect();
    if (i % 7'000 == 0) bound.forget_states();
  }
  EXPECT_LT(bound.signatures(), 200u);
}

}  // namespace
}  // namespace berth::framework
