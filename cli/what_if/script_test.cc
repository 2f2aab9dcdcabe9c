// The document WhatIf: every verb, times, and every fault with its place.

#include "cli/what_if/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/what_if/watch_source.h"

namespace berth::cli {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr char kType[] = "apiVersion: berth/v1\nkind: WhatIf\n";

Script parsed(const std::string& steps) {
  return parse_script(kType + ("steps:\n" + steps), "s.yaml");
}

std::string fault_in(const std::string& text) {
  try {
    parse_script(text, "s.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string fault_of(const std::string& steps) { return fault_in(kType + ("steps:\n" + steps)); }

std::string text_of(const std::string& step) { return step_text(parsed(step).steps.at(0)); }

TEST(Script, ReadsEveryVerb) {
  EXPECT_EQ(text_of("- cordon: {node: n1}"), "cordon node n1");
  EXPECT_EQ(text_of("- uncordon: {node: [n1, n2]}"), "uncordon nodes n1, n2");
  EXPECT_EQ(text_of("- drain: {nodes: 'a=b', options: --force}"), "drain nodes a=b --force");
  EXPECT_EQ(text_of("- remove: {nodes: 'zone in (x, y)'}"), "remove nodes zone in (x, y)");
  EXPECT_EQ(text_of("- taint: {node: n1, key: k, value: v, effect: NoExecute}"),
            "taint node n1 k=v:NoExecute");
  EXPECT_EQ(text_of("- untaint: {node: n1, key: k}"), "untaint node n1 k");
  EXPECT_EQ(text_of("- label: {node: n1, set: {b: '1', a: ''}, without: [c]}"),
            "label node n1 a= b=1 c-");
  EXPECT_EQ(text_of("- scale: {workload: Deployment/web, namespace: shop, replicas: 0}"),
            "scale Deployment shop/web to 0");
  EXPECT_EQ(text_of("- scale: {workload: StatefulSet/db, replicas: 3}"),
            "scale StatefulSet default/db to 3");
  EXPECT_EQ(text_of("- configure: {config: c.yaml, kubeVersion: '1.34', featureGates: {A: true}}"),
            "configure c.yaml, Kubernetes 1.34, A=true");
  EXPECT_NE(parsed("- configure: {config: c.yaml}").other(), nullptr);
  EXPECT_EQ(parsed("- cordon: {node: n1}").other(), nullptr);
  EXPECT_THAT(parse_script(kType + std::string("steps: []"), "s").steps, IsEmpty());
}

std::string fault_of_watch(const std::string& text) {
  try {
    check_watch("w.jsonl", text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Script, MayBeTheEventsOfAWatch) {
  const std::string path = testing::TempDir() + "what_if_script.jsonl";
  const std::string text =
      R"({"type":"DELETED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}})"
      "\n";
  std::ofstream(path) << text;
  const Script script = read_script(path);
  EXPECT_EQ(script.watch, text);
  EXPECT_EQ(script.file, path);
  EXPECT_THAT(script.steps, IsEmpty());
  std::ofstream(path) << kType << "steps: []\n";
  EXPECT_THAT(read_script(path).watch, IsEmpty());
}

TEST(Script, NamesTheLinesOfAWatch) {
  const std::string good =
      R"({"type":"DELETED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}})"
      "\n";
  EXPECT_THAT(fault_of_watch(good), IsEmpty());
  EXPECT_THAT(fault_of_watch(good + R"({"type":"REMOVED","object":{}})"),
              HasSubstr("w.jsonl:2:1: type: expected ADDED, MODIFIED, DELETED"));
  const std::string both = fault_of_watch(R"({"type":"ADDED"})"
                                          "\n" +
                                          good + "{\n");
  EXPECT_THAT(both, HasSubstr("w.jsonl: the watch has several faults:"));
  EXPECT_THAT(both, HasSubstr("w.jsonl:1"));
  EXPECT_THAT(both, HasSubstr("w.jsonl:3"));
}

TEST(Script, ReadsTimes) {
  const Script script = parsed(
      "- {at: 90s, cordon: {node: a}}\n- {cordon: {node: b}}\n- {after: 30s, cordon: {node: c}}\n"
      "- {at: 2m, cordon: {node: d}}\n");
  ASSERT_THAT(script.steps, SizeIs(4));
  EXPECT_EQ(script.steps[0].begins, Step::Begins::kAt);
  EXPECT_EQ(script.steps[0].time, seconds(90));
  EXPECT_EQ(script.steps[1].begins, Step::Begins::kTogether);
  EXPECT_EQ(script.steps[2].begins, Step::Begins::kAfter);
  EXPECT_EQ(script.steps[2].time, seconds(30));
  EXPECT_THAT(fault_of("- {at: 90s, cordon: {node: a}}\n- {after: 1m, cordon: {node: b}}\n"
                       "- {at: 2m, cordon: {node: c}}\n"),
              HasSubstr("s.yaml:6:3: steps[2].at: is before the step before it, which begins at "
                        "2m30s"));
  EXPECT_THAT(fault_of("- {cordon: {node: a}}\n- {at: 2m, cordon: {node: c}}\n"),
              HasSubstr("begins when the input stands still: say after"));
  EXPECT_THAT(fault_of("- {configure: {kubeVersion: '1.34'}}\n- {at: 2m, cordon: {node: c}}\n"),
              IsEmpty());
  EXPECT_THAT(fault_of("- {at: 1s, after: 1s, cordon: {node: a}}"), HasSubstr("not both"));
  EXPECT_THAT(fault_of("- {at: -1s, cordon: {node: a}}"), HasSubstr("must not be negative"));
  EXPECT_THAT(fault_of("- {at: soon, cordon: {node: a}}"), HasSubstr("must be a duration"));
}

TEST(Script, NamesMisspelledVerbsAndFields) {
  EXPECT_EQ(fault_of("- drian: {node: n1}"),
            "s.yaml:4:10: steps[0].drian: unknown field \"drian\"; did you mean \"drain\"?");
  EXPECT_THAT(fault_of("- cordon: {nodess: a=b}"), HasSubstr("did you mean \"nodes\"?"));
  EXPECT_THAT(fault_of("- explode: {node: n1}"), HasSubstr("expected one of cordon, uncordon"));
  EXPECT_THAT(fault_of("- scale: {workload: deployment/web, replicas: 1}"),
              HasSubstr("did you mean \"Deployment\"?"));
  EXPECT_THAT(fault_of("- scale: {workload: DaemonSet/web, replicas: 1}"),
              HasSubstr("no kind of workload with replicas is called \"DaemonSet\""));
  EXPECT_THAT(fault_of("- cordon: {node: n1, key: k}"), HasSubstr("unknown field \"key\""));
}

TEST(Script, RefusesWhatIsMissingOrWrong) {
  EXPECT_THAT(fault_of("- {}"), HasSubstr("must have one of cordon"));
  EXPECT_THAT(fault_of("- {cordon: {node: a}, remove: {node: a}}"), HasSubstr("and has 2"));
  EXPECT_THAT(fault_of("- cordon: {}"), HasSubstr("steps[0].cordon.nodes: Required value"));
  EXPECT_THAT(fault_of("- cordon: {node: a, nodes: b=c}"), HasSubstr("exclude each other"));
  EXPECT_THAT(fault_of("- cordon: {node: []}"), HasSubstr("Required value"));
  EXPECT_THAT(fault_of("- cordon: {node: [a, a]}"), HasSubstr("Duplicate value: \"a\""));
  EXPECT_THAT(fault_of("- cordon: {nodes: ''}"), HasSubstr("must be a label selector"));
  EXPECT_THAT(fault_of("- cordon: {nodes: 'a=('}"), HasSubstr("in a label selector"));
  EXPECT_THAT(fault_of("- cordon: n1"), HasSubstr("must be an object"));
  EXPECT_THAT(fault_of("- cordon:"), HasSubstr("steps[0].cordon: Required value"));
  EXPECT_THAT(fault_of("- drain: {node: a, options: --frce}"), HasSubstr("--frce"));
  EXPECT_THAT(fault_of("- taint: {node: a, key: k}"), HasSubstr("effect: Required value"));
  EXPECT_THAT(fault_of("- taint: {node: a, effect: NoExecute}"), HasSubstr("key: Required value"));
  EXPECT_THAT(fault_of("- taint: {node: a, key: k, effect: Never}"),
              HasSubstr("Unsupported value"));
  EXPECT_THAT(fault_of("- label: {node: a}"), HasSubstr("set: Required value"));
  EXPECT_THAT(fault_of("- label: {node: a, set: {k: 'not valid'}}"), HasSubstr("Invalid value"));
  EXPECT_THAT(fault_of("- scale: {workload: web, replicas: 1}"), HasSubstr("must be KIND/NAME"));
  EXPECT_THAT(fault_of("- scale: {workload: Deployment/web}"), HasSubstr("replicas: Required"));
  EXPECT_THAT(fault_of("- scale: {workload: Deployment/web, replicas: -1}"),
              HasSubstr("must not be negative"));
  EXPECT_THAT(fault_of("- configure: {}"), HasSubstr("must have one of config"));
  EXPECT_THAT(fault_of("- configure: {kubeVersion: '1.2'}"), HasSubstr("Unsupported value"));
  EXPECT_THAT(fault_of("- cordon: {node: a}\n- configure: {kubeVersion: '1.34'}"),
              HasSubstr("must be the first step"));
}

TEST(Script, IsOneDocumentOfItsKind) {
  EXPECT_THAT(fault_in("kind: WhatIf\nsteps: []"), HasSubstr("apiVersion: must be \"berth/v1\""));
  EXPECT_THAT(fault_in("apiVersion: berth/v1\nkind: Whatif\nsteps: []"),
              HasSubstr("kind: must be \"WhatIf\", not \"Whatif\""));
  EXPECT_THAT(fault_in(kType), HasSubstr("steps: Required value"));
  EXPECT_THAT(fault_in(""), HasSubstr("has 0 documents"));
  EXPECT_THAT(fault_in(std::string(kType) + "steps: []\n---\n" + kType + "steps: []"),
              HasSubstr("has 2 documents"));
  EXPECT_THAT(fault_in(std::string(kType) + "steps: []\nstep: []"), HasSubstr("\"steps\"?"));
  EXPECT_THAT(fault_in("[1, 2]"), Not(IsEmpty()));
  EXPECT_THAT(fault_in("3"), Not(IsEmpty()));
}

// A value of any kind in any place is a fault or is read, and nothing else.
TEST(Script, TakesAnyValueInAnyPlace) {
  const std::vector<std::string> values = {
      "null",     "3",  "-1",      "1e999",      "[]",   "[[[]]]",
      "{a: {b}}", "''", "\"\\0\"", "!!binary x", "true", "99999999999999999999"};
  const std::vector<std::string> places = {
      "- $",
      "- {at: $, cordon: {node: a}}",
      "- {after: $, cordon: {node: a}}",
      "- cordon: $",
      "- cordon: {node: $}",
      "- cordon: {node: [$]}",
      "- cordon: {nodes: $}",
      "- drain: {node: a, options: $}",
      "- taint: {node: a, key: $, value: $, effect: $}",
      "- label: {node: a, set: $, without: $}",
      "- label: {node: a, set: {$: $}}",
      "- scale: {workload: $, namespace: $, replicas: $}",
      "- configure: {config: $, kubeVersion: $, featureGates: $}"};
  size_t refused = 0;
  for (const std::string& place : places)
    for (const std::string& value : values) {
      std::string text = place;
      for (size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at))
        text.replace(at, 1, value);
      const std::string fault = fault_of(text);
      refused += !fault.empty();
      if (fault.empty()) continue;
      EXPECT_THAT(fault, testing::StartsWith("s.yaml")) << text;
    }
  EXPECT_GT(refused, values.size() * places.size() / 2);
}

}  // namespace
}  // namespace berth::cli
