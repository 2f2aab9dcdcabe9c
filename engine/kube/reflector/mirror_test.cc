#include "engine/kube/reflector/mirror.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/kube/reflector/testing.h"

namespace berth::kube {
namespace {

using model::Operation;

// A mirror, and what it says of each object that it takes.
struct Mirrored {
  explicit Mirrored(std::string_view kind)
      : mirror(*find_served(kind), false, [this](std::string text) { faults.push_back(text); }),
        served(*find_served(kind)) {}

  std::string take(Operation operation, const std::string& json) {
    Diagnostics unread;
    const auto document = document::Document::parse(json, "", unread);
    std::vector<Watched> changes;
    mirror.take(operation, document.roots()[0], changes);
    return told(std::move(changes));
  }
  std::string added(const std::string& json) { return take(Operation::kAdded, json); }
  std::string end_list() {
    std::vector<Watched> changes;
    mirror.end_list(changes);
    return told(std::move(changes));
  }
  std::string told(std::vector<Watched> changes) {
    if (changes.empty()) return "";
    sink.take(served, std::move(changes));
    return sink.take_log().front();
  }

  Texts faults;
  Mirror mirror;
  const ServedKind& served;
  RecordingSink sink;
};

TEST(Mirror, ComparesVersions) {
  Mirrored nodes("Node");
  EXPECT_EQ(nodes.added(object_json("a", "9")), "ADDED a 9");
  EXPECT_EQ(nodes.added(object_json("a", "9")), "");
  EXPECT_EQ(nodes.take(Operation::kModified, object_json("a", "9")), "");
  EXPECT_EQ(nodes.added(object_json("a", "10")), "MODIFIED a 10");
  EXPECT_EQ(nodes.take(Operation::kModified, object_json("a", "9")), "MODIFIED a 9")
      << "they are texts";
  EXPECT_EQ(nodes.take(Operation::kModified, object_json("b", "9")), "ADDED b 9");
  EXPECT_EQ(nodes.take(Operation::kDeleted, object_json("c", "9")), "");
  EXPECT_EQ(nodes.take(Operation::kDeleted, object_json("b", "11")), "DELETED b");
  EXPECT_EQ(nodes.take(Operation::kDeleted, object_json("b", "11")), "");
  EXPECT_EQ(nodes.mirror.size(), 1u);
}

TEST(Mirror, TellsObjectsOfOneNameApart) {
  Mirrored nodes("Node");
  nodes.added(object_json("a", "1", "first"));
  EXPECT_EQ(nodes.added(object_json("a", "1", "second")), "DELETED a, ADDED a 1");
  ASSERT_NE(nodes.mirror.find("", "a"), nullptr);
  EXPECT_EQ(nodes.mirror.find("", "a")->uid, "second");
}

TEST(Mirror, FindsVersions) {
  Mirrored pods("Pod");
  pods.added(object_json("x/a", "1", "u1"));
  pods.added(object_json("y/a", "2", "u2"));
  pods.added(object_json("x/a", "3", "u1"));
  ASSERT_NE(pods.mirror.find("x", "a"), nullptr);
  EXPECT_EQ(pods.mirror.find("x", "a")->resource_version, "3");
  EXPECT_EQ(pods.mirror.find("y", "a")->uid, "u2");
  EXPECT_EQ(pods.mirror.find("z", "a"), nullptr);
  EXPECT_EQ(pods.mirror.find("", "a"), nullptr);
}

TEST(Mirror, MissesWhatAListDoesNotHave) {
  Mirrored pods("Pod");
  pods.mirror.begin_list();
  for (const char* name : {"x/c", "x/a", "y/b", "x/d"}) pods.added(object_json(name, "1"));
  EXPECT_EQ(pods.end_list(), "");
  pods.mirror.begin_list();
  pods.added(object_json("x/a", "1"));
  pods.mirror.begin_list();  // anew: what came before does not count
  EXPECT_EQ(pods.added(object_json("x/d", "1")), "");
  EXPECT_EQ(pods.added(object_json("x/e", "2")), "ADDED x/e 2");
  EXPECT_EQ(pods.end_list(), "DELETED x/a, DELETED x/c, DELETED y/b");
}

constexpr const char* kBad =
    R"({"metadata":{"name":"a","uid":"u","resourceVersion":"2","labels":7}})";
constexpr const char* kOtherBad =
    R"({"metadata":{"name":"a","uid":"other","resourceVersion":"2","labels":7}})";

TEST(Mirror, LeavesOutWhatCannotBeDecoded) {
  Mirrored nodes("Node");
  nodes.mirror.begin_list();
  EXPECT_EQ(nodes.added(kBad), "");
  ASSERT_EQ(nodes.faults.size(), 1u);
  EXPECT_TRUE(nodes.faults[0].starts_with("Node \"a\" is left out: metadata.labels: "))
      << nodes.faults[0];
  EXPECT_EQ(nodes.mirror.find("", "a"), nullptr);
  EXPECT_EQ(nodes.take(Operation::kDeleted, kBad), "");
  EXPECT_EQ(nodes.added(object_json("a", "1")), "ADDED a 1");
  EXPECT_EQ(nodes.added(kBad), "") << "the former version stays";
  EXPECT_EQ(nodes.mirror.find("", "a")->resource_version, "1");
  nodes.mirror.begin_list();
  EXPECT_EQ(nodes.added(kBad), "");
  EXPECT_EQ(nodes.end_list(), "") << "it is there";
  EXPECT_EQ(nodes.added(kOtherBad), "DELETED a") << "another object";
  EXPECT_EQ(nodes.added(R"({"metadata":{"uid":"u\n"}})"), "");
  EXPECT_EQ(nodes.faults.back(), "Node \"\" is left out: metadata.name: expected a name");
}

}  // namespace
}  // namespace berth::kube
