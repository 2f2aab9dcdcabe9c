#include "engine/kube/writes/objects/volume_writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/kube/writes/writes_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using testing::answer_of;
using ::testing::ElementsAre;

struct VolumeWritesTest : ::testing::Test {
  testing::VirtualLoop loop;
  testing::PlayedHttp http{loop};
  Sender sender{http, loop, {}, [] { return true; }};
  std::vector<std::string> answers;
  VolumeWrites volumes{sender, [this](uint64_t number, const std::string& error) {
                         answers.push_back(std::to_string(number) + " " + error);
                       }};
};

TEST_F(VolumeWritesTest, HaveTheChosenFieldsAlone) {
  volumes.write(1, SelectedNode{"default", "data-0", "n-1"});
  volumes.write(2, ChosenClaim{"pv-0", "default", "data-1", "uid-1"});
  volumes.write(3, ChosenClaim{.volume = "pv-1",
                               .claim_namespace = "default",
                               .claim = "data-2",
                               .claim_uid = "uid-2",
                               .by_controller = false});
  loop.run();
  EXPECT_THAT(
      http.lines(),
      ElementsAre(R"(PATCH /api/v1/namespaces/default/persistentvolumeclaims/data-0 {"metadata":)"
                  R"({"annotations":{"volume.kubernetes.io/selected-node":"n-1"}}})",
                  R"(PATCH /api/v1/persistentvolumes/pv-0 {"metadata":{"annotations":)"
                  R"({"pv.kubernetes.io/bound-by-controller":"yes"}},"spec":{"claimRef":)"
                  R"({"kind":"PersistentVolumeClaim","namespace":"default","name":"data-1",)"
                  R"("uid":"uid-1","apiVersion":"v1"}}})",
                  R"(PATCH /api/v1/persistentvolumes/pv-1 {"spec":{"claimRef":)"
                  R"({"kind":"PersistentVolumeClaim","namespace":"default","name":"data-2",)"
                  R"("uid":"uid-2","apiVersion":"v1"}}})"));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(http.seen[i].request.content_type, "application/merge-patch+json");
    http.answer(i, answer_of(200));
  }
  EXPECT_THAT(answers, ElementsAre("1 ", "2 ", "3 "));
}

TEST_F(VolumeWritesTest, AreOfTheVersionThatWasRead) {
  volumes.write(1, SelectedNode{"default", "data-0", "n-1", "7"});
  volumes.write(2, ChosenClaim{"pv-0", "default", "data-1", "uid-1", "8"});
  loop.run();
  EXPECT_THAT(http.seen[0].request.body,
              ::testing::StartsWith(R"({"metadata":{"resourceVersion":"7","annotations":{)"));
  EXPECT_THAT(http.seen[1].request.body,
              ::testing::StartsWith(R"({"metadata":{"resourceVersion":"8","annotations":{)"));
  http.answer(0, testing::refusal_answer(409, "Conflict", "the object has been modified"));
  loop.run_for(1h);
  EXPECT_EQ(http.seen.size(), 2u) << "a conflict is not tried again";
  EXPECT_THAT(answers, ElementsAre("1 the object has been modified"));
}

TEST_F(VolumeWritesTest, AreTriedFourTimes) {
  volumes.write(1, SelectedNode{"default", "data-0", "n-1"});
  loop.run();
  const Time waits[] = {10ms, 50ms, 250ms};
  for (size_t i = 0; i < 3; ++i) {
    http.answer(i, i == 1 ? testing::lost_answer() : answer_of(500));
    loop.run_for(waits[i] - 1ns);
    ASSERT_EQ(http.seen.size(), i + 1);
    loop.run_for(waits[i] / 10 + 1ns);
  }
  http.answer(3, testing::unsent_answer("the last"));
  loop.run_for(1h);
  EXPECT_EQ(http.seen.size(), 4u);
  EXPECT_THAT(answers, ElementsAre("1 the last"));
}

TEST_F(VolumeWritesTest, FailWithTheServersWords) {
  volumes.write(1, ChosenClaim{"pv-0", "default", "data-1", "uid-1"});
  loop.run();
  http.answer(0, answer_of(404));
  EXPECT_THAT(answers, ElementsAre("1 the server could not find the requested resource (patch "
                                   "persistentvolumes pv-0)"));
  EXPECT_EQ(sender.counts(WriteKind::kVolume).failed, 1u);
}

}  // namespace
}  // namespace berth::kube
