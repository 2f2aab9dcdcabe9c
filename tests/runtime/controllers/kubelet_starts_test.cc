// Kubelets that look at pods before they start.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "tests/runtime/controllers/kubelets.h"

namespace berth::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Pods that somebody creates on a node, past the scheduler.
class KubeletStartsTest : public KubeletsTest {
 protected:
  static model::TemplatePod created(const std::string& name, int64_t request,
                                    const std::string& on = "n") {
    model::Pod it = requesting(name, request);
    it.uid.clear();
    it.spec.node_name = on;
    return of_template(it);
  }
  template <typename Change>
  static model::TemplatePod changed(model::TemplatePod pod, Change change) {
    auto spec = std::make_shared<model::PodSpec>(*pod.spec);
    change(*spec);
    pod.spec = std::move(spec);
    return pod;
  }
};

TEST_F(KubeletStartsTest, APodThatItsNodeCannotTakeFails) {
  apply(model::added(created("first", 5 * kGibi)));
  apply(model::added(created("second", 5 * kGibi)));
  apply(model::added(created("third", 4 * kGibi)));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("second disrupted: OutOfmemory"));
  EXPECT_EQ(messages.back(),
            "Pod was rejected: Node didn't have enough resource: memory, requested: 5368709120, "
            "used: 5368709120, capacity: 9663676416");
  EXPECT_FALSE(find("second"));
  EXPECT_THAT(take_events(), ElementsAre("OutOfmemory second"));
  EXPECT_FALSE(core->unfinished());
}

TEST_F(KubeletStartsTest, SelectorsAndTaintsCountToo) {
  apply(model::added(changed(created("picky", 0), [](model::PodSpec& spec) {
    spec.node_selector = {{"pool", "small"}};
    spec.has_node_selector = true;
  })));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("picky disrupted: NodeAffinity"));
}

TEST_F(KubeletStartsTest, PodsOfOtherSystemsFail) {
  const auto windows = [](model::PodSpec& spec) { spec.os = "windows"; };
  const auto label = [](model::PodSpec& spec) {
    spec.labels = {{"app", "x"}, {"kubernetes.io/os", "windows"}};
  };
  const auto strict = [](model::PodSpec& spec) { spec.strict_supplemental_groups = true; };
  apply(model::added(changed(created("windows", 0), windows)));
  apply(model::added(changed(created("label", 0), label)));
  apply(model::added(changed(created("strict", 0), strict)));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("windows disrupted: PodOSNotSupported",
                                  "label disrupted: PodOSSelectorNodeLabelDoesNotMatch",
                                  "strict disrupted: SupplementalGroupsPolicyNotSupported"));
  model::Node able = sized("able");
  able.supplemental_groups_policy = true;
  apply(model::added(able));
  apply(model::added(changed(created("p", 0, "able"), strict)));
  pass(0s);
  EXPECT_THAT(take(), IsEmpty());
}

TEST_F(KubeletStartsTest, PodsThatRunAlreadyStay) {
  add("first", 0, 5 * kGibi);  // an API server's, with a UID
  add("second", 0, 5 * kGibi);
  model::TemplatePod running = created("running", 5 * kGibi);
  running.phase = model::PodPhase::kRunning;
  apply(model::added(running));
  apply(model::added(created("elsewhere", 50 * kGibi, "not-there")));
  pass(1h);
  EXPECT_THAT(take(), IsEmpty());
}

TEST_F(KubeletStartsTest, OthersStopForACriticalPod) {
  apply(model::added(created("small", 2 * kGibi)));
  apply(model::added(created("large", 6 * kGibi)));
  pass(0s);
  apply(model::added(changed(created("critical", 5 * kGibi),
                             [](model::PodSpec& spec) { spec.priority = 2'000'000'000; })));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("large disrupted: TerminationByKubelet"));
  pass(30s);
  EXPECT_FALSE(find("large"));
  EXPECT_TRUE(find("critical"));
  EXPECT_THAT(take_events(), ElementsAre("Preempting large"));
}

}  // namespace
}  // namespace berth::tests
