// The link between the owner of the core and an API server, with a server in memory.

#include "tests/service/link_testing.h"

namespace berth::service {
namespace {

using apiserver::FaultRule;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Of the pod "low", by a pod "high".
events::Event preempted(const std::string& uid) {
  events::Event event{
      .controller = "s",
      .regarding = {},
      .related =
          events::EventObject{.namespace_name = "default", .name = "high", .uid = "uid-of-high"},
      .reason = "Preempted",
      .action = "Preempting",
      .note = "n"};
  event.regarding.namespace_name = "default";
  event.regarding.name = "low";
  event.regarding.uid = uid;
  return event;
}

TEST_F(Link, TellsOfAPreemptionOnceTheVictimIsDeleted) {
  const std::string uid = create_pod("low");
  start();
  server.faults().add(
      {.action = FaultRule::Action::kDelay, .method = "DELETE", .delay = 5 * apiserver::kSecond});
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

// The other victim is deleted late. The pod is not tried again before.
TEST_F(Link, TellsOnceWhenAPreemptionFailed) {
  const std::string a = create_pod("a"), b = create_pod("b"), c = create_pod("c");
  start();
  server.faults().add({.action = FaultRule::Action::kConflict, .method = "DELETE", .path = "*/a"});
  server.faults().add({.action = FaultRule::Action::kConflict, .method = "DELETE", .path = "*/b"});
  server.faults().add({.action = FaultRule::Action::kDelay,
                       .method = "DELETE",
                       .path = "*/c",
                       .delay = 5 * apiserver::kSecond});
  const auto failures = [&] {
    std::vector<std::string> names;
    for (const Item& item : inbox.take())
      if (const auto* failed = std::get_if<PreemptionFailed>(&item))
        names.push_back(failed->preemptor.namespace_name + "/" + failed->preemptor.name + "/" +
                        failed->preemptor.uid);
    return names;
  };
  for (const auto& [name, uid] : {std::pair("a", a), std::pair("b", b), std::pair("c", c)})
    link.evict({.victim = {"default", name, uid}, .scheduler = "s"}, preempted(uid));
  link.send();
  loop.run_for(3s);
  EXPECT_THAT(failures(), IsEmpty());
  loop.run_for(3s);
  EXPECT_THAT(failures(), ElementsAre("default/high/uid-of-high"));
  EXPECT_THAT(said, ElementsAre(StartsWith("a pod was not evicted: "),
                                StartsWith("a pod was not evicted: ")));
}

TEST_F(Link, TellsOfAStatusThatWasNotWritten) {
  const std::string uid = create_pod("web-0");
  start();
  server.faults().add(
      {.action = FaultRule::Action::kConflict, .method = "PATCH", .path = "*/status", .count = 2});
  for (const uint64_t number : {7, 0, 8}) {
    link.write(number, {"default", "web-0", uid}, {.nominated_node = "n"});
    link.send();
    loop.run_for(3s);
  }
  std::vector<uint64_t> numbers;
  for (const Item& item : inbox.take())
    if (const auto* failed = std::get_if<StatusFailed>(&item)) numbers.push_back(failed->number);
  EXPECT_THAT(numbers, ElementsAre(7));
  EXPECT_EQ(said.size(), 2u);
}

constexpr std::string_view kVolumes = "/api/v1/persistentvolumes";

model::PersistentVolume chosen(const std::string& claim) {
  model::PersistentVolume volume;
  volume.name = "pv-0";
  volume.has_claim = true;
  volume.claim_namespace = "default";
  volume.claim_name = claim;
  return volume;
}

TEST_F(Link, WritesAVolumeInTheVersionThatWasRead) {
  const std::string version =
      create(kVolumes, R"({"metadata":{"name":"pv-0"},"spec":{}})", "metadata.resourceVersion");
  start();
  link.put(chosen("mine"), version);
  link.send();
  loop.run_for(1s);
  EXPECT_EQ(count_in(get(kVolumes), R"("name":"mine")"), 1u);
  EXPECT_THAT(said, IsEmpty());
}

// Another scheduler was faster, and the watch has not told of it.
TEST_F(Link, DoesNotTakeAVolumeThatChangedMeanwhile) {
  const std::string version =
      create(kVolumes, R"({"metadata":{"name":"pv-0"},"spec":{}})", "metadata.resourceVersion");
  start();
  ask(kube::Method::kPatch, std::string(kVolumes) + "/pv-0",
      R"({"spec":{"claimRef":{"namespace":"default","name":"theirs"}}})");
  inbox.take();
  link.put(chosen("mine"), version);
  link.send();
  loop.run_for(1s);
  EXPECT_EQ(count_in(get(kVolumes), R"("name":"theirs")"), 1u);
  EXPECT_THAT(said, ElementsAre(AllOf(StartsWith("PersistentVolume pv-0 was not written: "),
                                      HasSubstr("the object has been modified"))));
  // The owner is told what is there.
  const std::vector<Item> items = inbox.take();
  ASSERT_EQ(items.size(), 1u);
  const auto& changes = std::get<std::vector<kube::Watched>>(items[0]);
  ASSERT_EQ(changes.size(), 1u);
  const auto& object = std::get<model::VolumeObject>(changes[0].change.object);
  EXPECT_EQ(std::get<model::PersistentVolume>(object).claim_name, "theirs");
  EXPECT_NE(changes[0].version, version);
  EXPECT_NE(changes[0].version, "");
}

TEST_F(Link, ListsNodesAndPods) {
  create("/api/v1/nodes", R"({"metadata":{"name":"n-0"}})", "metadata.uid");
  const std::string uid = create_pod("web-0");
  start();
  link.list(10s);
  loop.run_for(9s);
  EXPECT_FALSE(inbox.waits());
  loop.run_for(2s);
  const std::vector<Item> items = inbox.take();
  ASSERT_EQ(items.size(), 1u);
  const auto& listed = std::get<Listed>(items[0]);
  ASSERT_EQ(listed.nodes.size(), 1u);
  EXPECT_EQ(listed.nodes[0].name, "n-0");
  EXPECT_THAT(listed.pods, ElementsAre(kube::ListedObject{"default/web-0", uid}));
  EXPECT_EQ(listed.fault, "");
}

TEST_F(Link, SaysWhyItCannotList) {
  start();
  server.faults().add({.action = FaultRule::Action::kServerError, .path = "/api/v1/pods*"});
  link.list(Time(0));
  loop.run_for(1s);
  const std::vector<Item> items = inbox.take();
  ASSERT_EQ(items.size(), 1u);
  EXPECT_THAT(std::get<Listed>(items[0]).fault, StartsWith("the list of pods failed: 500"));
  link.list(Time(0));
  loop.run_for(1s);
  EXPECT_EQ(inbox.take().size(), 1u) << "the next one is another try";
}

// As kube-scheduler's two clients have it: 100 requests at once, then 50 a second.
TEST_F(Link, EventsHaveARateLimitOfTheirOwn) {
  start();
  loop.run_for(1min);
  for (uint64_t number = 1; number <= 300; ++number)
    link.bind(number, {"default", "web-" + std::to_string(number), "u"}, "n-0");
  for (int i = 0; i < 120; ++i) {
    events::Event event = preempted("u");
    event.regarding.name = "web-" + std::to_string(i);
    link.record(std::move(event));
  }
  link.send();
  loop.run_for(190ms);
  EXPECT_EQ(inbox.take().size(), 109u);
  EXPECT_EQ(count_in(get(kEvents), R"("reason":"Preempted")"), 109u);
  loop.run_for(4s);
  EXPECT_EQ(inbox.take().size(), 191u);
  EXPECT_THAT(metrics.collect(), HasSubstr("rest_client_rate_limiter_duration_seconds_count{"
                                           R"(host="server",verb="POST"} 420)"));
}

}  // namespace
}  // namespace berth::service
