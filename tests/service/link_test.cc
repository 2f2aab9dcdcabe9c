// The link between the owner of the core and an API server, with a server in memory.

#include "tests/service/link_testing.h"

namespace berth::service {
namespace {

using apiserver::FaultRule;

kube::Event preempted(const std::string& uid) {
  kube::Event event{.scheduler = "s", .regarding = {}, .reason = "Preempted", .action = "Preempting",
                    .note = "n"};
  event.regarding.namespace_name = "default";
  event.regarding.name = "low";
  event.regarding.uid = uid;
  return event;
}

TEST_F(Link, TellsOfAPreemptionOnceTheVictimIsDeleted) {
  const std::string uid = create_pod("low");
  start();
  server.faults().add({.action = FaultRule::Action::kDelay,
                       .method = "DELETE",
                       .delay = 5 * apiserver::kSecond});
  link.evict({.victim = {"default", "low", uid}, .scheduler = "s"}, preempted(uid));
  link.send();
  loop.run_for(3s);
  EXPECT_EQ(count_in(get(kEvents), R"("reason":"Preempted")"), 0u) << "the DELETE is on its way";
  loop.run_for(3s);
  const std::string events = get(kEvents);
  EXPECT_EQ(count_in(events, R"("reason":"Preempted")"), 1u);
  EXPECT_EQ(count_in(events, R"("uid":")" + uid), 1u);
  EXPECT_EQ(count_in(events, R"("resourceVersion":"")"), 0u);
}

TEST_F(Link, TellsOfNoPreemptionOfAPodThatIsGone) {
  start();
  link.evict({.victim = {"default", "low", "u"}, .scheduler = "s"}, preempted("u"));
  link.send();
  loop.run_for(3s);
  EXPECT_EQ(count_in(get(kEvents), "Preempted"), 0u);
}

}  // namespace
}  // namespace berth::service
