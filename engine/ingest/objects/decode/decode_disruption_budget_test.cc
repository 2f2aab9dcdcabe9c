// Decoding of disruption budgets, and of what preemption reads of pods.

#include <gtest/gtest.h>

#include <string>

#include "engine/ingest/objects/fields/time_field.h"
#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

TEST(DecodeDisruptionBudget, ReadsEveryField) {
  const Decoded<model::DisruptionBudget> decoding(decode_disruption_budget, R"(
metadata: {name: web, namespace: team}
spec:
  minAvailable: 2
  selector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: Exists}]}
status:
  disruptionsAllowed: 3
  disruptedPods: {web-2: "2024-01-01T00:00:00Z", web-1: "2024-01-01T00:00:00Z"}
)",
                                                  Defaults::kNone);
  ASSERT_EQ(decoding.errors, Texts());
  const model::DisruptionBudget expected{
      "web",
      "team",
      model::LabelSelector{{{"app", "web"}}, {{.key = "tier", .op = "Exists", .values = {}}}},
      3,
      {"web-1", "web-2"},
      model::PodAmount{2, false}};
  EXPECT_EQ(*decoding.object, expected);
}

TEST(DecodeDisruptionBudget, ABareOneCoversNothing) {
  const Decoded<model::DisruptionBudget> decoding(
      decode_disruption_budget, "metadata: {name: web}\nspec: {}\n", Defaults::kApiServer);
  ASSERT_EQ(decoding.errors, Texts());
  model::DisruptionBudget bare{"web", "default", std::nullopt, 0, {}};
  bare.without_status = true;
  EXPECT_EQ(*decoding.object, bare);
}

TEST(DecodeDisruptionBudget, FieldsOfTheWrongTypeAreFaults) {
  for (const char* text : {"metadata: {name: web}\nstatus: {disruptionsAllowed: many}",
                           "metadata: {name: web}\nstatus: {disruptedPods: [a]}",
                           "metadata: {name: web}\nspec: {selector: app}", "spec: {}"}) {
    const Decoded<model::DisruptionBudget> decoding(decode_disruption_budget, text,
                                                    Defaults::kNone);
    EXPECT_EQ(decoding.errors.size(), 1u) << text;
    EXPECT_FALSE(decoding.object) << text;
  }
}

model::DisruptionBudget budget_with(const std::string& spec) {
  const Decoded<model::DisruptionBudget> decoding(
      decode_disruption_budget, "metadata: {name: web}\nspec: {" + spec + "}\n", Defaults::kNone);
  EXPECT_EQ(decoding.errors, Texts()) << spec;
  return decoding.object.value_or(model::DisruptionBudget());
}

TEST(DecodeDisruptionBudget, AmountsAreNumbersOrPercentages) {
  EXPECT_EQ(budget_with("minAvailable: 100%").min_available, (model::PodAmount{100, true}));
  EXPECT_EQ(budget_with("minAvailable: 007%").min_available, (model::PodAmount{7, true}));
  EXPECT_EQ(budget_with("maxUnavailable: 101").max_unavailable, (model::PodAmount{101, false}));
  EXPECT_EQ(budget_with("maxUnavailable: 0").max_unavailable, (model::PodAmount{0, false}));
  EXPECT_EQ(budget_with("minAvailable: null").min_available, std::nullopt);
}

TEST(DecodeDisruptionBudget, ReadsThePolicyForUnhealthyPods) {
  const auto policy = [](const std::string& name) {
    return budget_with("unhealthyPodEvictionPolicy: " + name).unhealthy_pods;
  };
  EXPECT_EQ(policy("AlwaysAllow"), model::UnhealthyPods::kAlwaysAllow);
  EXPECT_EQ(policy("IfHealthyBudget"), model::UnhealthyPods::kIfHealthyBudget);
  EXPECT_EQ(policy("null"), model::UnhealthyPods::kIfHealthyBudget);
}

TEST(DecodeDisruptionBudget, WhatAnApiServerRefusesIsAFault) {
  const auto fault = [](const std::string& spec) {
    const Decoded<model::DisruptionBudget> decoding(
        decode_disruption_budget, "{metadata: {name: web}, spec: {" + spec + "}}", Defaults::kNone);
    EXPECT_FALSE(decoding.object) << spec;
    if (decoding.diagnostics.count() != 1) return std::string();
    const Error& error = decoding.diagnostics.kept().front();
    return error.place().field + ": " + error.message();
  };
  EXPECT_EQ(fault("minAvailable: -1"),
            "spec.minAvailable: Invalid value: -1: must be greater than or equal to 0");
  EXPECT_EQ(fault("maxUnavailable: 101%"),
            "spec.maxUnavailable: Invalid value: \"101%\": must not be greater than 100%");
  EXPECT_EQ(fault("maxUnavailable: 99999999999%"),
            "spec.maxUnavailable: Invalid value: \"99999999999%\": must not be greater than 100%");
  const std::string no_percentage =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or "
      "'93%', regex used for validation is '[0-9]+%')";
  for (const std::string text : {"10", "%", "-1%", "1.5%", "5%%"})
    EXPECT_EQ(fault("minAvailable: \"" + text + "\""),
              "spec.minAvailable: Invalid value: \"" + text + "\": " + no_percentage);
  EXPECT_EQ(fault("minAvailable: 4294967296"),
            "spec.minAvailable: expected a number of pods or a percentage like \"10%\"");
  EXPECT_EQ(fault("minAvailable: 1, maxUnavailable: 1"),
            "spec: minAvailable and maxUnavailable cannot be both set");
  EXPECT_EQ(fault("unhealthyPodEvictionPolicy: Never"),
            "spec.unhealthyPodEvictionPolicy: Unsupported value: \"Never\": supported values: "
            "\"AlwaysAllow\", \"IfHealthyBudget\"");
  const auto selecting = [&](const std::string& requirement) {
    return fault("selector: {matchExpressions: [{key: app, " + requirement + "}]}");
  };
  const std::string at = "spec.selector.matchExpressions[0]";
  EXPECT_EQ(selecting("operator: Near, values: [a]"),
            at + ".operator: Invalid value: \"Near\": not a valid selector operator: In, NotIn, "
                 "Exists, DoesNotExist");
  EXPECT_EQ(selecting("operator: In"),
            at + ".values: must be specified when `operator` is 'In' or 'NotIn'");
  EXPECT_EQ(selecting("operator: Exists, values: [a]"),
            at + ".values: may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
}

model::Pod pod_with_status(const std::string& status, const std::string& metadata = "") {
  const Decoded<model::Pod> decoding(
      decode_pod,
      "metadata: {name: p, namespace: ns" + metadata + "}\nspec: {}\nstatus: {" + status + "}\n",
      Defaults::kNone);
  EXPECT_EQ(decoding.errors, Texts()) << status;
  return decoding.object.value_or(model::Pod());
}

TEST(DecodePod, ReadsWhenItStarted) {
  EXPECT_EQ(pod_with_status("startTime: '2024-01-01T00:00:01Z'").started_at,
            1'704'067'201'000'000'000);
  EXPECT_FALSE(pod_with_status("phase: Pending").started_at);
}

TEST(DecodePod, ReadsWhenItWasCreated) {
  EXPECT_EQ(pod_with_status("", ", creationTimestamp: '2024-01-01T00:00:01Z'").created_at,
            1'704'067'201'000'000'000);
  EXPECT_EQ(pod_with_status("", ", creationTimestamp: null").created_at, 0)
      << "which kubectl writes";
  EXPECT_EQ(pod_with_status("").created_at, 0);
}

TEST(DecodePod, IsReadyIfItsConditionIsTrue) {
  using model::PodReady;
  const auto ready = [](const std::string& list) {
    return pod_with_status("conditions: [" + list + "]").ready;
  };
  EXPECT_EQ(ready("{type: Ready, status: 'True'}"), PodReady::kTrue);
  EXPECT_EQ(ready("{type: Ready, status: 'False'}"), PodReady::kFalse);
  EXPECT_EQ(ready("{type: Ready, status: Unknown}"), PodReady::kFalse);
  EXPECT_EQ(ready("{type: ContainersReady, status: 'True'}"), PodReady::kNotTold);
  EXPECT_EQ(ready("{type: Ready, status: 'False'}, {type: Ready, status: 'True'}"),
            PodReady::kFalse)
      << "the first counts";
}

TEST(DecodePod, WasPreemptedIfTheSchedulerDisruptsIt) {
  const std::string deleted = ", deletionTimestamp: '2024-01-01T00:00:00Z'";
  const auto conditions = [](const std::string& list) { return "conditions: [" + list + "]"; };
  const std::string ready = "{type: Ready, status: 'True'}";
  const std::string by_scheduler =
      "{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler}";
  const std::string by_taint =
      "{type: DisruptionTarget, status: 'True', reason: DeletionByTaintManager}";
  EXPECT_TRUE(pod_with_status(conditions(ready + ", " + by_scheduler), deleted).preempted);
  EXPECT_FALSE(pod_with_status(conditions(by_scheduler)).preempted);
  EXPECT_FALSE(pod_with_status(conditions(by_taint), deleted).preempted);
  EXPECT_FALSE(pod_with_status(conditions(by_taint + ", " + by_scheduler), deleted).preempted);
  EXPECT_FALSE(
      pod_with_status(
          conditions("{type: DisruptionTarget, status: 'False', reason: PreemptionByScheduler}"),
          deleted)
          .preempted);
}

TEST(ParseTime, ReadsTimesOfTheApi) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_time("1970-01-02T01:02:03Z"), 90'123'000'000'000);
  EXPECT_EQ(parse_time("1969-12-31T23:59:59Z"), -1'000'000'000);
  EXPECT_EQ(parse_time("1970-01-01T00:00:00.5Z"), 500'000'000);
  EXPECT_EQ(parse_time("1970-01-01T00:00:00.0000000019Z"), 1);
  EXPECT_EQ(parse_time("1970-01-01T02:30:00+02:30"), 0);
  EXPECT_EQ(parse_time("1969-12-31T22:00:00-02:00"), 0);
  EXPECT_EQ(parse_time("2024-02-29T00:00:00Z"), 1'709'164'800'000'000'000);
  for (const char* text :
       {"", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01 00:00:00Z", "1970-13-01T00:00:00Z",
        "2023-02-29T00:00:00Z", "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z",
        "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00Zx", "1970-01-01T00:00:00+0200",
        "197O-01-01T00:00:00Z", "1600-01-01T00:00:00Z", "2300-01-01T00:00:00Z"})
    EXPECT_FALSE(parse_time(text)) << text;
}

}  // namespace
}  // namespace berth::ingest
