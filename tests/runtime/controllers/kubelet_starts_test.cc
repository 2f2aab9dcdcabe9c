// Kubelets that look at pods before they start.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

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
  model::TemplatePod picky = created("picky", 0);
  auto spec = std::make_shared<model::PodSpec>(*picky.spec);
  spec->node_selector = {{"pool", "small"}};
  spec->has_node_selector = true;
  picky.spec = spec;
  apply(model::added(picky));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("picky disrupted: NodeAffinity"));
}

TEST_F(KubeletStartsTest, PodsOfOtherSystemsFail) {
  const auto with = [](const std::string& name, auto change) {
    model::TemplatePod pod = created(name, 0);
    auto spec = std::make_shared<model::PodSpec>(*pod.spec);
    change(*spec);
    pod.spec = spec;
    return model::added(pod);
  };
  apply(with("windows", [](model::PodSpec& spec) { spec.os = "windows"; }));
  apply(with("label", [](model::PodSpec& spec) {
    spec.labels = {{"app", "x"}, {"kubernetes.io/os", "windows"}};
  }));
  const auto strict = [](model::PodSpec& spec) { spec.strict_supplemental_groups = true; };
  apply(with("strict", strict));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("windows disrupted: PodOSNotSupported",
                                  "label disrupted: PodOSSelectorNodeLabelDoesNotMatch",
                                  "strict disrupted: SupplementalGroupsPolicyNotSupported"));
  model::Node able = sized("able");
  able.supplemental_groups_policy = true;
  apply(model::added(able));
  model::TemplatePod pod = created("p", 0, "able");
  auto spec = std::make_shared<model::PodSpec>(*pod.spec);
  strict(*spec);
  pod.spec = spec;
  apply(model::added(pod));
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
  model::TemplatePod critical = created("critical", 5 * kGibi);
  auto spec = std::make_shared<model::PodSpec>(*critical.spec);
  spec->priority = 2'000'000'000;
  critical.spec = spec;
  apply(model::added(critical));
  pass(0s);
  EXPECT_THAT(take(), ElementsAre("large disrupted: TerminationByKubelet"));
  pass(30s);
  EXPECT_FALSE(find("large"));
  EXPECT_TRUE(find("critical"));
  EXPECT_THAT(take_events(), ElementsAre("Preempting large"));
}

}  // namespace
}  // namespace berth::tests
