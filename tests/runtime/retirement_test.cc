// Nothing that pods bring lives longer than the pods: names, labels, requests, controllers, what
// they say about other pods, and what hooks prepared for them.

#include <gtest/gtest.h>

#include <ostream>

#include "engine/base/sanitized.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

class RetirementTest : public CoreTest {
 protected:
  // Audits of thousands of pods after every step would take minutes.
  RetirementTest() { audits = runtime::AuditPace::kSparse; }

  // A pod that differs from all others in everything.
  static model::Pod unique_pod(int number) {
    const std::string text = std::to_string(number);
    model::Pod made = pod("pod-" + text);
    made.spec.labels = {{"app", "web-" + text}};
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(1 + number)}};
    made.spec.containers[0].requests[0].second = model::Quantity::from_milli(1 + number % 4000);
    made.spec.containers[0].requests.emplace_back("memory",
                                                  model::Quantity::from_units(1000 + number));
    made.controller = model::Controller{"apps/v1", "ReplicaSet", "web-" + text, "uid-" + text};
    return made;
  }
  static model::Pod shy_pod(int number) {
    model::Pod made = unique_pod(number);
    model::PodAffinityTerm term;
    term.label_selector = model::LabelSelector{{{"app", "web-" + std::to_string(number)}}, {}};
    term.topology_key = "kubernetes.io/hostname";
    made.spec.affinity.pod_anti_affinity.emplace();
    made.spec.affinity.pod_anti_affinity->required = {term};
    return made;
  }
  // Schedules pods and deletes each again.
  template <typename Make>
  void churn(int from, int to, Make&& make) {
    for (int i = from; i < to; ++i) {
      schedule({make(i)});
      ASSERT_EQ(results.size(), 1u);
      ASSERT_TRUE(results[0].ends_with("scheduled n")) << results[0] << messages[0];
      results.clear();
      messages.clear();
      bound.clear();
      bindings.all.clear();
      apply(model::deleted_pod("default", "pod-" + std::to_string(i)));
    }
  }
  struct Sizes {
    size_t strings, templates, shapes, terms, queries;

    bool operator==(const Sizes&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Sizes& of) {
      return out << of.strings << " strings, " << of.templates << " templates, " << of.shapes
                 << " shapes, " << of.terms << " terms, " << of.queries << " queries";
    }
  };
  Sizes sizes() {
    return {cluster().strings().count(), cluster().templates().count(), cluster().shapes().count(),
            cluster().terms().count(), cluster().counts().count()};
  }
  static model::Node labelled_node() {
    model::Node made = node("n");
    made.labels = {{"kubernetes.io/hostname", "n"}};
    return made;
  }
};

TEST_F(RetirementTest, MemoryFollowsThePodsThatThereAre) {
  start();
  cluster().put_node(labelled_node());
  churn(0, 20'000, unique_pod);
  const Sizes early = sizes();
  churn(20'000, 40'000, unique_pod);
  const Sizes late = sizes();
  // Names are retired by the 65,536, and each pod brings four.
  EXPECT_LT(early.strings, 70'000u);
  EXPECT_LT(late.strings, 70'000u);
  EXPECT_LT(late.templates, 17'000u);
  EXPECT_LT(late.shapes, 17'000u);
}

// One string, or one of anything else, that a pod leaves behind shows here.
TEST_F(RetirementTest, NothingOfAPodStays) {
  retire_always = true;
  start();
  cluster().put_node(labelled_node());
  churn(100, 150, shy_pod);
  const Sizes early = sizes();
  churn(150, 250, shy_pod);
  EXPECT_EQ(sizes(), early);
}

TEST_F(RetirementTest, WhatPodsSayAboutOthersIsRetired) {
  if (kSanitized) GTEST_SKIP() << "takes minutes under a sanitizer";
  start();
  cluster().put_node(labelled_node());
  churn(0, 18'000, shy_pod);
  EXPECT_LT(sizes().terms, 17'000u);
  EXPECT_LT(sizes().queries, 17'000u);
}

// Pods that stay are decided as before after everything derived from them was forgotten.
TEST_F(RetirementTest, PodsThatStayKeepTheirPlaceAndTheirSay) {
  start();
  cluster().put_node(labelled_node());
  model::Pod alone = shy_pod(1'000'000);
  alone.spec.labels = {{"app", "alone"}};
  alone.spec.affinity.pod_anti_affinity->required[0].label_selector =
      model::LabelSelector{{{"app", "alone"}}, {}};
  schedule({alone});
  results.clear();
  messages.clear();
  churn(0, 18'000, unique_pod);
  const model::PodRecord& stays = cluster().pod(find("pod-1000000"));
  EXPECT_TRUE(stays.placed());
  EXPECT_EQ(cluster().text(stays.name), "pod-1000000");
  model::Pod second = alone;
  second.name = "second";
  schedule({second});
  EXPECT_EQ(results.back(), "second unschedulable");
  schedule({pod("other")});
  EXPECT_EQ(results.back(), "other scheduled n");
  cluster().verify_counts();
}

}  // namespace
}  // namespace berth::tests
