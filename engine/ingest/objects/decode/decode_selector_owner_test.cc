// Decoding of objects that select pods, and of owners of pods.

#include <gtest/gtest.h>

#include <string>

#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

using model::SelectorOwnerKind;

struct Decoding : Decoded<model::SelectorOwner> {
  Decoding(SelectorOwnerKind kind, std::string_view text, Defaults defaults = Defaults::kNone)
      : Decoded([kind](document::Value value, Diagnostics& to,
                       Defaults with) { return decode_selector_owner(value, kind, to, with); },
                text, defaults) {
    EXPECT_EQ(object.has_value(), errors.empty()) << text;
  }
};

model::SelectorOwner selector_owner(SelectorOwnerKind kind, std::string_view text,
                                    Defaults defaults = Defaults::kNone) {
  Decoding decoding(kind, text, defaults);
  EXPECT_EQ(decoding.errors, Texts()) << text;
  return decoding.object.value_or(model::SelectorOwner());
}

constexpr SelectorOwnerKind kWithMaps[] = {SelectorOwnerKind::kService,
                                           SelectorOwnerKind::kReplicationController};
constexpr SelectorOwnerKind kWithSelectors[] = {SelectorOwnerKind::kReplicaSet,
                                                SelectorOwnerKind::kStatefulSet};

TEST(DecodeSelectorOwner, ReadsEveryFieldOfThoseThatSelectByAMap) {
  for (SelectorOwnerKind kind : kWithMaps) {
    model::SelectorOwner owner = selector_owner(kind, R"(
metadata: {name: web, namespace: team, labels: {not: read}}
spec:
  selector: {tier: front, app: web}
)");
    EXPECT_EQ(owner.kind, kind);
    EXPECT_EQ(owner.name, "web");
    EXPECT_EQ(owner.namespace_name, "team");
    ASSERT_TRUE(owner.selector);
    EXPECT_EQ(pairs(owner.selector->match_labels), "app=web tier=front");
    EXPECT_TRUE(owner.selector->match_expressions.empty());
  }
}

TEST(DecodeSelectorOwner, ReadsEveryFieldOfThoseThatSelectByASelector) {
  for (SelectorOwnerKind kind : kWithSelectors) {
    model::SelectorOwner owner = selector_owner(kind, R"(
metadata: {name: web, namespace: team}
spec:
  selector:
    matchLabels: {tier: front, app: web}
    matchExpressions: [{key: canary, operator: NotIn, values: ["yes", maybe]}]
)");
    EXPECT_EQ(owner.kind, kind);
    EXPECT_EQ(owner.name, "web");
    EXPECT_EQ(owner.namespace_name, "team");
    ASSERT_TRUE(owner.selector);
    EXPECT_EQ(pairs(owner.selector->match_labels), "app=web tier=front");
    EXPECT_EQ(owner.selector->match_expressions,
              (std::vector<model::Requirement>{{"canary", "NotIn", {"yes", "maybe"}}}));
  }
}

TEST(DecodeSelectorOwner, TellsAbsentFromEmpty) {
  for (SelectorOwnerKind kind :
       {SelectorOwnerKind::kService, SelectorOwnerKind::kReplicationController,
        SelectorOwnerKind::kReplicaSet, SelectorOwnerKind::kStatefulSet}) {
    EXPECT_FALSE(selector_owner(kind, R"({"metadata": {"name": "a"}})").selector);
    EXPECT_FALSE(selector_owner(kind, R"({"metadata": {"name": "a"}, "spec": null})").selector);
    EXPECT_FALSE(selector_owner(kind, R"({"metadata": {"name": "a"}, "spec": {"selector": null}})")
                     .selector);
    EXPECT_EQ(
        selector_owner(kind, R"({"metadata": {"name": "a"}, "spec": {"selector": {}}})").selector,
        model::LabelSelector());
  }
}

TEST(DecodeSelectorOwner, DefaultsAreThoseOfAnApiServer) {
  const char text[] = R"(
metadata: {name: web}
spec: {template: {metadata: {labels: {app: web}}}}
)";
  EXPECT_EQ(selector_owner(SelectorOwnerKind::kService, text).namespace_name, "");
  EXPECT_EQ(selector_owner(SelectorOwnerKind::kService, text, Defaults::kApiServer).namespace_name,
            "default");
  for (SelectorOwnerKind kind : {SelectorOwnerKind::kService, SelectorOwnerKind::kReplicaSet,
                                 SelectorOwnerKind::kStatefulSet})
    EXPECT_FALSE(selector_owner(kind, text, Defaults::kApiServer).selector);
  constexpr SelectorOwnerKind kController = SelectorOwnerKind::kReplicationController;
  EXPECT_FALSE(selector_owner(kController, text).selector);
  auto selected = [](std::string_view controller) {
    model::SelectorOwner owner = selector_owner(kController, controller, Defaults::kApiServer);
    return owner.selector ? pairs(owner.selector->match_labels) : "nothing";
  };
  EXPECT_EQ(selected(text), "app=web");
  EXPECT_EQ(selected("metadata: {name: a}"), "nothing");
  EXPECT_EQ(selected(R"({"metadata": {"name": "a"}, "spec": {"selector": {},
      "template": {"metadata": {"labels": {"app": "web"}}}}})"),
            "app=web");
  EXPECT_EQ(selected(R"({"metadata": {"name": "a"}, "spec": {"selector": {"own": "1"},
      "template": {"metadata": {"labels": {"app": "web"}}}}})"),
            "own=1");
}

TEST(DecodeSelectorOwner, FaultsNameTheirFieldAndPlace) {
  EXPECT_EQ(Decoding(SelectorOwnerKind::kService, "spec: {}").errors,
            Texts({"file:1:1: metadata.name: a Service needs a name"}));
  EXPECT_EQ(Decoding(SelectorOwnerKind::kStatefulSet, "metadata: {namespace: a}").errors,
            Texts({"file:1:11: metadata.name: a StatefulSet needs a name"}));
  EXPECT_EQ(Decoding(SelectorOwnerKind::kService, R"({"metadata": {"name": "s", "namespace": 5}})")
                .errors,
            Texts({"file:1:41: metadata.namespace: expected a string, found the number 5 (put it "
                   "in quotes)"}));
  EXPECT_EQ(Decoding(SelectorOwnerKind::kReplicationController,
                     "metadata: {name: s}\nspec:\n  selector: {app: 1}\n")
                .errors,
            Texts({"file:3:19: spec.selector.app: expected a string, found the number 1 (put it in "
                   "quotes)"}));
  EXPECT_EQ(Decoding(SelectorOwnerKind::kReplicaSet,
                     "metadata: {name: s}\nspec:\n  selector: {matchLabels: [app]}\n")
                .errors,
            Texts({"file:3:27: spec.selector.matchLabels: expected an object, found an array"}));
  EXPECT_EQ(
      Decoding(SelectorOwnerKind::kStatefulSet, "metadata: {name: s}\nspec:\n  selector: app\n")
          .errors,
      Texts({"file:3:13: spec.selector: expected an object, found the string \"app\""}));
}

std::optional<model::Controller> controller(std::string_view owners) {
  Decoded<model::Pod> decoded(
      decode_pod, R"({"metadata": {"name": "p", "ownerReferences": )" + std::string(owners) + "}}",
      Defaults::kNone);
  EXPECT_EQ(decoded.errors, Texts()) << owners;
  return decoded.object.value_or(model::Pod()).controller;
}

TEST(DecodeController, IsTheFirstOwnerThatSaysSo) {
  EXPECT_EQ(controller(R"([
      {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "0"},
      {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "1", "controller": false},
      {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "2",
       "controller": true, "blockOwnerDeletion": true},
      {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "3", "controller": true}])"),
            (model::Controller{"apps/v1", "ReplicaSet", "web", "2"}));
  EXPECT_EQ(controller(R"([null, {"controller": true}])"), model::Controller());
  EXPECT_EQ(controller(R"([{"kind": "Node", "controller": null}])"), std::nullopt);
  EXPECT_EQ(controller("[]"), std::nullopt);
  EXPECT_EQ(controller("null"), std::nullopt);
}

TEST(DecodeController, FaultsNameTheirFieldAndPlace) {
  Decoded<model::Pod> decoded(decode_pod, R"({"metadata": {"name": "p", "ownerReferences": [
  {"controller": "true"},
  {"kind": 7}
]}})",
                              Defaults::kNone);
  EXPECT_FALSE(decoded.object);
  EXPECT_EQ(decoded.errors,
            Texts({"file:2:18: metadata.ownerReferences[0].controller: expected a boolean, found "
                   "the string \"true\"",
                   "file:3:12: metadata.ownerReferences[1].kind: expected a string, found the "
                   "number 7 (put it in quotes)"}));
}

}  // namespace
}  // namespace berth::ingest
