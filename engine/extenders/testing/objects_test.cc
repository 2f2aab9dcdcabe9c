// Extenders are sent pods and nodes, and answer with nodes.

#include "engine/extenders/objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/extenders/answered_nodes.h"
#include "engine/ingest/objects/objects.h"

namespace berth::extenders {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Objects : public testing::Test {
 protected:
  Objects() { cluster_.order_rows(); }

  model::PodId add_pod(const std::string& name, const std::string& annotation) {
    const std::string json = R"({"metadata":{"name":")" + name +
                             R"(","namespace":"default","uid":"u-)" + name +
                             R"(","annotations":{"a":")" + annotation + R"("}},"spec":{}})";
    Diagnostics faults;
    const document::Document document = document::Document::parse(json, "test", faults);
    const model::Pod pod = ingest::decode_pod(document.roots()[0], faults).value();
    const ingest::WholeObject object = ingest::whole_pod(document.roots()[0], pod);
    whole_.put({&object, 1});
    return cluster_.add_pod(pod);
  }
  std::string sent(model::PodId pod) const {
    std::string json;
    append_pod(cluster_, whole_, cluster_.pod(pod), json);
    return json;
  }
  model::Row add_node(const std::string& name) {
    model::Node node;
    node.name = name;
    cluster_.put_node(node);
    cluster_.order_rows();
    return row_of(cluster_, name);
  }

  model::Cluster cluster_;
  WholeObjects whole_{cluster_, {.objects = true, .annotations = true}};
  AnsweredNodes answered_{cluster_};
};

TEST_F(Objects, PodsAreSentWithTheirAnnotations) {
  EXPECT_THAT(sent(add_pod("w", "b")), HasSubstr(R"("annotations":{"a":"b"})"));
}

TEST_F(Objects, AnnotationsAreThoseOfTheLatestObject) {
  const auto annotation = [this](model::PodId pod, const char* key) {
    const model::StringId value =
        whole_.annotation(cluster_.pod(pod), cluster_.strings().find(key));
    return value == 0 ? "" : std::string(cluster_.text(value));
  };
  const model::PodId pod = add_pod("w", "b");
  EXPECT_EQ(annotation(pod, "a"), "b");
  EXPECT_EQ(annotation(pod, "c"), "");
  cluster_.remove_pod(pod);
  const model::PodId other = add_pod("w", "d");
  EXPECT_EQ(annotation(other, "a"), "d");
  // The former value is referred to by nobody.
  cluster_.strings().collect();
  EXPECT_EQ(cluster_.strings().find("b"), 0u);
  EXPECT_NE(cluster_.strings().find("d"), 0u);
}

TEST_F(Objects, WhatNobodyReadsIsNotKept) {
  WholeObjects annotations(cluster_, {.annotations = true});
  ingest::WholeObject object;
  object.kind = ingest::WholeObject::Kind::kNode;
  object.key = "n";
  object.json = "{}";
  annotations.put({&object, 1});
  EXPECT_EQ(annotations.size(), 0u);
  object.kind = ingest::WholeObject::Kind::kPod;
  object.key = ingest::key_of_pod("default", "w");
  annotations.put({&object, 1});
  EXPECT_EQ(annotations.size(), 1u);
  EXPECT_EQ(annotations.of_pod(cluster_.pod(add_pod("w", "b"))), nullptr);
}

TEST_F(Objects, AnotherPodOfTheNameHasNoPartOfTheFormerOne) {
  cluster_.remove_pod(add_pod("w", "b"));
  model::Pod pod;
  pod.name = "w";
  pod.namespace_name = "default";
  pod.uid = "another";
  EXPECT_THAT(sent(cluster_.add_pod(pod)), Not(HasSubstr("annotations")));
}

TEST_F(Objects, ObjectsThatAreGoneAreForgotten) {
  const model::PodId stays = add_pod("stays", "b");
  for (int i = 0; i < 10'000; ++i) cluster_.remove_pod(add_pod("p" + std::to_string(i), "b"));
  EXPECT_LE(whole_.size(), 4097u);
  EXPECT_THAT(sent(stays), HasSubstr("annotations"));
}

TEST_F(Objects, AnUnknownNodeIsPartOfTheClusterWhileTheDecisionLasts) {
  const model::Row known = add_node("a");
  answered_.begin();
  const model::Row row = answered_.take({"b", R"({"metadata":{"name":"b","labels":{"l":"1"}}})"});
  EXPECT_EQ(row, known + 1);
  EXPECT_EQ(cluster_.node_name(row), "b");
  EXPECT_THAT(*answered_.json(row), HasSubstr("labels"));
  EXPECT_EQ(answered_.json(known), nullptr);
  answered_.settle({known, row});
  EXPECT_EQ(row_of(cluster_, "b"), row);
  answered_.end();
  EXPECT_EQ(row_of(cluster_, "b"), model::kNoRow);
  cluster_.order_rows();
  EXPECT_EQ(cluster_.nodes().rows(), 1u);
}

TEST_F(Objects, AnUnknownNodeThatDoesNotPassLeavesNoRow) {
  const model::Row known = add_node("a");
  answered_.begin();
  static_cast<void>(answered_.take({"b", R"({"metadata":{"name":"b"}})"}));
  answered_.settle({known});
  EXPECT_EQ(cluster_.nodes().rows(), 1u);
  EXPECT_EQ(cluster_.node_name(known), "a");
}

TEST_F(Objects, AnAnsweredObjectThatIsNoNodeIsAnError) {
  answered_.begin();
  EXPECT_THROW(answered_.take({"b", R"({"metadata":{"name":"b"},"status":{"allocatable":7}})"}),
               Error);
}

}  // namespace
}  // namespace berth::extenders
