// Lists that are read item by item to their end. What reading them gives is compared with the whole
// text's in engine/ingest.

#include "engine/document/items/list_items.h"

#include <gmock/gmock.h>

#include "engine/document/testing.h"

namespace berth::document {
namespace {

using testing::ElementsAre;
using Next = ListItems::Next;

// The items with their places, and the list or how reading ends.
Texts read(std::string_view text) {
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  const auto items = ListItems::of(source, "file");
  Texts out;
  Next next = items->next();
  for (; next == Next::kItem; next = items->next())
    out.push_back(items->item().find("b").place().to_string() + " " + to_json(items->item()));
  out.push_back(next == Next::kEnd ? to_json(items->list()) : "other");
  return out;
}

TEST(ListItems, OfJson) {
  EXPECT_THAT(
      read("\n{\"a\": 1, \"items\": [\n{\"b\": 2},\n {\"b\": [3]}], \"c\": 4}\n"),
      ElementsAre(R"(file:3:7 {"b":2})", R"(file:4:8 {"b":[3]})", R"({"a":1,"items":[],"c":4})"));
}

TEST(ListItems, OfYaml) {
  EXPECT_THAT(
      read("a: 1\nitems:\n- b: 2\n- b:\n  - 3\nc: 4\n"),
      ElementsAre(R"(file:3:6 {"b":2})", R"(file:5:3 {"b":[3]})", R"({"a":1,"items":[],"c":4})"));
  EXPECT_THAT(
      read("items: # of a list\n  # the first\n  -\n    b: 2\n\n  - {b: \"x\n    y\"}\nc: 4"),
      ElementsAre(R"(file:4:8 {"b":2})", R"(file:6:9 {"b":"x y"})", R"({"items":[],"c":4})"));
  EXPECT_THAT(read("items:\r\n- b: |\r\n    x\r\n  \r\n# end\r\n- b: y"),
              ElementsAre(R"(file:2:6 {"b":"x\n"})", R"(file:6:6 {"b":true})", R"({"items":[]})"));
}

TEST(ListItems, OfTextsThatAreReadAsAWhole) {
  EXPECT_THAT(read("items:\n- b: \"x\n- y\"\n"), ElementsAre("other"));
  EXPECT_THAT(read("items:\n- b: &a 1\n- b: *a\n"), ElementsAre(R"(file:2:6 {"b":1})", "other"));
  EXPECT_THAT(read("items:\n# \v\n- b: 1\n"), ElementsAre("other"));
  // The second item is null, and its line break a carriage return.
  EXPECT_THAT(read("items:\n- b: 1\n- \rb: 2\n"), ElementsAre(R"(file:2:6 {"b":1})", "other"));
  EXPECT_THAT(read("items: [{b: 1}]\n"), ElementsAre("other"));
  EXPECT_THAT(read("items:\n  b: 1\n"), ElementsAre("other"));
  EXPECT_THAT(read("items:\n- b: 1\n---\nitems:\n- b: 2\n"),
              ElementsAre(R"(file:2:6 {"b":1})", "other"));
  EXPECT_THAT(read("[]"), ElementsAre("other"));
  EXPECT_THAT(read(""), ElementsAre("other"));
}

}  // namespace
}  // namespace berth::document
