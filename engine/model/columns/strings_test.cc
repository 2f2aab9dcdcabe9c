#include "engine/model/columns/strings.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace berth::model {
namespace {

TEST(CountedStrings, GoWithTheirLastReference) {
  Strings strings;
  const StringId id = strings.intern_counted("a");
  strings.retain(id);
  strings.collect();
  EXPECT_EQ(strings.text(id), "a");
  strings.release(id);
  EXPECT_EQ(strings.text(id), "a") << "until the next collection";
  strings.collect();
  EXPECT_EQ(strings.find("a"), 0u);
  EXPECT_EQ(strings.intern_counted("b"), id) << "the id is used again";
}

TEST(CountedStrings, StayOnceSomebodyInternsThemForGood) {
  Strings strings;
  const StringId id = strings.intern_counted("a");
  EXPECT_EQ(strings.intern("a"), id);
  strings.collect();
  EXPECT_EQ(strings.text(id), "a");
  const StringId pinned = strings.intern_counted("b");
  strings.pin(pinned);
  strings.collect();
  EXPECT_EQ(strings.text(pinned), "b");
}

RC_GTEST_PROP(CountedStrings, AreThereExactlyWhileTheyAreRetained,
              (std::vector<std::pair<uint8_t, uint8_t>> steps)) {
  Strings strings;
  std::map<std::string, std::pair<StringId, int>> expected;
  for (const auto& [name, what] : steps) {
    // Of 0 to 45 characters: the longest does not fit into its entry.
    const std::string text(size_t{name} % 16 * 3, static_cast<char>('a' + name % 16));
    const auto at = expected.find(text);
    if (what % 3 == 0 && at != expected.end()) {
      strings.release(at->second.first);
      if (--at->second.second == 0) expected.erase(at);
    } else if (what % 3 == 1) {
      strings.collect();
    } else {
      const StringId id = strings.intern_counted(text);
      strings.retain(id);
      auto& entry = expected[text];
      RC_ASSERT(entry.second == 0 || entry.first == id);
      entry = {id, entry.second + 1};
    }
    for (const auto& [kept, id] : expected) {
      RC_ASSERT(strings.text(id.first) == kept);
      RC_ASSERT(strings.find(kept) == id.first);
    }
  }
  strings.collect();
  RC_ASSERT(strings.count() == expected.size());
}

}  // namespace
}  // namespace berth::model
