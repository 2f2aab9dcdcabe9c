#include "loadgen/play/step_pods.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace berth::loadgen {
namespace {

// The texts of the i-th pod of a test, long enough for the buffer to move several times.
struct Made {
  explicit Made(size_t i)
      : space("space-" + std::to_string(i % 7)),
        name("pod-" + std::to_string(i) + std::string(i % 200, 'x')),
        uid(i % 3 == 1 ? "uid-" + std::to_string(i) : ""),
        nominated(i % 5 == 3 ? "node-" + std::to_string(i) : ""),
        controller{"apps/v1", "StatefulSet", "set-" + std::to_string(i % 11), ""} {
    for (size_t n = 0; n < i % 4; ++n)
      labels.emplace_back("key-" + std::to_string(n), "value-" + std::to_string(i));
    for (size_t n = 0; n < i % 3; ++n)
      claims.push_back("claim-" + std::to_string(n) + "-" + std::to_string(i));
  }

  std::string space, name, uid, nominated;
  std::vector<std::string> claims;
  model::StringMap labels;
  model::Controller controller;
};

void expect(const ingest::PodBatch& pods, size_t i, const Made& made) {
  EXPECT_EQ(pods.template_ids[i], i);
  EXPECT_EQ(pods.namespace_of(i), made.space);
  EXPECT_EQ(pods.names[i], made.name);
  EXPECT_EQ(pods.uids[i], made.uid);
  EXPECT_EQ(pods.nominated_nodes[i], made.nominated);
  model::StringMap labels;
  for (size_t l = i == 0 ? 0 : pods.label_ends[i - 1]; l < pods.label_ends[i]; ++l)
    labels.emplace_back(pods.labels[l]);
  EXPECT_EQ(labels, made.labels);
  const auto claims = pods.claims_of(i);
  EXPECT_TRUE(std::ranges::equal(claims, made.claims));
  ASSERT_EQ(pods.controller_of(i) != nullptr, i % 2 == 1);
  if (i % 2 == 1) {
    EXPECT_EQ(*pods.controller_of(i), made.controller);
  }
}

TEST(StepPods, KeepWhatTheyAreGiven) {
  constexpr size_t kPods = 5000;
  LoadStep step;
  StepPods pods;
  for (int round = 0; round < 2; ++round) {
    step.clear();
    pods.begin(step);
    for (size_t i = 0; i < kPods; ++i) {
      const Made made(i);
      pods.add({.template_id = static_cast<uint32_t>(i),
                .namespace_name = made.space,
                .name = made.name,
                .uid = made.uid,
                .nominated_node = made.nominated,
                .labels = made.labels,
                .claims = made.claims,
                .controller = i % 2 == 1 ? &made.controller : nullptr,
                .planned = Nanoseconds(i)});
    }
    ASSERT_EQ(pods.size(), kPods);
    for (size_t i = 0; i < kPods; ++i) expect(step.pods, i, Made(i));
    EXPECT_EQ(step.pods.namespaces.size(), 7u);
    EXPECT_EQ(step.pods.controllers.size(), 11u);
    EXPECT_EQ(step.planned.back(), Nanoseconds(kPods - 1));
  }
}

TEST(StepPods, LeaveColumnsEmptyThatNobodyUses) {
  LoadStep step;
  StepPods pods;
  pods.begin(step);
  for (const char* name : {"a", "b"}) pods.add({.namespace_name = "s", .name = name});
  EXPECT_TRUE(step.pods.uids.empty());
  EXPECT_TRUE(step.pods.nominated_nodes.empty());
  EXPECT_TRUE(step.pods.label_ends.empty());
  EXPECT_TRUE(step.pods.controller_indices.empty());
  EXPECT_TRUE(step.pods.claim_ends.empty());
}

TEST(StepPods, ComeWithNumbersAndWithNamesInOneStep) {
  LoadStep step;
  StepPods pods;
  pods.begin(step, 1);
  pods.add(0, 0, "numbered", "a", Nanoseconds(0));
  pods.add({.namespace_name = "named", .name = "b", .uid = "u", .nominated_node = "n"});
  pods.add(0, 0, "numbered", "c", Nanoseconds(0));
  EXPECT_EQ(step.pods.namespace_of(1), "named");
  EXPECT_EQ(step.pods.namespace_of(2), "numbered");
  EXPECT_EQ(step.pods.uids, (std::vector<std::string_view>{"", "u", ""}));
  EXPECT_EQ(step.pods.nominated_nodes, (std::vector<std::string_view>{"", "n", ""}));
}

}  // namespace
}  // namespace berth::loadgen
