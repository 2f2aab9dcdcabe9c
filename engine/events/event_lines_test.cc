#include "engine/events/event_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace berth::events {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kWall = 1'767'323'045'000'006'789;  // 2026-01-02T03:04:05.000006789Z

Event event(const std::string& name = "web-0") {
  return {.controller = "mine",
          .regarding = {.namespace_name = "shop", .name = name, .uid = "u"},
          .reason = "Scheduled",
          .action = "Binding",
          .note = "Successfully assigned shop/web-0 to node-7"};
}

struct EventLinesTest : ::testing::Test {
  MemorySink sink;
  EventLines lines{sink, "berth"};

  std::string written() {
    lines.flush();
    return {sink.bytes().begin(), sink.bytes().end()};
  }
};

TEST_F(EventLinesTest, ALineIsOneObject) {
  lines.add(event(), kWall);
  EXPECT_EQ(written(), R"({"kind":"Event","apiVersion":"events.k8s.io/v1",)"
                       R"("metadata":{"name":"web-0.1886caf21c964c85","namespace":"shop"},)"
                       R"("eventTime":"2026-01-02T03:04:05.000006Z",)"
                       R"("reportingController":"mine","reportingInstance":"mine-berth",)"
                       R"("action":"Binding","reason":"Scheduled",)"
                       R"("regarding":{"kind":"Pod","namespace":"shop","name":"web-0","uid":"u",)"
                       R"("apiVersion":"v1"},)"
                       R"("note":"Successfully assigned shop/web-0 to node-7","type":"Normal"})"
                       "\n");
}

TEST_F(EventLinesTest, NamesWhatIsRelated) {
  Event one = event();
  one.warning = true;
  one.related = EventObject{.namespace_name = "b", .name = "other"};
  lines.add(one, kWall);
  EXPECT_THAT(written(), HasSubstr(R"("related":{"kind":"Pod","namespace":"b","name":"other",)"
                                   R"("apiVersion":"v1"},"note")"));
  EXPECT_THAT(written(), HasSubstr(R"("type":"Warning"})"));
}

TEST_F(EventLinesTest, AnObjectWithoutANamespaceHasItsEventsInTheDefaultOne) {
  Event one = event("node-7");
  one.regarding.kind = "Node";
  one.regarding.namespace_name.clear();
  lines.add(one, kWall);
  EXPECT_THAT(written(), HasSubstr(R"(,"namespace":"default"})"));
  EXPECT_THAT(written(), HasSubstr(R"("regarding":{"kind":"Node","name":"node-7")"));
}

// Also equal ones, whose names differ although the clock stands still.
TEST_F(EventLinesTest, EachEventIsALine) {
  for (int i = 0; i < 3; ++i) lines.add(event(), kWall);
  lines.add(event(), kWall + 1'000);
  const std::string all = written();
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 4);
  for (const char* name : {"web-0.1886caf21c964c85", "web-0.1886caf21c964c86",
                           "web-0.1886caf21c964c87", "web-0.1886caf21c96506d"})
    EXPECT_THAT(all, HasSubstr(name));
  EXPECT_THAT(all, Not(HasSubstr("series")));
}

TEST_F(EventLinesTest, HostileTextStaysInItsLine) {
  Event one = event("a\nb");
  one.note = "\x1b[31m\n\u202e";
  lines.add(one, kWall);
  const std::string all = written();
  EXPECT_THAT(all, HasSubstr(R"("name":"a\nb")"));
  EXPECT_THAT(all, HasSubstr(R"("note":"\u001b[31m\n\u202e")"));
  EXPECT_EQ(all.find('\n'), all.size() - 1);
}

TEST_F(EventLinesTest, NotesAreCut) {
  EXPECT_EQ(cut_note(std::string(1024, 'x')), std::string(1024, 'x'));
  EXPECT_EQ(cut_note(std::string(1025, 'x')), std::string(1020, 'x') + " ...");
  EXPECT_EQ(cut_note(std::string(1019, 'x') + "\xC3\xA9" + "zzzz"),
            std::string(1019, 'x') + " ...");
  Event one = event();
  one.note = std::string(1025, 'x');
  lines.add(one, kWall);
  EXPECT_THAT(written(), HasSubstr("\"" + std::string(1020, 'x') + " ...\""));
}

TEST_F(EventLinesTest, AreWrittenWhole) {
  Event one = event();
  one.note = std::string(1000, 'x');
  size_t count = 0;
  for (; !lines.full(); ++count) lines.add(one, kWall);
  EXPECT_GT(count, 40u);
  EXPECT_TRUE(sink.bytes().empty());
  const std::string all = written();
  EXPECT_EQ(static_cast<size_t>(std::count(all.begin(), all.end(), '\n')), count);
  EXPECT_EQ(all.back(), '\n');
  EXPECT_FALSE(lines.full());
  const size_t size = sink.bytes().size();
  lines.flush();
  EXPECT_EQ(sink.bytes().size(), size);
}

TEST(EventNames, ThatAreTooLongAreUuidsOfTheirOwn) {
  EventNames names;
  const std::string fits(236, 'a'), longer(237, 'a');
  EXPECT_EQ(names.next(fits, kWall), fits + ".1886caf21c964c85");
  const std::string first = names.next(longer, kWall), second = names.next(longer, kWall);
  EXPECT_THAT(first, ContainsRegex("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                                   "[0-9a-f]{12}$"));
  EXPECT_NE(first, second);
  EXPECT_EQ(first, event_name(longer, kWall + 1));
}

}  // namespace
}  // namespace berth::events
