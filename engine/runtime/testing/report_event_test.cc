#include "engine/runtime/events/report_event.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::runtime {
namespace {

struct ReportEvent : ::testing::Test {
  ReportEvent() {
    model::Node node;
    node.name = "n";
    cluster.put_node(node);
    decision.message = "0/1 nodes are available: 1 Insufficient cpu.";
    decision.post_filter.emplace().texts = {{"Preempts", "preemption: none"}};
  }

  model::PodId add(const std::string& name) {
    model::Pod made;
    made.namespace_name = "default";
    made.name = name;
    made.uid = "uid-" + name;
    return cluster.add_pod(made);
  }
  // "REASON OBJECT: NOTE"; empty: no event.
  std::string told(const Report& report) const {
    const auto event = event_of(report, cluster);
    return event ? event->reason + " " + event->regarding.name + ": " + event->note : "";
  }

  model::Cluster cluster;
  framework::Decision decision;
  const model::PodId pod = add("a"), other = add("b");
};

TEST_F(ReportEvent, OfAPodThatWasBound) {
  EXPECT_EQ(told(Bound{.pod = pod, .node = "n"}),
            "Scheduled a: Successfully assigned default/a to n");
  EXPECT_EQ(told(Scheduled{.pod = pod, .node = "n", .decision = &decision}), "");
  EXPECT_EQ(told(BoundByAnother{.pod = pod, .node = "n"}), "");
}

TEST_F(ReportEvent, OfAnAttemptThatCameToNothing) {
  const std::string told_both =
      "FailedScheduling a: 0/1 nodes are available: 1 Insufficient cpu. preemption: none";
  EXPECT_EQ(told(Refused{.pod = pod, .decision = &decision}), told_both);
  decision.post_filter.reset();
  decision.message = "running a filter: broken";
  EXPECT_EQ(told(Failed{.pod = pod, .decision = &decision}),
            "FailedScheduling a: running a filter: broken");
  EXPECT_EQ(told(BindingFailed{.pod = pod, .message = "rejected", .refused_by = {}}),
            "FailedScheduling a: rejected");
  EXPECT_EQ(told(Skipped{pod}), "FailedScheduling a: skip schedule deleting pod: default/a");
}

TEST_F(ReportEvent, OfAVictim) {
  cluster.place(pod, "n");
  EXPECT_EQ(told(Evicted{.pod = pod, .preemptor = other}),
            "Preempted a: Preempted by pod uid-b on node n");
  EXPECT_EQ(told(PermitPreempted{.pod = pod, .preemptor = other}),
            "Preempted a: Preempted by pod uid-b on node n");
  EXPECT_EQ(told(PermitPreempted{.pod = pod, .preemptor = other, .failed = true}),
            "Preempted a: Preempted by pod uid-b on node n (in kube-scheduler memory).");
  EXPECT_EQ(told(Nominated{.pod = other, .node = "n"}), "");
  EXPECT_EQ(told(Announced{.pod = pod, .node = "n"}), "");
}

TEST_F(ReportEvent, OfAPodThatAControllerEvicts) {
  EXPECT_EQ(told(Disrupted{pod, "DeletionByTaintManager", "text"}),
            "TaintManagerEviction a: Marking for deletion Pod default/a");
  EXPECT_EQ(told(Disrupted{pod, "DeletionByPodGC", "text"}), "") << "it tells of none";
}

}  // namespace
}  // namespace berth::runtime
