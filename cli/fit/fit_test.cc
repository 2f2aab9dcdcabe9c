#include "cli/fit/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/fit/copied.h"

namespace berth::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using Why = CopiesEnd::Why;

struct Read {
  Copied copied;
  Diagnostics faults;
};

Read read(const std::string& text) {
  const std::string path = testing::TempDir() + "berth-fit-test.yaml";
  std::ofstream(path) << text;
  ingest::Creation creation([] { return std::vector<model::Node>(); }, true);
  Read read;
  ingest::Remarks remarks;
  read.copied = read_copied({{path}, ingest::Validation::kNew1_36}, creation, read.faults, remarks);
  return read;
}

constexpr char kContainers[] = "containers: [{name: c, image: i}]";

std::string pod_text(const std::string& name, const std::string& more_metadata,
                     const std::string& more_spec) {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + more_metadata + "}\nspec: {" +
         more_spec + kContainers + "}\n";
}

std::string workload_text(const std::string& kind, const std::string& labels,
                          const std::string& more_spec) {
  return "---\napiVersion: apps/v1\nkind: " + kind + "\nmetadata: {name: web}\nspec: {" +
         more_spec +
         "selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web" + labels +
         "}}, spec: {" + kContainers + "}}}\n";
}

TEST(ReadCopied, TakesAPodAsOneThatIsNew) {
  const Read of = read(pod_text("a", ", uid: u", "nodeName: n1, ") + "status: {phase: Running}\n");
  ASSERT_THAT(of.copied.units, SizeIs(1));
  const CopiedUnit& unit = of.copied.units.front();
  EXPECT_EQ(unit.name, "Pod default/a");
  EXPECT_THAT(unit.members.front().pod.spec.node_name, IsEmpty());
  EXPECT_THAT(unit.members.front().pod.uid, IsEmpty());
  EXPECT_EQ(unit.members.front().pod.phase, model::PodPhase::kUnknown);
  EXPECT_FALSE(unit.members.front().pod.controller);
}

TEST(ReadCopied, GivesCopiesOfAWorkloadOneController) {
  const Read of = read(workload_text("Deployment", "", "replicas: 7, "));
  ASSERT_THAT(of.copied.units, SizeIs(1));
  const CopiedPod& member = of.copied.units.front().members.front();
  EXPECT_EQ(of.copied.units.front().replicas, 7u);
  ASSERT_TRUE(member.pod.controller);
  EXPECT_EQ(member.pod.controller->kind, "ReplicaSet");
  // The ReplicaSet itself, whose selector the default spreading reads.
  ASSERT_THAT(of.copied.others, SizeIs(1));
  const auto* set = std::get_if<model::SelectorOwner>(&of.copied.others.front().object);
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(set->name, member.pod.controller->name);
}

TEST(ReadCopied, RefusesADaemonSet) {
  const Read of = read(workload_text("DaemonSet", "", "") + pod_text("a", "", ""));
  EXPECT_THAT(of.copied.units, SizeIs(1));
  ASSERT_EQ(of.faults.count(), 1u);
  EXPECT_THAT(of.faults.kept().front().what(), HasSubstr("one pod on each node"));
}

TEST(ReadCopied, JoinsTheLabelOfAGroup) {
  const std::string label = ", scheduling.x-k8s.io/pod-group: g";
  const Read of = read(pod_text("first", "", "") +
                       pod_text("head", ", labels: {scheduling.x-k8s.io/pod-group: g}", "") +
                       workload_text("ReplicaSet", label, "replicas: 3, ") +
                       "---\napiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\n"
                       "metadata: {name: g, namespace: default}\nspec: {minMember: 4}\n");
  ASSERT_THAT(of.copied.units, SizeIs(2));
  const CopiedUnit& gang = of.copied.units[1];
  EXPECT_EQ(gang.name, "group default/g");
  EXPECT_EQ(gang.pods(), 4u);
  ASSERT_TRUE(gang.object);
  EXPECT_EQ(gang.object->min_member, 4);
  for (const model::Change& other : of.copied.others)
    EXPECT_FALSE(std::holds_alternative<model::PodGroup>(other.object));
}

TEST(CopyOf, HasTheOrdinalAndTheGroup) {
  const Read of = read(workload_text("StatefulSet", "",
                                     "serviceName: s, volumeClaimTemplates: [{metadata: {name: "
                                     "data}, spec: {accessModes: [ReadWriteOnce], resources: "
                                     "{requests: {storage: 1Gi}}}}], "));
  ASSERT_THAT(of.copied.units, SizeIs(1));
  const model::Pod pod = copy_of(of.copied.units.front().members.front(), "web-5", 5, "g-5");
  EXPECT_THAT(pod.spec.labels, testing::Contains(Pair(kGroupLabel, "g-5")));
  EXPECT_THAT(pod.spec.labels, testing::Contains(Pair("apps.kubernetes.io/pod-index", "5")));
  ASSERT_THAT(pod.spec.volumes, Not(IsEmpty()));
  EXPECT_EQ(pod.spec.volumes.front().claim, "data-web-5");
}

framework::Decision refusal() {
  framework::Decision decision;
  decision.outcome = framework::Outcome::kUnschedulable;
  decision.message = "no";
  decision.reasons = {{"full", 2}};
  return decision;
}

void arrive(Copies& copies, size_t unit, std::vector<model::PodId> pods) {
  copies.begin(unit, pods.size());
  copies.take(runtime::Arrived{pods});
}

TEST(Copies, EndWithTheFirstRefusal) {
  Copies copies(false);
  arrive(copies, 0, {{1, 1}, {2, 1}});
  arrive(copies, 1, {{3, 1}});
  const framework::Decision decision = refusal();
  copies.take(runtime::Refused{{3, 1}, &decision});
  EXPECT_TRUE(copies.stopped());
  EXPECT_EQ(copies.end().why, Why::kUnschedulable);
  EXPECT_EQ(copies.end().unit, 1u);
  EXPECT_EQ(copies.end().message, "no");
  EXPECT_THAT(copies.end().reasons, testing::ElementsAre(Pair("full", 2u)));
  copies.take(runtime::Refused{{1, 1}, &decision});
  EXPECT_EQ(copies.end().unit, 1u);
}

TEST(Copies, WaitForRoomIfPodsMayLeave) {
  Copies copies(true);
  arrive(copies, 0, {{1, 1}});
  const framework::Decision decision = refusal();
  copies.take(runtime::Refused{{1, 1}, &decision});
  EXPECT_FALSE(copies.stopped());
  arrive(copies, 0, {{2, 1}});
  copies.give_up();  // the second copy was not refused
  EXPECT_EQ(copies.end().why, Why::kFailed);
}

// Copies that arrived before are decided, and one of them may not fit.
TEST(Copies, AreDecidedBeforeOneThatIsNotAdmitted) {
  Copies copies(false);
  arrive(copies, 0, {{1, 1}});
  copies.end(Why::kRefused, 0, "quota");
  EXPECT_FALSE(copies.stopped());
  EXPECT_EQ(copies.end().message, "quota");
  const framework::Decision decision = refusal();
  copies.take(runtime::Refused{{1, 1}, &decision});
  EXPECT_TRUE(copies.stopped());
  EXPECT_EQ(copies.end().why, Why::kUnschedulable);
}

TEST(FitAnswer, FitsIfAsManyAsWereAskedFor) {
  FitAnswer answer;
  EXPECT_FALSE(answer.fits());
  answer.units = {{.name = "a", .pods = 2, .copies = 3, .wanted = {}},
                  {.name = "b", .pods = 1, .copies = 1, .wanted = 2}};
  EXPECT_FALSE(answer.fits());
  answer.units[1].copies = 2;
  EXPECT_TRUE(answer.fits());
  EXPECT_EQ(answer.copies(), 5u);
  EXPECT_EQ(answer.pods(), 8u);
  answer.units[0].copies = 0;
  EXPECT_FALSE(answer.fits());
}

TEST(FitText, CutsNodesAndCountsReasons) {
  FitAnswer answer;
  answer.units = {{.name = "Pod default/a", .pods = 1, .copies = 12, .wanted = {}}};
  for (int i = 0; i < 12; ++i)
    answer.nodes.push_back({.name = "n" + std::to_string(i), .zone = {}, .pods = {1}});
  answer.end = {.why = Why::kUnschedulable, .unit = 0, .message = "m", .reasons = {{"full", 12}}};
  const std::string text = to_text(answer, false);
  EXPECT_THAT(text, HasSubstr("12 copies of Pod default/a fit\n"));
  EXPECT_THAT(text, HasSubstr("the next copy is unschedulable: m\n"));
  EXPECT_THAT(text, HasSubstr("        12  full\n"));
  EXPECT_THAT(text, HasSubstr("and 2 more; -o wide prints all"));
  EXPECT_THAT(text, Not(HasSubstr("n11")));
  EXPECT_THAT(to_text(answer, true), HasSubstr("n11"));
}

}  // namespace
}  // namespace berth::cli
