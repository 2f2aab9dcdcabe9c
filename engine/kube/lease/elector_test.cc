#include "engine/kube/lease/elector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "engine/kube/lease/process_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using lease_test::Journey;
using lease_test::json_of;
using lease_test::LeaseServer;
using lease_test::Machine;
using lease_test::Process;
using lease_test::World;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kLostInTime =
    "the lease kube-system/kube-scheduler is lost: it was not renewed within 10s";

// A Lease as others leave it, with what an election does not know.
constexpr const char* kForeign = R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
    "metadata":{"name":"kube-scheduler","namespace":"kube-system","uid":"u-1","generation":12.50,
      "labels":{"team":"a"},"annotations":{"note":"keep \"me\""}},
    "spec":{"holderIdentity":"","leaseDurationSeconds":1,"leaseTransitions":7,"renewTime":null,
      "strategy":"OldestEmulationVersion","later":[1,{"a":null}]}})";

class Elector : public testing::Test {
 protected:
  std::unique_ptr<Process> started(Machine& machine, std::string identity, uint64_t seed = 1) {
    return std::make_unique<Process>(world, machine, server, std::move(identity), seed);
  }
  void run(Time until) { world.run(until); }
  // Runs until the process leads, or `until`. Returns that time.
  Time run_until_leads(const Process& process, Time until) {
    while (!process.elector.leads() && world.now() < until) world.run(world.now() + 1ms);
    return world.now();
  }
  std::string text(const char* field) const { return server.spec(field).GetString(); }
  int number(const char* field) const { return server.spec(field).GetInt(); }

  World world;
  LeaseServer server{world};
  Machine one{world}, other{world};
};

Journey into_the_void(const Request&) { return {.request_lost = true}; }

TEST_F(Elector, CreatesTheLeaseAndRenewsItEachRetryPeriod) {
  const auto a = started(one, "a");
  EXPECT_FALSE(a->elector.leads());
  run(9s);
  EXPECT_THAT(server.taken_log(), ElementsAre("0.001 GET", "0.003 POST", "2.005 PUT", "4.007 PUT",
                                              "6.009 PUT", "8.011 PUT"));
  EXPECT_TRUE(server.all_urgent);
  EXPECT_THAT(a->heard, ElementsAre("leader a", "leading"));
  EXPECT_THAT(a->faults, IsEmpty());
  EXPECT_TRUE(a->elector.leads());
  EXPECT_EQ(json_of(server.lease["spec"]),
            R"({"holderIdentity":"a","leaseDurationSeconds":15,)"
            R"("acquireTime":"2026-07-14T09:06:40.002000Z",)"
            R"("renewTime":"2026-07-14T09:06:48.010000Z","leaseTransitions":0})");
}

TEST_F(Elector, PostsOneEvent) {
  server.set(kForeign);
  const auto a = started(one, "a\n");
  run(20s);
  EXPECT_THAT(
      server.events,
      ElementsAre(
          R"({"apiVersion":"v1","kind":"Event","metadata":{"namespace":"kube-system",)"
          R"("name":"kube-scheduler.18c21cbce46e4900"},"involvedObject":{)"
          R"("apiVersion":"coordination.k8s.io/v1","kind":"Lease","namespace":"kube-system",)"
          R"("name":"kube-scheduler","uid":"u-1","resourceVersion":"102"},)"
          R"("reason":"LeaderElection","message":"a\n became leader","type":"Normal","count":1,)"
          R"("firstTimestamp":"2026-07-14T09:06:40Z","lastTimestamp":"2026-07-14T09:06:40Z",)"
          R"("source":{"component":"default-scheduler"},)"
          R"("reportingComponent":"default-scheduler","reportingInstance":""})"));
}

TEST_F(Elector, KeepsWhatItDoesNotKnowOfALease) {
  server.set(kForeign);
  const auto a = started(one, "a");
  run(5s);
  EXPECT_TRUE(a->elector.leads());
  EXPECT_EQ(json_of(server.lease),
            R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{)"
            R"("name":"kube-scheduler","namespace":"kube-system","uid":"u-1","generation":12.5,)"
            R"("labels":{"team":"a"},"annotations":{"note":"keep \"me\""},)"
            R"("resourceVersion":"104"},)"
            R"("spec":{"strategy":"OldestEmulationVersion","later":[1,{"a":null}],)"
            R"("holderIdentity":"a","leaseDurationSeconds":15,)"
            R"("acquireTime":"2026-07-14T09:06:40.002000Z",)"
            R"("renewTime":"2026-07-14T09:06:44.006000Z","leaseTransitions":8}})");
}

TEST_F(Elector, StandbyReadsWithJitter) {
  const auto a = started(one, "a");
  run(1s);
  server.taken_log();
  const auto b = started(other, "b");
  b->wire.journey = [](const Request& request) {
    EXPECT_EQ(request.method, Method::kGet);
    return Journey{};
  };
  std::vector<Time> reads;
  for (Time time = 1s; time < 1000s; time += 100ms) {
    run(time);
    for (const auto& [when, method] : std::exchange(server.log, {}))
      if (method == Method::kGet) reads.push_back(when);
  }
  EXPECT_THAT(b->heard, ElementsAre("leader a"));
  Time shortest = 1h, longest{};
  for (size_t i = 1; i < reads.size(); ++i) {
    shortest = std::min(shortest, reads[i] - reads[i - 1]);
    longest = std::max(longest, reads[i] - reads[i - 1]);
  }
  EXPECT_GE(shortest, 2002ms);
  EXPECT_LT(shortest, 2100ms);
  EXPECT_GT(longest, 4300ms);
  EXPECT_LE(longest, 4402ms);
}

TEST_F(Elector, TakesOverAfterACrash) {
  auto a = started(one, "a");
  const auto b = started(other, "b");
  run(9s);  // the last renewal arrived at 8.011 s
  a.reset();
  const Time taken = run_until_leads(*b, 60s);
  // The renewal is seen within one retry period, and its end within another; each has jitter.
  EXPECT_GE(taken, 8011ms + 15s);
  EXPECT_LE(taken, 8011ms + 15s + 2 * 4400ms + 10ms);
  EXPECT_THAT(b->heard, ElementsAre("leader a", "leader b", "leading"));
  EXPECT_EQ(number("leaseTransitions"), 1);
  EXPECT_EQ(text("acquireTime"), text("renewTime"));
}

TEST_F(Elector, TakesOverAfterARelease) {
  const auto a = started(one, "a");
  run(1s);
  const auto b = started(other, "b");
  run(9s);
  const std::string acquired = text("acquireTime");
  bool done = false;
  server.taken_log();
  a->elector.release(3s, [&] { done = true; });
  EXPECT_FALSE(a->elector.leads());
  EXPECT_FALSE(done);
  run(9002ms);
  EXPECT_TRUE(done);
  EXPECT_THAT(server.taken_log(), ElementsAre("9.001 PUT"));
  EXPECT_EQ(json_of(server.lease["spec"]),
            R"({"holderIdentity":"","leaseDurationSeconds":1,)"
            R"("acquireTime":"2026-07-14T09:06:49.000000Z",)"
            R"("renewTime":"2026-07-14T09:06:49.000000Z","leaseTransitions":0})");
  EXPECT_LE(run_until_leads(*b, 60s), 9s + 4400ms + 100ms);
  EXPECT_EQ(number("leaseTransitions"), 1);
  server.taken_log();
  EXPECT_THAT(a->heard, ElementsAre("leader a", "leading"));
}

TEST_F(Elector, ReadsTheLeaseAgainAfterAConflict) {
  server.set(kForeign);
  const auto a = started(one, "a");
  run(5s);
  server.taken_log();
  server.lease["metadata"]["labels"]["team"] = "b";
  server.set(json_of(server.lease));
  run(7s);
  EXPECT_THAT(server.taken_log(), ElementsAre("6.009 PUT", "6.011 GET", "6.013 PUT"));
  EXPECT_THAT(a->faults, ElementsAre("PUT of lease kube-system/kube-scheduler: 409: the object has "
                                     "been modified"));
  EXPECT_TRUE(a->elector.leads());
  EXPECT_EQ(server.lease["metadata"]["labels"]["team"], "b");
  EXPECT_EQ(number("leaseTransitions"), 8);
  EXPECT_EQ(text("acquireTime"), "2026-07-14T09:06:40.002000Z");
}

TEST_F(Elector, CreatesADeletedLeaseAgain) {
  const auto a = started(one, "a");
  run(5s);
  server.taken_log();
  server.remove();
  run(7s);
  EXPECT_THAT(server.taken_log(), ElementsAre("6.009 PUT", "6.011 GET", "6.013 POST"));
  EXPECT_TRUE(a->elector.leads());
  EXPECT_EQ(server.holder(), "a");
}

TEST_F(Elector, FindsThatAWriteWithoutAnAnswerHappened) {
  const auto a = started(one, "a");
  a->wire.journey = [](const Request& request) {
    return Journey{.answer_lost = request.method == Method::kPost};
  };
  run(5s);
  EXPECT_EQ(server.holder(), "a");
  EXPECT_FALSE(a->elector.leads());
  run(5003ms);
  EXPECT_THAT(a->faults,
              ElementsAre("POST of lease kube-system/kube-scheduler: the connection was lost: no "
                          "answer in time"));
  EXPECT_LE(run_until_leads(*a, 60s), 5003ms + 4400ms + 10ms);
  EXPECT_EQ(text("acquireTime"), "2026-07-14T09:06:40.002000Z");  // that of the POST
  EXPECT_EQ(number("leaseTransitions"), 0);
}

TEST_F(Elector, RenewsAgainAfterALostAnswer) {
  const auto a = started(one, "a");
  run(1s);
  a->wire.journey = [&](const Request&) { return Journey{.answer_lost = world.now() < 3s}; };
  server.taken_log();
  run(8s);
  EXPECT_THAT(server.taken_log(), ElementsAre("2.005 PUT", "7.005 GET", "7.007 PUT"));
  EXPECT_TRUE(a->elector.leads());
  EXPECT_THAT(a->heard, ElementsAre("leader a", "leading"));
}

TEST_F(Elector, SlowAnswersDoNotEndLeadership) {
  const auto a = started(one, "a");
  a->wire.journey = [](const Request&) { return Journey{.there = 1500ms, .back = 1500ms}; };
  run(7s);
  EXPECT_TRUE(a->elector.leads());
  world.run(300s, [&] { EXPECT_TRUE(a->elector.leads()); });
  EXPECT_THAT(a->faults, IsEmpty());
}

TEST_F(Elector, IsLostAtTheRenewDeadline) {
  const auto a = started(one, "a");
  run(5s);  // the last renewal was sent at 4.006 s
  a->wire.journey = into_the_void;
  run(14005ms);
  EXPECT_TRUE(a->elector.leads());
  EXPECT_THAT(a->heard, ElementsAre("leader a", "leading"));
  run(14006ms);
  EXPECT_FALSE(a->elector.leads());
  EXPECT_THAT(a->heard, ElementsAre("leader a", "leading", kLostInTime));
  a->wire.journey = [](const Request&) { return Journey{}; };
  server.taken_log();
  run(200s);
  EXPECT_THAT(server.taken_log(), IsEmpty());
  EXPECT_EQ(a->heard.size(), 3u);
  EXPECT_EQ(a->wire.waiting(), 0u);
}

TEST_F(Elector, IsLostAtOnceToAnotherHolder) {
  const auto a = started(one, "a");
  run(5s);
  server.lease["spec"]["holderIdentity"] = "x";
  server.set(json_of(server.lease));
  run(6012ms);
  EXPECT_THAT(a->heard,
              ElementsAre("leader a", "leading", "leader x",
                          "the lease kube-system/kube-scheduler is lost: another took it"));
  EXPECT_FALSE(a->elector.leads());
  run(60s);
  EXPECT_EQ(server.holder(), "x");
}

TEST_F(Elector, ClocksOfMachinesDoNotCount) {
  const auto a = started(one, "a");
  run(1s);
  const auto b = started(other, "b");
  for (const Time jump : {60s, -60s, 0s}) {
    one.wall_ahead = jump;
    other.wall_ahead = -jump;
    world.run(world.now() + 60s, [&] { EXPECT_TRUE(a->elector.leads()); });
    EXPECT_THAT(b->heard, ElementsAre("leader a"));
  }
  one.wall_ahead = 60s;
  run(185s);
  EXPECT_EQ(text("renewTime").substr(0, 17), "2026-07-14T09:10:");  // 09:06:40 and 245 s
}

TEST_F(Elector, AProcessThatWasStoppedKnowsItAtOnce) {
  const auto a = started(one, "a");
  run(5s);
  server.taken_log();
  world.jump(30s);
  EXPECT_FALSE(a->elector.leads());
  run(35s);
  EXPECT_THAT(a->heard, ElementsAre("leader a", "leading", kLostInTime));
  EXPECT_THAT(server.taken_log(), IsEmpty());
}

TEST_F(Elector, AnAnswerAfterTheDeadlineRenewsNothing) {
  const auto a = started(one, "a");
  run(6009ms);  // the answer to the PUT of 6.008 s is under way
  EXPECT_EQ(server.log.back().second, Method::kPut);
  world.jump(8s);  // past 4.006 + 10 s, but not past 6.008 + 10 s
  EXPECT_FALSE(a->elector.leads());
  run(15s);
  EXPECT_FALSE(a->elector.leads());
  EXPECT_THAT(a->heard, ElementsAre("leader a", "leading", kLostInTime));
}

TEST_F(Elector, AnAnswerThatIsTooLateAcquiresNothing) {
  const auto a = started(one, "a");
  run(3ms);  // the answer to the POST is under way
  EXPECT_EQ(server.holder(), "a");
  world.jump(10s);
  run(10010ms);
  EXPECT_FALSE(a->elector.leads());
  EXPECT_LE(run_until_leads(*a, 60s), 10s + 4400ms + 20ms);
  EXPECT_EQ(number("leaseTransitions"), 0);
}

TEST_F(Elector, AStoppedLeaderIsOvertakenAndWritesNothing) {
  const auto a = started(one, "a");
  run(1s);
  const auto b = started(other, "b");
  run(5s);
  one.stopped_until = 60s;
  world.run(59s, [&] { EXPECT_FALSE(a->elector.leads() && b->elector.leads()); });
  EXPECT_TRUE(b->elector.leads());
  EXPECT_FALSE(a->elector.leads());
  EXPECT_EQ(a->heard.size(), 2u);
  run(100s);
  EXPECT_THAT(a->heard, ElementsAre("leader a", "leading", kLostInTime));
  EXPECT_EQ(server.holder(), "b");
}

TEST_F(Elector, AReleaseEndsWithItsLimit) {
  const auto a = started(one, "a");
  run(5s);
  a->wire.journey = into_the_void;
  bool done = false;
  a->elector.release(3s, [&] { done = true; });
  run(7999ms);
  EXPECT_FALSE(done);
  run(8s);
  EXPECT_TRUE(done);
  EXPECT_THAT(a->faults, ElementsAre("the lease was not released in time"));
  EXPECT_EQ(a->wire.waiting(), 0u);
}

TEST_F(Elector, AReleaseFollowsARenewalUnderWay) {
  const auto a = started(one, "a");
  run(6008ms);  // the PUT is under way, and changes the resourceVersion
  server.taken_log();
  bool done = false;
  a->elector.release(3s, [&] { done = true; });
  run(6020ms);
  EXPECT_TRUE(done);
  EXPECT_THAT(server.taken_log(), ElementsAre("6.009 PUT", "6.009 PUT", "6.011 GET", "6.013 PUT"));
  EXPECT_EQ(server.holder(), "");
}

TEST_F(Elector, AReleaseLeavesTheLeaseOfAnother) {
  const auto a = started(one, "a");
  run(5s);
  server.lease["spec"]["holderIdentity"] = "x";
  server.set(json_of(server.lease));
  bool done = false;
  a->elector.release(3s, [&] { done = true; });
  run(6s);
  EXPECT_TRUE(done);
  EXPECT_EQ(server.holder(), "x");
}

TEST_F(Elector, AReleaseOfOneThatDoesNotLeadWritesNothing) {
  const auto a = started(one, "a");
  run(1s);
  const auto b = started(other, "b");
  run(5s);
  server.taken_log();
  int done = 0;
  b->elector.release(3s, [&] { ++done; });
  EXPECT_EQ(done, 0);
  run(5s);
  EXPECT_EQ(done, 1);
  world.jump(30s);  // the leader's lease has lapsed
  a->elector.release(3s, [&] { ++done; });
  run(60s);
  EXPECT_EQ(done, 2);
  EXPECT_THAT(server.taken_log(), IsEmpty());
  EXPECT_EQ(a->heard.size(), 2u);
}

TEST_F(Elector, IsUnhealthyLongAfterItsLeaseExpired) {
  const auto a = started(one, "a");
  EXPECT_TRUE(a->elector.healthy(20s));
  run(1s);
  const auto b = started(other, "b");
  run(5s);  // the answer to the last renewal came at 4.008 s
  world.jump(34008ms);
  EXPECT_TRUE(a->elector.healthy(20s));
  world.jump(1ms);
  EXPECT_FALSE(a->elector.healthy(20s));
  EXPECT_TRUE(b->elector.healthy(20s));
}

TEST_F(Elector, SaysWhyItCannotLead) {
  server.set(R"({"metadata":{},"spec":{"holderIdentity":"x","leaseDurationSeconds":"15"}})");
  const auto a = started(one, "a");
  run(10ms);
  EXPECT_THAT(a->faults,
              ElementsAre("GET of lease kube-system/kube-scheduler: spec.leaseDurationSeconds: is "
                          "of type string; expected number"));
  EXPECT_FALSE(a->elector.leads());
}

}  // namespace
}  // namespace berth::kube
