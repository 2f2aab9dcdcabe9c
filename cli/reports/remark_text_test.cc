#include "cli/reports/remark_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ingest::Remarks some() {
  ingest::Remarks remarks;
  model::Pod pod;
  pod.namespace_name = "default";
  for (const char* name : {"a", "b", "c", "d"}) {
    pod.name = name;
    remarks.with_resource_claims.add(pod);
  }
  remarks.without_priority.add(pod);
  remarks.add_unknown_field("Pod.spec.x",
                            Error(Place{.file = "f", .line = 2, .field = "spec.x"}, "no"), 3);
  return remarks;
}

TEST(RemarkText, HasOneLineForEachReason) {
  EXPECT_THAT(
      remark_lines(some()),
      ElementsAre(
          HasSubstr("4 pods name resource claims: default/a, default/b, default/c; among others; "
                    "resource "
                    "claims are not read"),
          HasSubstr("1 pod has a priorityClassName and no priority: default/d; no admission"),
          "f:2: spec.x: no (ignored, 3 times in all)"));
  EXPECT_THAT(remark_lines({}), ElementsAre());
  ingest::Remarks once;
  once.add_unknown_field("Pod.spec.y", Error("no"));
  EXPECT_THAT(remark_lines(once), ElementsAre("no (ignored, once)"));
  EXPECT_THAT(remark_lines(of_cluster(some())), ElementsAre(HasSubstr("spec.x")));
}

TEST(RemarkText, SaysNothingOfWhatAControllerDoes) {
  ingest::Remarks remarks;
  remarks.budgets_without_status.add("default/web");
  remarks.tolerating_for_a_time.add("default/p");
  remarks.running_for_a_time.add("default/r");
  remarks.untainted_nodes.add("n (Ready=False)");
  EXPECT_THAT(remark_lines(remarks, played::ControllerList::all()),
              ElementsAre(HasSubstr("the disruption controller counts it here")));
}

TEST(RemarkText, SaysWhatIsNotPlayed) {
  ingest::Remarks remarks;
  remarks.budgets_without_status.add("default/web");
  remarks.tolerating_for_a_time.add("default/p");
  remarks.running_for_a_time.add("default/r");
  remarks.untainted_nodes.add("n (Ready=False)");
  remarks.empty_nodes.add("n (f:1:1)");
  remarks.unread_kinds = {{"Nod", 1}};
  remarks.near_kinds.try_emplace("Nod", Place{.file = "f", .line = 2, .field = "kind"}, "no kind");
  EXPECT_THAT(
      remark_lines(of_cluster(remarks)),
      ElementsAre(HasSubstr("1 PodDisruptionBudget has no status.disruptionsAllowed: "
                            "default/web; "),
                  HasSubstr("1 pod has tolerationSeconds: default/p; "),
                  "1 pod says how long it runs: default/r; no kubelet is played here, so no "
                  "container ends",
                  HasSubstr("1 node has a condition without the taint that belongs to it: "
                            "n (Ready=False); "),
                  "1 node has neither allocatable nor capacity: n (f:1:1); no pod fits there: give "
                  "status.allocatable",
                  "f:2: kind: no kind",
                  HasSubstr("kinds that are not read, so that they change nothing: 1 Nod")));
}

TEST(RemarkText, SaysWhichReplicaSetsLackTheirDeployments) {
  ingest::Remarks remarks;
  remarks.missing.add(2, "ReplicaSet default/web-abc");
  EXPECT_THAT(remark_lines(remarks),
              ElementsAre("2 pods of ReplicaSets are missing: ReplicaSet default/web-abc; their "
                          "Deployments would create them: give these beside the ReplicaSets"));
}

TEST(RemarkText, AddsUpInTheSummary) {
  output::Summary summary;
  add_remarks(some(), summary);
  add_remarks(some(), summary);
  EXPECT_EQ(summary.pods_with_resource_claims.count, 8u);
  EXPECT_EQ(summary.unknown_fields.at("Pod.spec.x"), 6u);
  const std::string json = output::to_json(summary);
  EXPECT_THAT(json, HasSubstr("\"Pod.spec.x\": 6"));
  EXPECT_THAT(json, HasSubstr("\"pods_with_resource_claims\": {\n    \"count\": 8"));
  EXPECT_THAT(json, HasSubstr("\"pods_without_priority\": {\n    \"count\": 2"));
  const std::string page = output::to_text(summary);
  EXPECT_THAT(page, HasSubstr("claims not seen         8: default/a, default/b, default/c, ..."));
  EXPECT_THAT(page, HasSubstr("priority not filled in  2: default/d, default/d\n"));
  EXPECT_THAT(page, HasSubstr("unknown fields          6 Pod.spec.x"));
}

}  // namespace
}  // namespace berth::cli
