#include "engine/kube/api/object_reader.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace berth::kube {
namespace {

// The object is the item of a list, which has no kind.
struct Item {
  explicit Item(const std::string& json) {
    document = document::Document::parse(R"({"items":[)" + json + "]}", "", faults);
    value = *document.roots()[0].find("items").elements().begin();
  }
  Diagnostics faults;
  document::Document document;
  document::Value value;
};

constexpr const char* kPod =
    R"({"metadata":{"namespace":"a","name":"p","uid":"u","resourceVersion":"7"},)"
    R"("spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}})";

TEST(ObjectReader, ReadsMetadata) {
  const Item item(kPod);
  std::string fault;
  const auto metadata = read_metadata(*find_served("Pod"), item.value, fault);
  ASSERT_TRUE(metadata) << fault;
  EXPECT_EQ(metadata->namespace_name, "a");
  EXPECT_EQ(metadata->name, "p");
  EXPECT_EQ(metadata->uid, "u");
  EXPECT_EQ(metadata->resource_version, "7");
}

std::string metadata_fault(std::string_view kind, const std::string& metadata) {
  const Item item(R"({"metadata":)" + metadata + "}");
  std::string fault;
  EXPECT_FALSE(read_metadata(*find_served(kind), item.value, fault));
  return fault;
}

TEST(ObjectReader, WantsAllMetadata) {
  EXPECT_EQ(metadata_fault("Pod", "null"), "metadata.name: expected a name");
  EXPECT_EQ(metadata_fault("Pod", R"({"name":"../b"})"), "metadata.name: expected a name");
  EXPECT_EQ(metadata_fault("Pod", R"({"name":".."})"), "metadata.name: expected a name");
  EXPECT_EQ(metadata_fault("Pod", R"({"name":"a"})"), "metadata.namespace: expected a name");
  EXPECT_EQ(metadata_fault("Pod", R"({"name":"a","namespace":"b/c"})"),
            "metadata.namespace: expected a name");
  EXPECT_EQ(metadata_fault("Node", R"({"name":"a","namespace":"b"})"),
            "metadata.namespace: expected none for this kind");
  EXPECT_EQ(metadata_fault("Node", R"({"name":"a","resourceVersion":"7"})"),
            "metadata.uid: expected a UID");
  EXPECT_EQ(metadata_fault("Node", R"({"name":"a","uid":"u"})"),
            "metadata.resourceVersion: expected a version");
}

TEST(ObjectReader, ReadsAPod) {
  const Item item(kPod);
  std::string fault;
  const auto read = read_object(*find_served("Pod"), item.value, false, fault);
  ASSERT_TRUE(read) << fault;
  EXPECT_EQ(read->change.operation, model::Operation::kAdded);
  const auto& pod = std::get<model::TemplatePod>(read->change.object);
  EXPECT_EQ(pod.uid, "u");
  EXPECT_EQ(pod.node_name, "n");
  EXPECT_FALSE(read->whole);
}

TEST(ObjectReader, KeepsPodsAndNodesWhole) {
  std::string fault;
  const Item pod(kPod);
  const auto whole_pod = read_object(*find_served("Pod"), pod.value, true, fault);
  ASSERT_TRUE(whole_pod && whole_pod->whole) << fault;
  EXPECT_EQ(whole_pod->whole->key, ingest::key_of_pod("a", "p"));
  EXPECT_EQ(whole_pod->whole->json, kPod);
  const Item node(R"({"metadata":{"name":"n"},"status":{"allocatable":{"pods":"1"}}})");
  const auto whole_node = read_object(*find_served("Node"), node.value, true, fault);
  ASSERT_TRUE(whole_node && whole_node->whole) << fault;
  EXPECT_EQ(whole_node->whole->kind, ingest::WholeObject::Kind::kNode);
  const Item space(R"({"metadata":{"name":"s"}})");
  const auto other = read_object(*find_served("Namespace"), space.value, true, fault);
  ASSERT_TRUE(other) << fault;
  EXPECT_FALSE(other->whole);
}

TEST(ObjectReader, NamesTheFieldThatIsWrong) {
  std::string fault;
  const Item pod(R"({"metadata":{"namespace":"a","name":"p"},"spec":{"nodeName":7}})");
  EXPECT_FALSE(read_object(*find_served("Pod"), pod.value, true, fault));
  EXPECT_TRUE(fault.starts_with("spec.nodeName: ")) << fault;
}

TEST(ObjectReader, NamesDeletedObjectsOfEachKind) {
  for (const ServedKind& kind : served_kinds()) {
    const model::Change change = deleted_object(kind, kind.namespaced ? "a" : "", "x");
    EXPECT_EQ(change.operation, model::Operation::kDeleted);
    EXPECT_EQ(model::kind_of(change.object), kind.name);
    EXPECT_EQ(model::full_name(change.object), kind.namespaced ? "a/x" : "x");
  }
}

}  // namespace
}  // namespace berth::kube
