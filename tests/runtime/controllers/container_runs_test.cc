// Pods whose containers end by themselves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/runtime/controllers/testing.h"

namespace berth::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ContainerRunsTest : public PlayedTest {
 protected:
  ContainerRunsTest() { controllers = played::ControllerList::parse("kubelet"); }

  void SetUp() override {
    start();
    keep_lines();
    apply(model::added(node("n", 1)));
  }
  static model::Pod running(const std::string& name, Time time, int32_t exit_code = 0) {
    model::Pod it = pod(name);
    it.spec.run = model::ContainerRun{time.count(), exit_code};
    return it;
  }
  void stop_kubelet(bool stopped) {
    model::Node it = node("n", 1);
    if (stopped) it.annotations = {{"berth/kubelet", "stopped"}};
    apply(model::modified(it));
  }
};

TEST_F(ContainerRunsTest, APodFinishesAndItsRoomIsFree) {
  pass(7s);
  schedule({running("p", 90s, 3)});
  schedule({pod("next")});
  EXPECT_THAT(take(), ElementsAre("p on n", "p bound to n", HasSubstr("Too many pods")));
  EXPECT_TRUE(core->unfinished());
  pass(89s);
  EXPECT_THAT(take(), IsEmpty());
  pass(1s);
  EXPECT_THAT(take(), ElementsAre("p ended with 3"));
  EXPECT_FALSE(find("p"));
  pass(1s);
  core->run_until_idle();
  EXPECT_THAT(take(), ElementsAre("next on n", "next bound to n"));
}

TEST_F(ContainerRunsTest, APodThatArrivesOnItsNodeRunsFromThen) {
  model::Pod it = running("p", 0s);
  it.spec.node_name = "n";
  apply(model::added(of_template(it)));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("p ended with 0"));
}

TEST_F(ContainerRunsTest, APodThatIsDeletedDoesNotFinishLater) {
  schedule({running("p", 10s)});
  take();
  server->delete_pod(find("p"), core->now() + 30s);
  pass(20s);
  EXPECT_TRUE(find("p"));
  pass(10s);
  EXPECT_FALSE(find("p"));
  EXPECT_THAT(take(), IsEmpty());
}

TEST_F(ContainerRunsTest, NobodyHearsOfTheEndOnASilentNode) {
  schedule({running("p", 10s)});
  take();
  stop_kubelet(true);
  pass(60s);
  EXPECT_TRUE(find("p"));
  EXPECT_THAT(take(), IsEmpty());
  stop_kubelet(false);
  pass(0s);
  EXPECT_FALSE(find("p"));
  EXPECT_THAT(take(), ElementsAre("p ended with 0"));
}

TEST_F(ContainerRunsTest, PodsThatSayNothingRunOn) {
  schedule({pod("p")});
  EXPECT_FALSE(core->unfinished());
  pass(24h);
  EXPECT_TRUE(find("p"));
}

}  // namespace
}  // namespace berth::tests
