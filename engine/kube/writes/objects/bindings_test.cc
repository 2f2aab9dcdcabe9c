#include "engine/kube/writes/objects/bindings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/kube/writes/writes_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using testing::answer_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::refusal_answer;

constexpr const char* kPath = "/api/v1/namespaces/default/pods/f-000000";

struct BindingsTest : ::testing::Test {
  testing::VirtualLoop loop;
  testing::PlayedHttp http{loop};
  bool may_write = true;
  Sender sender{http, loop, {}, [this] { return may_write; }};
  std::vector<std::string> answers;
  Bindings bindings{sender, [this](uint64_t number, const BindResult& result) {
                      constexpr const char* kNames[] = {"bound", "failed", "conflict"};
                      answers.push_back(std::to_string(number) + " " +
                                        kNames[static_cast<size_t>(result.kind)] + " " +
                                        result.message);
                    }};

  void bind(uint64_t number = 7) {
    bindings.bind(number, {"default", "f-000000", "uid-0"}, "n-00000");
    loop.run();
  }
  // Binds, and the server says that.
  void bind_answered(const Answer& answer) {
    bind();
    http.answer(http.seen.size() - 1, answer);
  }
  // The pod, as a read finds it.
  static Answer pod(const std::string& uid, const std::string& node) {
    return answer_of(200, R"({"kind":"Pod","metadata":{"name":"f-000000","uid":")" + uid +
                              R"("},"spec":{)" +
                              (node.empty() ? "" : R"("nodeName":")" + node + '"') + "}}");
  }
};

TEST_F(BindingsTest, AreSentAsKubeSchedulerDoes) {
  bind();
  EXPECT_THAT(http.lines(),
              ElementsAre(std::string("POST ") + kPath +
                          R"(/binding {"apiVersion":"v1","kind":"Binding","metadata":{"name":)"
                          R"("f-000000","namespace":"default","uid":"uid-0"},)"
                          R"("target":{"kind":"Node","name":"n-00000"}})"));
  EXPECT_EQ(http.seen[0].request.content_type, "application/json");
  http.answer(0, answer_of(201, R"({"kind":"Status","apiVersion":"v1","status":"Success"})"));
  EXPECT_THAT(answers, ElementsAre("7 bound "));
}

TEST_F(BindingsTest, OfPodsOfOthersAreConflicts) {
  const std::string cannot = R"(Operation cannot be fulfilled on pods/binding \"f-000000\": )";
  const std::string texts[] = {
      cannot + R"(pod f-000000 is already assigned to node \"n-00000\")",
      cannot + "pod f-000000 is being deleted, cannot be assigned to a host",
      "Operation cannot be fulfilled on pods \\\"f-000000\\\": StorageError: invalid object, Code: "
      "4, Key: /registry/pods/default/f-000000, Precondition failed: UID in precondition: uid-0, "
      "UID in object meta: uid-1"};
  for (const std::string& text : texts) {
    answers.clear();
    bind_answered(refusal_answer(409, "Conflict", text));
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_THAT(answers[0], ::testing::StartsWith("7 conflict Operation cannot be fulfilled on "));
  }
  EXPECT_EQ(http.seen.size(), std::size(texts));
}

TEST_F(BindingsTest, FailWithTheServersWords) {
  bind_answered(refusal_answer(404, "NotFound", R"(pods \"f-000000\" not found)"));
  bind_answered(refusal_answer(403, "Forbidden", "pods is forbidden"));
  bind_answered(
      refusal_answer(409, "Conflict", "pod f-000000 has non-empty .spec.schedulingGates"));
  bind_answered(answer_of(429));
  bind_answered(testing::unsent_answer("connection refused"));
  EXPECT_THAT(answers,
              ElementsAre("7 failed pods \"f-000000\" not found", "7 failed pods is forbidden",
                          "7 failed pod f-000000 has non-empty .spec.schedulingGates",
                          "7 failed the server has received too many requests and has asked us to "
                          "try again later (post pods f-000000)",
                          "7 failed connection refused"));
  EXPECT_EQ(http.seen.size(), 5u);
  EXPECT_EQ(sender.counts(WriteKind::kBinding).failed, 5u);
}

TEST_F(BindingsTest, AreReadIfTheAnswerSaysNothing) {
  const Answer unclear[] = {
      testing::lost_answer(), answer_of(500), testing::later_answer(504, 1s),
      refusal_answer(409, "Conflict", "Operation cannot be fulfilled: etcdserver: timed out")};
  for (const Answer& one : unclear) {
    bind_answered(one);
    ASSERT_EQ(http.lines().back(), std::string("GET ") + kPath);
    http.answer(http.seen.size() - 1, pod("uid-0", "n-00000"));
  }
  EXPECT_THAT(answers, ElementsAre("7 bound ", "7 bound ", "7 bound ", "7 bound "));
  EXPECT_EQ(http.seen.size(), 8u);
}

TEST_F(BindingsTest, AreWhatTheReadFinds) {
  const Answer finds[] = {pod("uid-0", "n-00001"), pod("uid-1", "n-00000"),
                          refusal_answer(404, "NotFound", R"(pods \"f-000000\" not found)"),
                          pod("uid-0", "")};
  for (const Answer& one : finds) {
    bind_answered(testing::lost_answer("reset by peer"));
    http.answer(http.seen.size() - 1, one);
  }
  EXPECT_THAT(answers,
              ElementsAre("7 conflict pod f-000000 is already assigned to node \"n-00001\"",
                          "7 failed pods \"f-000000\" not found",
                          "7 failed pods \"f-000000\" not found", "7 failed reset by peer"));
}

// A server that was started again forbids all for a moment; the pod may be bound all the same.
TEST_F(BindingsTest, AreReadAgainWhereReadsAreForbidden) {
  const auto forbid = [&] {
    http.answer(http.seen.size() - 1, refusal_answer(403, "Forbidden", "no"));
    loop.run_for(15s);
  };
  bind_answered(testing::lost_answer());
  forbid();
  http.answer(2, pod("uid-0", "n-00000"));
  EXPECT_THAT(answers, ElementsAre("7 bound "));
  bind_answered(testing::lost_answer("reset by peer"));
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(answers.size(), 1u);
    forbid();
  }
  EXPECT_THAT(answers, ElementsAre("7 bound ", "7 failed reset by peer"));
}

// 200 ms, doubled up to 10 s, and up to half more.
TEST_F(BindingsTest, AreReadUntilTheServerAnswers) {
  bind_answered(testing::lost_answer());
  const Answer none[] = {testing::unsent_answer(), testing::lost_answer(), answer_of(503),
                         answer_of(200, "<html>"), answer_of(401),         answer_of(429)};
  Time wait = 200ms;
  for (size_t i = 1; i < 40; ++i) {
    ASSERT_EQ(http.seen.size(), i + 1);
    http.answer(i, none[i % std::size(none)]);
    loop.run_for(wait - 1ns);
    ASSERT_EQ(http.seen.size(), i + 1) << "too early";
    loop.run_for(wait / 2 + 1ns);
    wait = std::min<Time>(wait * 2, 10s);
  }
  EXPECT_THAT(answers, IsEmpty());
  http.answer(40, pod("uid-0", "n-00000"));
  EXPECT_THAT(answers, ElementsAre("7 bound "));
  for (size_t i = 1; i < http.seen.size(); ++i)
    EXPECT_EQ(http.seen[i].request.method, Method::kGet);
}

TEST_F(BindingsTest, AreReadWithoutTheLease) {
  bind_answered(testing::lost_answer());
  may_write = false;
  http.answer(1, answer_of(503));
  loop.run_for(300ms);
  http.answer(2, pod("uid-0", "n-00000"));
  EXPECT_THAT(answers, ElementsAre("7 bound "));
}

TEST_F(BindingsTest, FailWhereAReadIsStopped) {
  bind_answered(testing::lost_answer("reset by peer"));
  bool done = false;
  sender.finish(1s, [&] { done = true; });
  loop.run_for(1s);
  EXPECT_TRUE(done);
  EXPECT_THAT(answers, ElementsAre("7 failed reset by peer"));
}

}  // namespace
}  // namespace berth::kube
