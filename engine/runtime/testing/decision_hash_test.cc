#include "engine/runtime/scheduling/decision_hash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace berth::runtime {
namespace {

using framework::Decision;
using framework::Outcome;

struct Pod {
  std::string namespace_name = "default", name = "web-1", node = "node-1";
  Decision decision;
};

Pod scheduled() {
  Pod pod;
  pod.decision.outcome = Outcome::kScheduled;
  pod.decision.evaluated = 7;
  pod.decision.next_start = 9;
  pod.decision.draw = 0x1234;
  return pod;
}

Pod refused() {
  Pod pod = scheduled();
  pod.node.clear();
  pod.decision.outcome = Outcome::kUnschedulable;
  pod.decision.draw = 0;
  pod.decision.reasons = {{"Insufficient cpu", 3}, {"Too many pods", 1}};
  return pod;
}

std::string hash_of(const std::vector<Pod>& pods) {
  DecisionHash hash;
  for (const Pod& pod : pods) hash.add(pod.namespace_name, pod.name, pod.node, pod.decision);
  return hash.to_string();
}

using Change = std::pair<const char*, std::function<void(Pod&)>>;

void expect_each_to_count(const Pod& pod, const std::vector<Change>& changes) {
  std::set<std::string> hashes{hash_of({pod})};
  for (const auto& [what, change] : changes) {
    Pod changed = pod;
    change(changed);
    EXPECT_TRUE(hashes.insert(hash_of({changed})).second) << what;
  }
}

TEST(DecisionHash, EveryPartOfAPlacementCounts) {
  expect_each_to_count(scheduled(), {{"pod", [](Pod& p) { p.name = "web-2"; }},
                                     {"namespace", [](Pod& p) { p.namespace_name = "team"; }},
                                     {"node", [](Pod& p) { p.node = "node-2"; }},
                                     {"draw", [](Pod& p) { p.decision.draw = 0x1235; }},
                                     {"evaluated", [](Pod& p) { p.decision.evaluated = 8; }},
                                     {"start index", [](Pod& p) { p.decision.next_start = 10; }}});
}

TEST(DecisionHash, EveryPartOfARefusalCounts) {
  expect_each_to_count(refused(),
                       {{"pod", [](Pod& p) { p.name = "web-2"; }},
                        {"a reason", [](Pod& p) { p.decision.reasons["Insufficient memory"] = 1; }},
                        {"a count", [](Pod& p) { p.decision.reasons["Too many pods"] = 2; }},
                        {"none", [](Pod& p) { p.decision.reasons.clear(); }},
                        {"evaluated", [](Pod& p) { p.decision.evaluated = 8; }},
                        {"start index", [](Pod& p) { p.decision.next_start = 10; }}});
}

TEST(DecisionHash, WithoutReasonsTheMessageCounts) {
  Pod pod = refused();
  pod.decision.reasons.clear();
  expect_each_to_count(pod, {{"message", [](Pod& p) { p.decision.message = "no nodes"; }},
                             {"other", [](Pod& p) { p.decision.message = "plugin failed"; }}});
}

TEST(DecisionHash, OrderCounts) {
  Pod first = scheduled(), second = scheduled();
  second.name = "web-2";
  EXPECT_NE(hash_of({first, second}), hash_of({second, first}));
  EXPECT_NE(hash_of({first}), hash_of({first, first}));
  EXPECT_EQ(hash_of({first, second}), hash_of({first, second}));
}

// Where one name ends and the next begins counts as well.
TEST(DecisionHash, NamesDoNotRunIntoEachOther) {
  Pod a = scheduled(), b = scheduled();
  a.namespace_name = "ab";
  a.name = "c";
  b.namespace_name = "a";
  b.name = "bc";
  EXPECT_NE(hash_of({a}), hash_of({b}));
}

// However long texts are, the hash is that of all bytes in turn.
TEST(DecisionHash, IsThatOfTheBytes) {
  std::string bytes;
  const auto number = [&](uint64_t value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::vector<Pod> pods;
  for (const size_t size : {1, 2039, 2040, 2041, 2048, 5000, 10, 0, 3}) {
    Pod& pod = pods.emplace_back(scheduled());
    pod.name = std::string(size, static_cast<char>('a' + pods.size()));
    for (const std::string& text : {pod.namespace_name, pod.name, pod.node}) {
      number(text.size());
      bytes += text;
    }
    number(pod.decision.draw);
    number(pod.decision.evaluated);
    number(pod.decision.next_start);
  }
  EXPECT_EQ(hash_of(pods), fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size())));
}

TEST(DecisionHash, RowNumbersDoNotCount) {
  Pod other = scheduled();
  other.decision.row = 17;
  EXPECT_EQ(hash_of({scheduled()}), hash_of({other}));
}

TEST(DecisionHash, PrintsSixteenDigits) {
  EXPECT_EQ(DecisionHash().to_string().size(), 16u);
  EXPECT_EQ(hash_of({scheduled()}).find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace berth::runtime
