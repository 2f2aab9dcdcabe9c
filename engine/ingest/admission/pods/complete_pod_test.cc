// Admission of pods, for topology spread and pod affinity.

#include <gtest/gtest.h>

#include <string>

#include "engine/ingest/admission/pods/validate_pod.h"
#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

constexpr char kKeySyntax[] =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr char kValueSyntax[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

Decoded<model::Pod> decoded(const std::string& spec, Defaults defaults = Defaults::kApiServer) {
  Decoded<model::Pod> decoded(
      decode_pod, "{metadata: {name: p, labels: {app: web, rev: r1}}, spec: {" + spec + "}}",
      defaults);
  EXPECT_EQ(decoded.object.has_value(), decoded.errors.empty());
  return decoded;
}

// The errors, without places and with everything up to `path` removed.
Texts errors_behind(const std::string& path, const std::string& spec) {
  Texts errors = decoded(spec).errors;
  for (std::string& error : errors) {
    const size_t at = error.find(path);
    if (at != std::string::npos) error.erase(0, at + path.size());
  }
  return errors;
}

// The errors of the second of two constraints.
Texts spread_errors(const std::string& constraint) {
  return errors_behind("spec.topologySpreadConstraints[1]",
                       "topologySpreadConstraints: [{maxSkew: 1, topologyKey: other, "
                       "whenUnsatisfiable: DoNotSchedule}, {" +
                           constraint + "}]");
}

// The errors of a constraint that is valid apart from these fields.
Texts errors_in_spread(const std::string& fields) {
  return spread_errors("maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, " +
                       fields);
}

std::string in_affinity(const std::string& term) {
  return "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{" + term +
         "}]}}";
}

// The errors of a term with a topology key.
Texts term_errors(const std::string& fields) {
  return errors_behind("spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution",
                       in_affinity("topologyKey: zone, " + fields));
}

TEST(AdmitPod, TakesWhatAnApiServerTakes) {
  EXPECT_EQ(errors_in_spread("labelSelector: {matchLabels: {app: web}, matchExpressions: ["
                             "{key: a, operator: In, values: [b, '']}, {key: a, operator: Exists},"
                             "{key: x.y/z, operator: NotIn, values: [b]},"
                             "{key: a, operator: DoesNotExist, values: []}]},"
                             "minDomains: 1, nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor,"
                             "matchLabelKeys: [rev, absent]"),
            Texts());
  EXPECT_EQ(spread_errors("maxSkew: 2147483647, topologyKey: not a label's key,"
                          "whenUnsatisfiable: ScheduleAnyway"),
            Texts());
  EXPECT_EQ(term_errors("namespaces: [a, b-1], namespaceSelector: {}, labelSelector: {},"
                        "matchLabelKeys: [app], mismatchLabelKeys: [rev, rev, absent]"),
            Texts());
}

TEST(AdmitPod, RefusesTopologySpread) {
  EXPECT_EQ(spread_errors(""),
            Texts({".maxSkew: Invalid value: 0: must be greater than zero",
                   ".topologyKey: Required value: can not be empty",
                   ".whenUnsatisfiable: Unsupported value: \"\": supported values: "
                   "\"DoNotSchedule\", \"ScheduleAnyway\""}));
  EXPECT_EQ(spread_errors("maxSkew: -1, topologyKey: z, whenUnsatisfiable: <Maybe>"),
            Texts({".maxSkew: Invalid value: -1: must be greater than zero",
                   ".whenUnsatisfiable: Unsupported value: \"\\u003cMaybe\\u003e\": supported "
                   "values: \"DoNotSchedule\", \"ScheduleAnyway\""}));
  EXPECT_EQ(errors_in_spread("minDomains: 0"),
            Texts({".minDomains: Invalid value: 0: must be greater than zero"}));
  EXPECT_EQ(spread_errors("maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway, "
                          "minDomains: 2"),
            Texts({".minDomains: Invalid value: 2: can only use minDomains if "
                   "whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway"}));
  EXPECT_EQ(errors_in_spread("nodeAffinityPolicy: honor, nodeTaintsPolicy: None"),
            Texts({".nodeAffinityPolicy: Unsupported value: \"honor\": supported values: "
                   "\"Honor\", \"Ignore\"",
                   ".nodeTaintsPolicy: Unsupported value: \"None\": supported values: \"Honor\", "
                   "\"Ignore\""}));
}

TEST(AdmitPod, RefusesOneKindOfSpreadTwice) {
  const std::string zone = "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}";
  const std::string other = "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}";
  const std::string duplicate =
      ".{topologyKey, whenUnsatisfiable}: Duplicate value: \"{zone, DoNotSchedule}\"";
  EXPECT_EQ(errors_behind("Constraints", "topologySpreadConstraints: [" + zone + ", " + other +
                                             ", " + zone + ", " + zone + "]"),
            Texts({"[0]" + duplicate, "[2]" + duplicate}));
}

TEST(AdmitPod, RefusesSelectors) {
  EXPECT_EQ(errors_in_spread("labelSelector: {matchExpressions: [{key: a, operator: In},"
                             "{key: a, operator: NotIn, values: []},"
                             "{key: a, operator: Exists, values: [b]},"
                             "{key: a, operator: DoesNotExist, values: [b]},"
                             "{key: a, operator: '>', values: ['1']}, {key: -a, operator: Exists},"
                             "{key: a, operator: In, values: [ok, -b]}]}"),
            Texts({".labelSelector.matchExpressions[0].values: Required value: must be specified "
                   "when `operator` is 'In' or 'NotIn'",
                   ".labelSelector.matchExpressions[1].values: Required value: must be specified "
                   "when `operator` is 'In' or 'NotIn'",
                   ".labelSelector.matchExpressions[2].values: Forbidden: may not be specified "
                   "when `operator` is 'Exists' or 'DoesNotExist'",
                   ".labelSelector.matchExpressions[3].values: Forbidden: may not be specified "
                   "when `operator` is 'Exists' or 'DoesNotExist'",
                   ".labelSelector.matchExpressions[4].operator: Invalid value: \"\\u003e\": not a "
                   "valid selector operator",
                   ".labelSelector.matchExpressions[5].key: Invalid value: \"-a\": " +
                       std::string(kKeySyntax),
                   ".labelSelector.matchExpressions[6].values[1]: Invalid value: \"-b\": " +
                       std::string(kValueSyntax)}));
  EXPECT_EQ(
      term_errors("labelSelector: {matchLabels: {-a: b, c: -d}}, "
                  "namespaceSelector: {matchExpressions: [{key: a}]}"),
      Texts({"[0].labelSelector.matchLabels: Invalid value: \"-a\": " + std::string(kKeySyntax),
             "[0].labelSelector.matchLabels: Invalid value: \"-d\": " + std::string(kValueSyntax),
             "[0].namespaceSelector.matchExpressions[0].operator: Invalid value: \"\": not a "
             "valid selector operator"}));
}

TEST(AdmitPod, RefusesLabelKeys) {
  const std::string forbidden = "Forbidden: must not be specified when labelSelector is not set";
  const std::string twice = "exists in both matchLabelKeys and labelSelector";
  EXPECT_EQ(errors_in_spread("matchLabelKeys: [rev]"), Texts({".matchLabelKeys: " + forbidden}));
  EXPECT_EQ(errors_in_spread("labelSelector: {}, matchLabelKeys: [a, -b]"),
            Texts({".matchLabelKeys[1]: Invalid value: \"-b\": " + std::string(kKeySyntax)}));
  EXPECT_EQ(errors_in_spread("labelSelector: {matchLabels: {rev: r1}}, matchLabelKeys: [app, rev]"),
            Texts({"[1]: Invalid value: \"rev\": " + twice}));
  EXPECT_EQ(errors_in_spread("labelSelector: {matchExpressions: [{key: rev, operator: Exists}]}, "
                             "matchLabelKeys: [rev]"),
            Texts({"[0]: Invalid value: \"rev\": " + twice}));
  // A label that the pod lacks adds nothing to the selector.
  EXPECT_EQ(errors_in_spread("labelSelector: {matchLabels: {none: x}}, matchLabelKeys: [none]"),
            Texts());

  EXPECT_EQ(term_errors("matchLabelKeys: [rev], mismatchLabelKeys: [app]"),
            Texts({"[0].matchLabelKeys: " + forbidden, "[0].mismatchLabelKeys: " + forbidden}));
  EXPECT_EQ(term_errors("labelSelector: {}, mismatchLabelKeys: [-b]"),
            Texts({"[0].mismatchLabelKeys[0]: Invalid value: \"-b\": " + std::string(kKeySyntax)}));
  EXPECT_EQ(term_errors("labelSelector: {matchLabels: {rev: r1}}, matchLabelKeys: [rev]"),
            Texts({"[0][0]: Invalid value: \"rev\": " + twice}));
  EXPECT_EQ(term_errors("labelSelector: {}, matchLabelKeys: [rev, rev]"),
            Texts({"[0][1]: Invalid value: \"rev\": " + twice}));
  EXPECT_EQ(term_errors("labelSelector: {}, matchLabelKeys: [a, b], mismatchLabelKeys: [b]"),
            Texts({"[0].matchLabelKeys[1]: Invalid value: \"b\": exists in both matchLabelKeys and "
                   "mismatchLabelKeys"}));
}

TEST(AdmitPod, RefusesTermsOfAffinity) {
  EXPECT_EQ(errors_behind("spec.affinity.", in_affinity("")),
            Texts({"podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: "
                   "Required value: can not be empty",
                   "podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: "
                   "Invalid value: \"\": name part must be non-empty",
                   "podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: "
                   "Invalid value: \"\": " +
                       std::string(kKeySyntax)}));
  EXPECT_EQ(term_errors("namespaces: [a, a.b]"),
            Texts({"[0].namespace: Invalid value: \"a.b\": must not contain dots"}));
  const auto weighted = [](const std::string& weight) {
    return errors_behind(
        "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution",
        "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" + weight +
            "]}}");
  };
  EXPECT_EQ(weighted("{weight: 1, podAffinityTerm: {topologyKey: z}}, "
                     "{weight: 100, podAffinityTerm: {topologyKey: z}}"),
            Texts());
  EXPECT_EQ(
      weighted("{weight: 101, podAffinityTerm: {topologyKey: z}}, "
               "{podAffinityTerm: {topologyKey: -}}"),
      Texts({"[0].weight: Invalid value: 101: must be in the range 1-100",
             "[1].weight: Invalid value: 0: must be in the range 1-100",
             "[1].podAffinityTerm.topologyKey: Invalid value: \"-\": " + std::string(kKeySyntax)}));
}

TEST(AdmitPod, NamesThePlaceOrThatOfWhatItLacks) {
  Read read(R"(
apiVersion: v1
kind: List
items:
- kind: Pod
  metadata: {name: p, labels: {rev: r1}}
  spec:
    topologySpreadConstraints:
    - maxSkew: 0
      whenUnsatisfiable: DoNotSchedule
      labelSelector: {matchLabels: {rev: r1}}
      matchLabelKeys: [rev]
- kind: Pod
  metadata: {name: q}
)");
  const std::string constraint = "items[0].spec.topologySpreadConstraints[0]";
  EXPECT_EQ(
      read.errors,
      Texts({"file:9:16: " + constraint + ".maxSkew: Invalid value: 0: must be greater than zero",
             "file:9:7: " + constraint + ".topologyKey: Required value: can not be empty",
             "file:9:7: " + constraint +
                 "[0]: Invalid value: \"rev\": exists in both matchLabelKeys and labelSelector"}));
  EXPECT_EQ(read.objects.rejected, 1u);
  ASSERT_EQ(read.objects.pods.size(), 1u);
  EXPECT_EQ(read.objects.pods[0].name, "q");
}

TEST(AdmitPod, OneTextIsSaidOnceAndFewAreSaid) {
  EXPECT_EQ(term_errors("namespaces: [a.b, a.b]").size(), 1u);
  model::PodAffinityTerm term;
  term.topology_key = "zone";
  for (int i = 0; i < 20; ++i) term.namespaces.push_back("a." + std::to_string(i));
  model::PodSpec spec;
  spec.affinity.pod_affinity = model::PodAffinity{{term}, {}};
  EXPECT_EQ(validate_pod(spec, {}, Strictness::kCreated).size(), FieldErrors::kMost);
}

TEST(AdmitPod, ObjectsThatASchedulerSawStayAsTheyAre) {
  Decoded<model::Pod> bad = decoded("topologySpreadConstraints: [{}]", Defaults::kNone);
  EXPECT_TRUE(bad.object);
  Decoded<model::Pod> whole =
      decoded(in_affinity("labelSelector: {}, matchLabelKeys: [rev]"), Defaults::kNone);
  ASSERT_TRUE(whole.object);
  EXPECT_EQ(whole.object->spec.affinity.pod_affinity->required[0].label_selector,
            model::LabelSelector());
}

// An API server accepts updates of pods that it, or an older one, accepted before.
TEST(AdmitPod, APodThatRunsMayHaveSelectorsOfOldServers) {
  const std::string term = in_affinity(
      "topologyKey: z, labelSelector: {matchExpressions: ["
      "{key: a, operator: In, values: [-b]}]}");
  const std::string spread =
      "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule,"
      "labelSelector: {matchLabels: {rev: -b}}, matchLabelKeys: [rev]}]";
  EXPECT_EQ(decoded(term).errors.size(), 1u);
  EXPECT_EQ(decoded(spread).errors.size(), 2u);
  EXPECT_EQ(decoded("nodeName: n1, " + term).errors, Texts());
  EXPECT_EQ(decoded("nodeName: n1, " + spread).errors, Texts());
  EXPECT_EQ(decoded("nodeName: n1, topologySpreadConstraints: [{}]").errors.size(), 3u);
  EXPECT_EQ(decoded("nodeName: n1, " + in_affinity("")).errors.size(), 3u);
}

// The expressions of the only term after completion.
std::vector<model::Requirement> completed(const std::string& fields) {
  Decoded<model::Pod> pod = decoded(in_affinity("topologyKey: zone, " + fields));
  EXPECT_EQ(pod.errors, Texts());
  if (!pod.object) return {};
  return pod.object->spec.affinity.pod_affinity->required[0]
      .label_selector.value_or(model::LabelSelector())
      .match_expressions;
}

using Requirements = std::vector<model::Requirement>;

TEST(AdmitPod, MergesLabelKeysOfAffinity) {
  EXPECT_EQ(completed("labelSelector: {matchExpressions: [{key: a, operator: Exists}]}, "
                      "matchLabelKeys: [none, rev], mismatchLabelKeys: [app, other]"),
            Requirements({{"a", "Exists", {}}, {"rev", "In", {"r1"}}, {"app", "NotIn", {"web"}}}));
  EXPECT_EQ(completed("labelSelector: {}, mismatchLabelKeys: [rev, rev]"),
            Requirements({{"rev", "NotIn", {"r1"}}, {"rev", "NotIn", {"r1"}}}));
  EXPECT_EQ(
      completed("labelSelector: {matchExpressions: [{key: rev, operator: NotIn, values: [r1]}]},"
                "mismatchLabelKeys: [rev, rev]"),
      Requirements({{"rev", "NotIn", {"r1"}}, {"rev", "NotIn", {"r1"}}}));
  EXPECT_EQ(completed("labelSelector: {matchExpressions: [{key: rev, operator: In, values: [r1]}]},"
                      "mismatchLabelKeys: [rev]"),
            Requirements({{"rev", "In", {"r1"}}, {"rev", "NotIn", {"r1"}}}));
  EXPECT_EQ(completed("namespaces: [a]"), Requirements());
}

TEST(AdmitPod, MergesInEveryTerm) {
  const std::string term =
      "topologyKey: z, labelSelector: {matchLabels: {app: web}}, matchLabelKeys: [rev]";
  const std::string both = "{requiredDuringSchedulingIgnoredDuringExecution: [{" + term +
                           "}], preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "
                           "podAffinityTerm: {" +
                           term + "}}]}";
  Decoded<model::Pod> pod =
      decoded("affinity: {podAffinity: " + both + ", podAntiAffinity: " + both + "}");
  ASSERT_TRUE(pod.object);
  const model::Affinity& affinity = pod.object->spec.affinity;
  for (const auto& terms : {*affinity.pod_affinity, *affinity.pod_anti_affinity}) {
    for (const auto& merged : {terms.required[0], terms.preferred[0].term}) {
      EXPECT_EQ(merged.label_selector->match_expressions, Requirements({{"rev", "In", {"r1"}}}));
    }
  }
}

TEST(AdmitPod, MergesOnceWhatCameFromAnApiServer) {
  EXPECT_EQ(
      completed("labelSelector: {matchExpressions: [{key: rev, operator: In, values: [r1]}]}, "
                "matchLabelKeys: [rev]"),
      Requirements({{"rev", "In", {"r1"}}}));
  EXPECT_EQ(
      completed("labelSelector: {matchExpressions: ["
                "{key: app, operator: NotIn, values: [web, db]},"
                "{key: rev, operator: NotIn, values: [r1]}]},"
                "mismatchLabelKeys: [rev, app]"),
      Requirements(
          {{"app", "NotIn", {"web", "db"}}, {"rev", "NotIn", {"r1"}}, {"app", "NotIn", {"web"}}}));
  EXPECT_EQ(errors_in_spread("labelSelector: {matchExpressions: ["
                             "{key: rev, operator: In, values: [r1]}]}, matchLabelKeys: [rev]"),
            Texts());
}

// The scheduler evaluates these keys itself.
TEST(AdmitPod, LeavesLabelKeysOfTopologySpread) {
  Decoded<model::Pod> pod = decoded(
      "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
      "DoNotSchedule, labelSelector: {}, matchLabelKeys: [rev]}]");
  ASSERT_TRUE(pod.object);
  const model::TopologySpreadConstraint& spread = pod.object->spec.topology_spread_constraints[0];
  EXPECT_EQ(spread.label_selector, model::LabelSelector());
  EXPECT_EQ(spread.match_label_keys, Texts({"rev"}));
}

}  // namespace
}  // namespace berth::ingest
