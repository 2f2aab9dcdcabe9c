#include "engine/kube/api/list_page.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

TEST(ListPage, IsRead) {
  std::string fault;
  const auto page = read_list_page(
      R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"t"},"items":[{},{}]})",
      fault);
  ASSERT_TRUE(page) << fault;
  EXPECT_EQ(page->resource_version, "7");
  EXPECT_EQ(page->continue_token, "t");
  EXPECT_EQ(page->items.size(), 2u);
}

TEST(ListPage, MayBeEmpty) {
  for (const char* items : {R"(,"items":null)", R"(,"items":[])", ""}) {
    std::string fault;
    const auto page =
        read_list_page(std::string(R"({"metadata":{"resourceVersion":"7"})") + items + "}", fault);
    ASSERT_TRUE(page) << fault;
    EXPECT_EQ(page->items.size(), 0u);
    EXPECT_EQ(page->continue_token, "");
  }
}

std::string page_fault(std::string_view body) {
  std::string fault;
  EXPECT_FALSE(read_list_page(body, fault));
  return fault;
}

TEST(ListPage, IsNotGuessed) {
  EXPECT_EQ(page_fault(""), "expected one JSON object");
  EXPECT_EQ(page_fault("[]"), "expected one JSON object");
  EXPECT_EQ(page_fault("{} {}"), "expected one JSON object");
  EXPECT_EQ(page_fault(R"({"metadata":{}})"), "expected a metadata.resourceVersion");
  EXPECT_EQ(page_fault(R"({"metadata":{"resourceVersion":"7"},"items":{}})"),
            "expected an array as items");
  const std::string whole = R"({"metadata":{"resourceVersion":"7"},"items":[{},{}]})";
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(page_fault(whole.substr(0, size)), "") << size;
}

TEST(WatchEvent, IsRead) {
  using Type = WatchEvent::Type;
  const std::pair<const char*, Type> types[] = {{"ADDED", Type::kAdded},
                                                {"MODIFIED", Type::kModified},
                                                {"DELETED", Type::kDeleted},
                                                {"BOOKMARK", Type::kBookmark},
                                                {"ERROR", Type::kError}};
  for (const auto& [name, type] : types) {
    std::string fault;
    const auto event = read_watch_event(
        std::string(R"({"type":")") + name + R"(","object":{"metadata":{"resourceVersion":"7"}}})",
        fault);
    ASSERT_TRUE(event) << fault;
    EXPECT_EQ(event->type, type);
    EXPECT_EQ(event->resource_version(), "7");
    EXPECT_FALSE(event->ends_initial_events());
  }
}

// Recorded from a server of v1.36.
TEST(WatchEvent, EndsInitialEvents) {
  const std::string object =
      R"("object":{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"resourceVersion":"444",)"
      R"("annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"replicas":0,"selector":null,)"
      R"("template":{"metadata":{},"spec":{"containers":null}}},"status":{"replicas":0}}})";
  std::string fault;
  EXPECT_TRUE(read_watch_event(R"({"type":"BOOKMARK",)" + object, fault)->ends_initial_events());
  EXPECT_FALSE(read_watch_event(R"({"type":"ADDED",)" + object, fault)->ends_initial_events());
}

TEST(WatchEvent, IsNotGuessed) {
  for (const char* line : {"", "{}", "[]", "1", R"({"type":"ADDED"})", R"({"object":{}})",
                           R"({"type":"added","object":{}})", R"({"type":"ADDED","object":[]})",
                           R"({"type":"ADDED","object":{})"}) {
    std::string fault;
    EXPECT_FALSE(read_watch_event(line, fault)) << line;
    EXPECT_NE(fault, "") << line;
  }
}

}  // namespace
}  // namespace berth::kube
