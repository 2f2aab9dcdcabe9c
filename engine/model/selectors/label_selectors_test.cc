#include "engine/model/selectors/label_selectors.h"

#include <gtest/gtest.h>

#include "engine/model/cluster/namespaces.h"
#include "engine/model/pods/tolerations.h"
#include "engine/model/relations/pod_terms.h"
#include "engine/model/relations/selector_owners.h"

namespace berth::model {
namespace {

class LabelSelectorTest : public ::testing::Test {
 protected:
  LabelSelectors::Handle of(std::vector<Requirement> expressions, StringMap labels = {}) {
    return selectors_.of(LabelSelector{std::move(labels), std::move(expressions)});
  }
  Labels labels(const StringMap& map) { return intern_labels(strings_, map); }
  bool matches(LabelSelectors::Handle handle, const StringMap& map) {
    return selectors_.matches(handle, labels(map));
  }

  Strings strings_;
  LabelSelectors selectors_{strings_};
};

TEST_F(LabelSelectorTest, AbsentMatchesNothingAndEmptyEverything) {
  EXPECT_EQ(selectors_.of(std::nullopt), LabelSelectors::kNothing);
  EXPECT_EQ(selectors_.of(LabelSelector{}), LabelSelectors::kEverything);
  EXPECT_FALSE(matches(LabelSelectors::kNothing, {{"a", "1"}}));
  EXPECT_TRUE(matches(LabelSelectors::kEverything, {}));
  EXPECT_TRUE(selectors_.everything(LabelSelectors::kEverything));
  EXPECT_FALSE(selectors_.everything(LabelSelectors::kNothing));
}

TEST_F(LabelSelectorTest, FourOperators) {
  const auto in = of({{"a", "In", {"1", "2"}}});
  EXPECT_TRUE(matches(in, {{"a", "2"}}));
  EXPECT_FALSE(matches(in, {{"a", "3"}}));
  EXPECT_FALSE(matches(in, {}));
  const auto not_in = of({{"a", "NotIn", {"1"}}});
  EXPECT_FALSE(matches(not_in, {{"a", "1"}}));
  EXPECT_TRUE(matches(not_in, {{"a", ""}}));
  EXPECT_TRUE(matches(not_in, {}));
  EXPECT_TRUE(matches(of({{"a", "Exists", {}}}), {{"a", ""}}));
  EXPECT_FALSE(matches(of({{"a", "Exists", {}}}), {{"b", ""}}));
  EXPECT_TRUE(matches(of({{"a", "DoesNotExist", {}}}), {{"b", ""}}));
  EXPECT_FALSE(matches(of({{"a", "DoesNotExist", {}}}), {{"a", ""}}));
}

TEST_F(LabelSelectorTest, EqualOnesHaveOneHandle) {
  const auto handle = of({{"b", "In", {"y", "x"}}, {"c", "Exists", {}}}, {{"a", "1"}});
  EXPECT_EQ(of({{"c", "Exists", {}}, {"b", "In", {"x", "y"}}}, {{"a", "1"}}), handle);
  EXPECT_NE(of({{"c", "Exists", {}}, {"b", "NotIn", {"x", "y"}}}, {{"a", "1"}}), handle);
}

TEST_F(LabelSelectorTest, WordsAreThoseOfKubectl) {
  EXPECT_EQ(selectors_.words(LabelSelectors::kNothing), "<none>");
  EXPECT_EQ(selectors_.words(LabelSelectors::kEverything), "<all>");
  EXPECT_EQ(selectors_.words(of({}, {{"app", "web"}})), "app=web");
  EXPECT_EQ(selectors_.words(of({{"tier", "In", {"a", "b"}}})), "tier in (a,b)");
  EXPECT_EQ(selectors_.words(of({{"tier", "NotIn", {"a"}}})), "tier!=a");
  EXPECT_EQ(selectors_.words(of({{"tier", "NotIn", {"a", "b"}}})), "tier notin (a,b)");
  EXPECT_EQ(selectors_.words(of({{"app", "Exists", {}}, {"tier", "DoesNotExist", {}}})),
            "app,!tier");
}

TEST_F(LabelSelectorTest, SayWhatIsWrongAndMatchNothing) {
  const auto expect = [&](LabelSelectors::Handle handle, std::string_view problem) {
    EXPECT_EQ(selectors_.problem(handle), problem);
    EXPECT_FALSE(matches(handle, {{"a", "1"}}));
  };
  expect(of({{"a", "Near", {"1"}}}), "\"Near\" is not a valid label selector operator");
  expect(of({{"a", "In", {}}}),
         "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
  expect(of({{"a", "Exists", {"1"}}}),
         "values: Invalid value: [\"1\"]: values set must be empty for exists and does not exist");
  EXPECT_TRUE(
      selectors_.problem(of({{"a b", "Exists", {}}})).starts_with("key: Invalid value: \"a b\": "));
  EXPECT_TRUE(selectors_.problem(of({{"a", "In", {"x y"}}}))
                  .starts_with("values[0][a]: Invalid value: \"x y\": "));
  // A requirement with two problems.
  EXPECT_TRUE(selectors_.problem(of({{"a b", "In", {}}})).starts_with("[key: Invalid value"));
  EXPECT_EQ(selectors_.problem(of({{"a", "In", {"1"}}})), "");
}

TEST_F(LabelSelectorTest, BothMeansBoth) {
  const auto a = of({}, {{"a", "1"}});
  const auto b = of({{"b", "Exists", {}}});
  const auto both = selectors_.both(a, b);
  EXPECT_TRUE(matches(both, {{"a", "1"}, {"b", ""}}));
  EXPECT_FALSE(matches(both, {{"a", "1"}}));
  EXPECT_FALSE(matches(both, {{"b", ""}}));
  EXPECT_EQ(selectors_.both(a, LabelSelectors::kEverything), a);
  EXPECT_EQ(selectors_.both(LabelSelectors::kEverything, a), a);
  EXPECT_EQ(selectors_.both(a, LabelSelectors::kNothing), LabelSelectors::kNothing);
  EXPECT_EQ(selectors_.both(LabelSelectors::kNothing, a), LabelSelectors::kNothing);
}

TEST_F(LabelSelectorTest, ARequiredLabelIsOneThatAllHave) {
  const auto required = selectors_.required(of({{"b", "Exists", {}}}, {{"a", "1"}}));
  EXPECT_EQ(required, std::pair(strings_.intern("a"), strings_.intern("1")));
  EXPECT_EQ(selectors_.required(of({{"a", "In", {"1", "2"}}})).first, 0u);
  EXPECT_EQ(selectors_.required(of({{"a", "NotIn", {"1"}}})).first, 0u);
}

TEST_F(LabelSelectorTest, TermsCoverNamespaces) {
  Namespaces namespaces(strings_);
  PodTerms terms(selectors_, namespaces);
  const StringId here = strings_.intern("here"), there = strings_.intern("there");
  const Labels web = labels({{"app", "web"}});
  const auto app = of({}, {{"app", "web"}});
  const TermId named = terms.of({{here, here}, LabelSelectors::kNothing, app});
  EXPECT_EQ(terms.of({{here}, LabelSelectors::kNothing, app}), named);
  EXPECT_TRUE(terms.matches(named, here, web, false));
  EXPECT_FALSE(terms.matches(named, there, web, true));
  EXPECT_FALSE(terms.matches(named, here, {}, false));

  const TermId any = terms.of({{}, LabelSelectors::kEverything, app});
  EXPECT_TRUE(terms.matches(any, there, web, false));
  EXPECT_FALSE(terms.selects_namespaces(any));
  const TermId team = terms.of({{}, of({}, {{"team", "a"}}), app});
  EXPECT_TRUE(terms.selects_namespaces(team));
  EXPECT_FALSE(terms.matches(team, there, web, false));
  namespaces.put(there, labels({{"team", "a"}}));
  EXPECT_TRUE(terms.matches(team, there, web, false));
  EXPECT_TRUE(terms.matches(team, there, web, true));
  // This selector matches empty labels. A term of the pod to be placed then covers every namespace;
  // a carried term covers only namespaces whose labels match.
  const TermId without = terms.of({{}, of({{"team", "DoesNotExist", {}}}), app});
  EXPECT_TRUE(terms.matches(without, there, web, false));
  EXPECT_FALSE(terms.matches(without, there, web, true));
  // For the pod of an event no namespace has labels.
  EXPECT_TRUE(terms.matches_event(named, here, web));
  EXPECT_FALSE(terms.matches_event(named, there, web));
  EXPECT_FALSE(terms.matches_event(named, here, {}));
  EXPECT_TRUE(terms.matches_event(any, there, web));
  EXPECT_FALSE(terms.matches_event(team, there, web));
  EXPECT_TRUE(terms.matches_event(without, there, web));
  namespaces.remove(there);
  EXPECT_TRUE(terms.matches(without, there, web, false));
  EXPECT_TRUE(terms.matches(without, there, web, true));
}

TEST_F(LabelSelectorTest, NamespacesTellWhatChanged) {
  Namespaces namespaces(strings_);
  const StringId name = strings_.intern("here");
  EXPECT_TRUE(namespaces.put(name, {}));
  EXPECT_FALSE(namespaces.put(name, {}));
  EXPECT_TRUE(namespaces.put(name, labels({{"a", "1"}})));
  EXPECT_TRUE(namespaces.remove(name));
  EXPECT_FALSE(namespaces.remove(name));
  EXPECT_TRUE(namespaces.labels(name).empty());
}

TEST_F(LabelSelectorTest, SiblingsAreWhatServicesAndTheControllerSelect) {
  SelectorOwners sets(strings_, selectors_);
  const StringId here = strings_.intern("here");
  const auto put = [&](SelectorOwnerKind kind, const char* name,
                       std::optional<LabelSelector> selector) {
    sets.put({kind, name, "here", std::move(selector)});
  };
  const Labels pod = labels({{"app", "web"}, {"tier", "x"}});
  const Controller replica_set{"apps/v1", "ReplicaSet", "rs", "1"};
  const Controller controller{"v1", "ReplicationController", "rc", "1"};
  const auto siblings = [&](const Controller* of) { return sets.siblings(here, pod, of); };

  EXPECT_EQ(siblings(nullptr), LabelSelectors::kEverything);
  put(SelectorOwnerKind::kService, "other", LabelSelector{{{"app", "db"}}, {}});
  put(SelectorOwnerKind::kService, "none", std::nullopt);
  EXPECT_EQ(siblings(nullptr), LabelSelectors::kEverything);
  put(SelectorOwnerKind::kService, "web", LabelSelector{{{"app", "web"}}, {}});
  const auto app = of({}, {{"app", "web"}});
  EXPECT_EQ(siblings(nullptr), app);

  // The controller's selector is added if its kind counts and the object exists.
  EXPECT_EQ(siblings(&replica_set), app);
  put(SelectorOwnerKind::kReplicaSet, "rs",
      LabelSelector{{{"tier", "x"}}, {{"app", "Exists", {}}}});
  EXPECT_EQ(siblings(&replica_set), of({{"app", "Exists", {}}}, {{"app", "web"}, {"tier", "x"}}));
  const Controller daemon{"apps/v1", "DaemonSet", "rs", "1"};
  const Controller old{"extensions/v1beta1", "ReplicaSet", "rs", "1"};
  EXPECT_EQ(siblings(&daemon), app);
  EXPECT_EQ(siblings(&old), app);
  // A controller with an invalid selector or none adds nothing.
  put(SelectorOwnerKind::kReplicaSet, "rs", LabelSelector{{}, {{"app", "Near", {}}}});
  EXPECT_EQ(siblings(&replica_set), app);
  put(SelectorOwnerKind::kReplicaSet, "rs", std::nullopt);
  EXPECT_EQ(siblings(&replica_set), app);
  put(SelectorOwnerKind::kReplicationController, "rc",
      LabelSelector{{{"app", "db"}, {"b", "1"}}, {}});
  EXPECT_EQ(siblings(&controller), of({}, {{"app", "db"}, {"b", "1"}}));

  // Several services add up, each with the selector that it has now.
  put(SelectorOwnerKind::kService, "both", LabelSelector{{{"app", "web"}, {"tier", "x"}}, {}});
  EXPECT_EQ(siblings(nullptr), of({}, {{"app", "web"}, {"tier", "x"}}));
  put(SelectorOwnerKind::kService, "both", LabelSelector{{{"app", "web"}, {"tier", "y"}}, {}});
  EXPECT_EQ(siblings(nullptr), app);
  put(SelectorOwnerKind::kService, "both", LabelSelector{{{"tier", "x"}}, {}});
  EXPECT_EQ(siblings(nullptr), of({}, {{"app", "web"}, {"tier", "x"}}));
  put(SelectorOwnerKind::kService, "both", LabelSelector{});
  EXPECT_EQ(siblings(nullptr), app);

  EXPECT_TRUE(sets.remove(SelectorOwnerKind::kService, "here", "web"));
  EXPECT_FALSE(sets.remove(SelectorOwnerKind::kService, "here", "web"));
  EXPECT_EQ(siblings(nullptr), LabelSelectors::kEverything);
}

TEST(TolerationSetTest, LooksAtTaintsThatKeepPodsOut) {
  TolerationSets sets;
  const auto none = sets.of({});
  const auto gpu = sets.of({{"gpu", "Exists", "", ""}});
  EXPECT_EQ(sets.of({}), none);
  EXPECT_NE(none, gpu);
  EXPECT_TRUE(sets.tolerate(none, {}));
  EXPECT_TRUE(sets.tolerate(none, {{"gpu", "a", "PreferNoSchedule"}}));
  EXPECT_FALSE(sets.tolerate(none, {{"gpu", "a", "NoExecute"}}));
  EXPECT_TRUE(sets.tolerate(gpu, {{"gpu", "a", "NoSchedule"}}));
  EXPECT_FALSE(sets.tolerate(gpu, {{"gpu", "a", "NoSchedule"}, {"spot", "", "NoSchedule"}}));
  const auto exact = sets.of({{"gpu", "", "a", "NoSchedule"}, {"", "Near", "", ""}});
  EXPECT_TRUE(sets.tolerate(exact, {{"gpu", "a", "NoSchedule"}}));
  EXPECT_FALSE(sets.tolerate(exact, {{"gpu", "b", "NoSchedule"}}));
  EXPECT_FALSE(sets.tolerate(exact, {{"gpu", "a", "NoExecute"}}));
}

TEST(TolerationSetTest, SecondsMakeNoOtherList) {
  TolerationSets sets;
  const auto for_ever = sets.of({{"gpu", "Exists", "", "NoExecute"}});
  EXPECT_EQ(sets.of({{"gpu", "Exists", "", "NoExecute", 30}}), for_ever);
  EXPECT_NE(sets.of({{"gpu", "Exists", "", ""}}), for_ever);
}

}  // namespace
}  // namespace berth::model
