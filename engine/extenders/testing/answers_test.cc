#include "engine/extenders/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/extenders/http_client.h"

namespace berth::extenders {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Pair;

std::string refused(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.message();
  }
  return "accepted";
}

TEST(FilterAnswer, KeysMayHaveAnyCase) {
  const FilterAnswer answer = read_filter_answer(
      R"({"nodenames":["a","b"],"Nodes":null,"FAILEDNODES":{"c":"full"},"more":1,
          "failedAndUnresolvableNodes":{"d":"gone"},"error":""})");
  EXPECT_FALSE(answer.nodes);
  EXPECT_THAT(*answer.node_names, ElementsAre("a", "b"));
  EXPECT_THAT(answer.failed, ElementsAre(Pair("c", "full")));
  EXPECT_THAT(answer.failed_for_good, ElementsAre(Pair("d", "gone")));
}

TEST(FilterAnswer, NoNamesAreNotAnEmptyList) {
  EXPECT_FALSE(read_filter_answer("{}").node_names);
  EXPECT_FALSE(read_filter_answer("null").nodes);
  EXPECT_TRUE(read_filter_answer(R"({"NodeNames":[]})").node_names->empty());
  const FilterAnswer objects =
      read_filter_answer(R"({"Nodes":{"items":[{"metadata":{"name":"a","labels":{}}},{}]}})");
  EXPECT_THAT(*objects.nodes,
              ElementsAre(Field(&AnsweredNode::name, "a"), Field(&AnsweredNode::name, "")));
}

TEST(FilterAnswer, WrongTypesAreRefused) {
  for (const char* text : {"", "{not json", "3", "[]", R"({"NodeNames":{}})",
                           R"({"NodeNames":[1]})", R"({"Nodes":[]})", R"({"Nodes":{"items":[1]}})",
                           R"({"FailedNodes":{"a":1}})", R"({"Error":[]})", "{} {}"})
    EXPECT_NE(refused([&] { read_filter_answer(text); }), "accepted") << text;
  EXPECT_EQ(refused([] { read_filter_answer(R"({"FailedNodes":[]})"); }),
            "FailedNodes must be of kind object, not array");
}

TEST(Priorities, AreWholeNumbers) {
  EXPECT_THAT(read_priorities(R"([{"Host":"a","Score":-3},{"host":"b"}])"),
              ElementsAre(Pair("a", -3), Pair("b", 0)));
  EXPECT_TRUE(read_priorities("null").empty());
  for (const char* text : {R"([{"Score":1.5}])", R"([{"Score":99999999999999999999}])", "{}"})
    EXPECT_NE(refused([&] { read_priorities(text); }), "accepted") << text;
}

TEST(PreemptionAnswer, NamesVictimsByUid) {
  const auto answer = read_preemption_answer(
      R"({"NodeNameToMetaVictims":{"a":{"Pods":[{"UID":"1"},{"UID":"2"}],"NumPDBViolations":1},
          "b":null}})");
  ASSERT_EQ(answer.size(), 2u);
  EXPECT_THAT(answer[0].uids, ElementsAre("1", "2"));
  EXPECT_EQ(answer[0].violations, 1);
  EXPECT_TRUE(answer[1].uids.empty());
}

TEST(Url, IsSplit) {
  const Url url = Url::parse("https://[::1]:8443/a/b//");
  EXPECT_TRUE(url.tls);
  EXPECT_EQ(url.host + " " + url.port + " " + url.path, "::1 8443 /a/b");
  EXPECT_EQ(url.host_header(), "[::1]:8443");
  EXPECT_EQ(Url::parse("http://host").host_header(), "host");
  EXPECT_EQ(Url::parse("https://host/").port, "443");
  for (const char* text : {"", "host", "ftp://host", "http://", "http://host:", "http://host:a/",
                           "http://u@host", "http://h o", "http://[::1", "http:///a"})
    EXPECT_THAT(refused([&] { Url::parse(text); }), HasSubstr("is no URL")) << text;
}

// Nothing listens there.
TEST(HttpClient, NamesWhatItCannotReach) {
  config::Extender extender;
  extender.url_prefix = "http://127.0.0.1:1/a";
  HttpClient client(extender);
  EXPECT_THAT(refused([&] { client.post("filter", "{}"); }),
              HasSubstr("cannot connect to 127.0.0.1:1"));
}

TEST(HttpClient, RefusesKeysThatCannotBeUsed) {
  config::Extender extender;
  extender.url_prefix = "https://localhost";
  extender.tls.emplace().ca_data = "no certificate";
  EXPECT_THAT(refused([&] { HttpClient client(extender); }), HasSubstr("cannot use the CA"));
  extender.tls->insecure = true;
  EXPECT_THAT(refused([&] { HttpClient client(extender); }), HasSubstr("remove either"));
}

}  // namespace
}  // namespace berth::extenders
