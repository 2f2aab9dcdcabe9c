#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Ids = std::vector<uint32_t>;
using Ints = std::vector<int64_t>;

constexpr std::string_view kColumn =
    "node.annotation:scheduler.alpha.kubernetes.io/preferAvoidPods";

// An annotation that lists these controllers, each given as "kind/uid".
std::string avoiding(std::initializer_list<std::string_view> controllers) {
  std::string text;
  for (const std::string_view one : controllers) {
    const size_t slash = one.find('/');
    text += text.empty() ? "" : ", ";
    text += R"({"podSignature": {"podController": {"apiVersion": "v1", "kind": ")";
    text += one.substr(0, slash);
    text += R"(", "name": "foo", "uid": ")";
    text += one.substr(slash + 1);
    text += R"(", "controller": true}}, "reason": "some reason", "message": "some message"})";
  }
  return R"({"preferAvoidPods": [)" + text + "]}";
}

class NodePreferAvoidPodsTest : public ::testing::Test {
 protected:
  void controller(std::string_view kind, std::string_view uid) {
    columns_.insert_or_assign("pod.controller_kind", Ids{kind.empty() ? 0 : host_.id(kind)});
    columns_.insert_or_assign("pod.controller_uid", Ids{uid.empty() ? 0 : host_.id(uid)});
  }
  void annotate(Ids texts) { columns_.insert_or_assign(std::string(kColumn), std::move(texts)); }
  Ints scores() {
    EXPECT_EQ(plugin_.pre_score(columns_), BERTH_SUCCESS);
    const Ints scores = plugin_.score(columns_);
    // The same scores if PreScore is disabled.
    Harness other(host_);
    EXPECT_EQ(other.score(columns_, 0), scores);
    return scores;
  }
  int64_t score_of(std::string_view text) {
    annotate({host_.id(text)});
    return scores()[0];
  }

  FakeHost host_;
  Harness plugin_{host_};
  Columns columns_;
};

TEST_F(NodePreferAvoidPodsTest, NodesThatAvoidTheControllerGetNothing) {
  const uint32_t first = host_.id(avoiding({"ReplicationController/abcdef123456"}));
  const uint32_t both =
      host_.id(avoiding({"ReplicaSet/qwert12345", "ReplicationController/abcdef123456"}));
  const uint32_t set = host_.id(avoiding({"ReplicaSet/qwert12345"}));
  annotate({first, 0, both, set, first});
  controller("ReplicationController", "abcdef123456");
  EXPECT_EQ(scores(), (Ints{0, 100, 0, 100, 0}));
  controller("ReplicaSet", "qwert12345");
  EXPECT_EQ(scores(), (Ints{100, 100, 0, 0, 100}));
  // Kind and uid must both match.
  controller("ReplicaSet", "abcdef123456");
  EXPECT_EQ(scores(), (Ints{100, 100, 100, 100, 100}));
}

TEST_F(NodePreferAvoidPodsTest, OtherControllersAreNotLookedAt) {
  annotate({host_.id(avoiding({"Job/a", "StatefulSet/a", "/", "/a"})), 0});
  for (const std::string_view kind : {"Job", "StatefulSet", "replicaset", ""}) {
    controller(kind, "a");
    EXPECT_EQ(scores(), (Ints{100, 100})) << kind;
  }
  controller("", "");
  EXPECT_EQ(scores(), (Ints{100, 100}));
}

TEST_F(NodePreferAvoidPodsTest, NewAnnotationsAreRead) {
  controller("ReplicaSet", "a");
  EXPECT_EQ(score_of(avoiding({"ReplicaSet/b"})), 100);
  EXPECT_EQ(score_of(avoiding({"ReplicaSet/a"})), 0);
  EXPECT_EQ(score_of(avoiding({"ReplicaSet/b"})), 100);
}

TEST_F(NodePreferAvoidPodsTest, MalformedAnnotationsAvoidNobody) {
  controller("ReplicaSet", "a");
  const std::string good = avoiding({"ReplicaSet/a"});
  EXPECT_EQ(score_of(good), 0);
  const std::string entry = good.substr(good.find('[') + 1, good.rfind(']') - good.find('[') - 1);
  for (const std::string& bad :
       {std::string(""), std::string("null"), std::string("7"), "[" + entry + "]", good + good,
        good.substr(0, good.size() - 1), std::string(R"({"preferAvoidPods": {}})"),
        std::string(R"({"preferAvoidPods": null})"), "{\"preferAvoidPods\": [" + entry + ", 7]}",
        "{\"preferAvoidPods\": [" + entry + R"(, {"podSignature": []}]})",
        "{\"preferAvoidPods\": [" + entry + R"(, {"podSignature": {"podController": "x"}}]})",
        "{\"preferAvoidPods\": [" + entry +
            R"(, {"podSignature": {"podController": {"kind": 1}}}]})",
        "{\"preferAvoidPods\": [" + entry +
            R"(, {"podSignature": {"podController": {"uid": []}}}]})"})
    EXPECT_EQ(score_of(bad), 100) << bad;
  // An empty entry does not make the others malformed.
  for (const std::string_view empty :
       {"null", "{}", R"({"podSignature": null})", R"({"podSignature": {"podController": null}})",
        R"({"podSignature": {"podController": {"kind": null, "uid": null}}})"})
    EXPECT_EQ(score_of("{\"preferAvoidPods\": [" + std::string(empty) + ", " + entry + "]}"), 0)
        << empty;
}

TEST_F(NodePreferAvoidPodsTest, NamesMatchAsGoMatchesThem) {
  controller("ReplicaSet", "a");
  EXPECT_EQ(score_of(R"({"PREFERavoidPods": [{"podsignature": {"PodController":
                      {"Kind": "ReplicaSet", "UID": "b", "uid": "a"}}}]})"),
            0);
  EXPECT_EQ(score_of(R"({"preferAvoidPod": [{"podSignature": {"podController":
                      {"kind": "ReplicaSet", "uid": "a"}}}]})"),
            100);
}

TEST_F(NodePreferAvoidPodsTest, DepthIsHarmless) {
  controller("ReplicaSet", "a");
  EXPECT_EQ(score_of(std::string(1'000'000, '[')), 100);
}

TEST_F(NodePreferAvoidPodsTest, ScoresAreFinal) {
  const auto* score = plugin_.table<berth_score>(BERTH_SCORE);
  EXPECT_EQ(score->normalise, BERTH_NORMALISE_NONE);
  EXPECT_EQ(score->hook->depends, BERTH_DEPENDS_DECLARED);
  EXPECT_EQ(Harness::validate("{}"), std::vector<std::string>{"takes no arguments"});
}

}  // namespace
}  // namespace berth::plugins::testing
