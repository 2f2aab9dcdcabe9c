// Admission of pods in streams, for topology spread and pod affinity.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/ingest/stream/testing/stream_faults_for_tests.h"

namespace berth::ingest {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kMissingRev[] =
    " is not merged: the labelSelector beside it lacks rev In (r1), which an API server adds for "
    "the pod's label";
constexpr char kMatchLabelKeys[] =
    "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys";

// The reader's reports about templates with these specs and a frame with one pod of each template.
// A pod has the name of its template and these labels.
struct Told {
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  explicit Told(const std::vector<model::PodSpec>& specs, const Labels& labels = {}) {
    MemorySink sink;
    StreamWriter writer(sink);
    std::vector<std::string> names;
    std::vector<uint32_t> ids;
    for (const model::PodSpec& spec : specs) {
      ids.push_back(writer.template_id(spec));
      names.push_back("pod-" + std::to_string(ids.back()));
    }
    for (size_t i = 0; i < ids.size(); ++i) {
      EXPECT_TRUE(writer.add_pod({ids[i], "default", names[i], "", "", labels}));
    }
    writer.end();
    seen = read(sink.bytes());
    for (std::string& fault : seen.faults) fault.erase(0, fault.find(": ") + 2);
  }

  Seen seen;
};

model::TopologySpreadConstraint spread() {
  model::TopologySpreadConstraint spread;
  spread.max_skew = 1;
  spread.topology_key = "zone";
  spread.when_unsatisfiable = "DoNotSchedule";
  return spread;
}

// A spec with a term whose matchLabelKeys are "rev".
model::PodSpec with_term(const model::StringMap& labels, std::vector<model::Requirement> merged) {
  model::PodAffinityTerm term;
  term.topology_key = "zone";
  term.label_selector = model::LabelSelector{{}, std::move(merged)};
  term.match_label_keys = {"rev"};
  model::PodSpec spec;
  spec.labels = labels;
  spec.affinity.pod_affinity = model::PodAffinity{{term}, {}};
  return spec;
}

TEST(StreamAdmission, RefusesATemplateForWhatAnApiServerSays) {
  model::PodSpec bad, good;
  bad.topology_spread_constraints = {spread()};
  bad.topology_spread_constraints[0].max_skew = 0;
  good.topology_spread_constraints = {spread()};
  const Told told({bad, good});
  EXPECT_THAT(told.seen.faults,
              ElementsAre("byte 0: templates[0].spec.topologySpreadConstraints[0].maxSkew: Invalid "
                          "value: 0: must be greater than zero",
                          ::testing::HasSubstr("pods[0]: pod pod-0: template 0 was not defined")));
  EXPECT_THAT(told.seen.pods, ElementsAre("pod-1"));
  EXPECT_EQ(told.seen.counts.refused_objects, 1u);
  EXPECT_EQ(told.seen.counts.refused_pods, 1u);
}

// Pods with and without a node can share a template.
TEST(StreamAdmission, RefusesTemplatesWithANodeAsThoseWithout) {
  model::PodSpec spec = with_term({}, {{"a", "In", {"-b"}}});
  spec.node_name = "node-1";
  EXPECT_EQ(Told({spec}).seen.templates, 0u);
}

TEST(StreamAdmission, LabelKeysOfSpreadNeedNotBeMerged) {
  model::PodSpec spec;
  spec.labels = {{"rev", "r1"}};
  spec.topology_spread_constraints = {spread()};
  spec.topology_spread_constraints[0].label_selector.emplace();
  spec.topology_spread_constraints[0].match_label_keys = {"rev"};
  model::PodSpec merged = spec;
  merged.topology_spread_constraints[0].label_selector->match_expressions = {{"rev", "In", {"r1"}}};
  EXPECT_THAT(Told({spec, merged}).seen.faults, IsEmpty());
  EXPECT_THAT(Told({spec, merged}, {{"rev", "r2"}}).seen.faults, IsEmpty());
}

TEST(StreamAdmission, LabelKeysOfAffinityMustBeMerged) {
  const Told told({with_term({{"rev", "r1"}}, {}),
                   with_term({{"rev", "r1"}}, {{"rev", "In", {"r1"}}}), with_term({}, {})});
  EXPECT_THAT(
      told.seen.faults,
      ElementsAre("byte 0: templates[0]." + std::string(kMatchLabelKeys) + ":" + kMissingRev,
                  ::testing::HasSubstr("pod-0: template 0 was not defined")));
  EXPECT_THAT(told.seen.pods, ElementsAre("pod-1", "pod-2"));

  model::PodSpec mismatch = with_term({{"rev", "r1"}}, {{"rev", "In", {"r1"}}});
  model::PodAffinityTerm& term = mismatch.affinity.pod_affinity->required[0];
  std::swap(term.match_label_keys, term.mismatch_label_keys);
  EXPECT_THAT(Told({mismatch}).seen.faults,
              ::testing::Contains(::testing::HasSubstr(
                  "mismatchLabelKeys: is not merged: the labelSelector beside it lacks rev NotIn "
                  "(r1)")));
}

TEST(StreamAdmission, APodsOwnLabelsMustBeMergedIntoItsTemplate) {
  const std::vector<model::PodSpec> specs = {with_term({}, {}),
                                             with_term({}, {{"rev", "In", {"r1"}}}),
                                             with_term({{"rev", "r2"}}, {{"rev", "In", {"r2"}}})};
  const Told told(specs, {{"app", "web"}, {"rev", "r1"}});
  const std::string refused =
      "with its labels, " + std::string(kMatchLabelKeys) + " of its template" + kMissingRev;
  EXPECT_THAT(told.seen.faults,
              ElementsAre(::testing::EndsWith(": pods[0]: pod pod-0: " + refused),
                          ::testing::EndsWith(": pods[2]: pod pod-2: " + refused)));
  EXPECT_THAT(told.seen.pods, ElementsAre("pod-1"));
  EXPECT_THAT(Told(specs, {{"app", "web"}}).seen.faults, IsEmpty());
}

// The columns match the remaining pods.
TEST(StreamAdmission, ARefusedPodTakesItsLabelsAlong) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id(with_term({}, {}));
  const Told::Labels bad = {{"app", "bad"}, {"rev", "r1"}}, good = {{"app", "good"}};
  ASSERT_TRUE(writer.add_pod({id, "default", "bad", "", "", bad}));
  ASSERT_TRUE(writer.add_pod({id, "default", "good", "", "", good}));
  writer.end();
  MemorySource source(sink.bytes(), "s");
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  Batch batch;
  while (reader.next(batch) && batch.kind != BatchKind::kPods) {
  }
  EXPECT_THAT(batch.pods.names, ElementsAre("good"));
  EXPECT_THAT(batch.pods.label_ends, ElementsAre(1u));
  EXPECT_EQ(batch.pods.labels, good);
}

TEST(StreamAdmission, PodsOfAClusterMustBeMergedToo) {
  model::Pod bad, good;
  bad.name = "bad";
  bad.namespace_name = good.namespace_name = "default";
  bad.spec = with_term({{"rev", "r1"}}, {});
  good.name = "good";
  good.spec = with_term({{"rev", "r1"}}, {{"rev", "In", {"r1"}}});
  MemorySink sink;
  StreamWriter writer(sink);
  writer.cluster(
      std::vector{model::added(TemplatePod::of(bad)), model::added(TemplatePod::of(good))});
  writer.end();
  MemorySource source(sink.bytes(), "s");
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  std::vector<std::string> pods;
  for (Batch batch; reader.next(batch);) {
    if (batch.kind != BatchKind::kCluster) continue;
    model::each<TemplatePod>(batch.changes, [&](const auto& pod) { pods.push_back(pod.name); });
  }
  EXPECT_THAT(pods, ElementsAre("good"));
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_EQ(diagnostics.kept()[0].place().field, "pods[0].labels");
  EXPECT_EQ(diagnostics.kept()[0].message(),
            "with its labels, " + std::string(kMatchLabelKeys) + " of its template" + kMissingRev);
}

}  // namespace
}  // namespace berth::ingest
