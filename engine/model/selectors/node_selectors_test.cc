#include "engine/model/selectors/node_selectors.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "engine/model/objects/names.h"

namespace berth::model {
namespace {

class Selectors : public testing::Test {
 protected:
  bool matches(NodeSelectors::Handle handle, const StringMap& labels,
               const std::string& name = "node") {
    return selectors_.matches(handle, intern_labels(strings_, labels), strings_.intern(name));
  }
  NodeSelectors::Handle of(const Requirement& expression) {
    return selectors_.of_term({{expression}, {}}, "");
  }
  NodeSelectors::Handle of_field(const Requirement& field) {
    return selectors_.of_term({{}, {field}}, "");
  }
  std::string problem(NodeSelectors::Handle handle) {
    return std::string(selectors_.problem(handle));
  }

  Strings strings_;
  NodeSelectors selectors_{strings_};
};

TEST_F(Selectors, MapsMeanAllOfIt) {
  auto handle = selectors_.of_map({{"a", "1"}, {"b", "2"}});
  EXPECT_TRUE(matches(handle, {{"a", "1"}, {"b", "2"}, {"c", "3"}}));
  EXPECT_FALSE(matches(handle, {{"a", "1"}}));
  EXPECT_FALSE(matches(handle, {{"a", "1"}, {"b", "1"}}));
  EXPECT_EQ(selectors_.of_map({}), 0u);
  EXPECT_EQ(selectors_.of_map({{"a", "1"}, {"b", "2"}}), handle);
  EXPECT_NE(selectors_.of_map({{"a", "1"}, {"b", "3"}}), handle);
}

TEST_F(Selectors, AllSixOperators) {
  StringMap none, ssd{{"disk", "ssd"}}, hdd{{"disk", "hdd"}}, empty{{"disk", ""}};
  auto in = of({"disk", "In", {"ssd", "nvme"}});
  EXPECT_TRUE(matches(in, ssd));
  EXPECT_FALSE(matches(in, hdd));
  EXPECT_FALSE(matches(in, none));
  auto not_in = of({"disk", "NotIn", {"ssd"}});
  EXPECT_FALSE(matches(not_in, ssd));
  EXPECT_TRUE(matches(not_in, hdd));
  EXPECT_TRUE(matches(not_in, none));
  auto exists = of({"disk", "Exists", {}});
  EXPECT_TRUE(matches(exists, empty));
  EXPECT_FALSE(matches(exists, none));
  auto absent = of({"disk", "DoesNotExist", {}});
  EXPECT_FALSE(matches(absent, empty));
  EXPECT_TRUE(matches(absent, none));
  auto greater = of({"cores", "Gt", {"8"}}), less = of({"cores", "Lt", {"8"}});
  for (const auto& [value, is_greater, is_less] :
       std::vector<std::tuple<std::string, bool, bool>>{{"9", true, false},
                                                        {"8", false, false},
                                                        {"7", false, true},
                                                        {"-3", false, true},
                                                        {"+9", true, false},
                                                        {"010", true, false},
                                                        {"", false, false},
                                                        {"8.5", false, false},
                                                        {" 9", false, false},
                                                        {"many", false, false},
                                                        {"9223372036854775807", true, false},
                                                        {"9223372036854775808", false, false}}) {
    EXPECT_EQ(matches(greater, {{"cores", value}}), is_greater) << value;
    EXPECT_EQ(matches(less, {{"cores", value}}), is_less) << value;
  }
  EXPECT_FALSE(matches(greater, none));
  EXPECT_FALSE(matches(less, none));
  auto empty_value = of({"disk", "In", {""}});
  EXPECT_TRUE(matches(empty_value, empty));
  EXPECT_FALSE(matches(empty_value, none));
}

TEST_F(Selectors, FieldsNameNodes) {
  auto is = of_field({"metadata.name", "In", {"n1"}});
  EXPECT_TRUE(matches(is, {}, "n1"));
  EXPECT_FALSE(matches(is, {}, "n2"));
  auto is_not = of_field({"metadata.name", "NotIn", {"n1"}});
  EXPECT_FALSE(matches(is_not, {}, "n1"));
  EXPECT_TRUE(matches(is_not, {}, "n2"));
  // Other fields do not exist on nodes and are empty.
  EXPECT_FALSE(matches(of_field({"metadata.namespace", "In", {"n1"}}), {}, "n1"));
  EXPECT_TRUE(matches(of_field({"metadata.namespace", "In", {""}}), {}, "n1"));
  EXPECT_TRUE(matches(of_field({"metadata.namespace", "NotIn", {"n1"}}), {}, "n1"));
}

TEST_F(Selectors, TermsAreOredAndWhatIsInThemIsAnded) {
  NodeSelector selector;
  selector.terms.push_back({{{"a", "In", {"1"}}, {"b", "Exists", {}}}, {}});
  selector.terms.push_back({{}, {{"metadata.name", "In", {"n1"}}}});
  auto handle = selectors_.of_selector(selector);
  EXPECT_TRUE(matches(handle, {{"a", "1"}, {"b", ""}}));
  EXPECT_FALSE(matches(handle, {{"a", "1"}}));
  EXPECT_TRUE(matches(handle, {}, "n1"));
  EXPECT_EQ(selectors_.of_selector(selector), handle);
  std::swap(selector.terms[0], selector.terms[1]);
  EXPECT_NE(selectors_.of_selector(selector), handle);
}

TEST_F(Selectors, EmptyOnesMatchNothing) {
  EXPECT_FALSE(matches(selectors_.of_selector({}), {{"a", "1"}}));
  NodeSelector with_empty_term;
  with_empty_term.terms.emplace_back();
  EXPECT_FALSE(matches(selectors_.of_selector(with_empty_term), {{"a", "1"}}));
  EXPECT_FALSE(matches(selectors_.of_term({}, "[0]"), {{"a", "1"}}));
  EXPECT_EQ(problem(selectors_.of_selector(with_empty_term)), "");
}

TEST_F(Selectors, SayWhatIsWrong) {
  EXPECT_EQ(problem(of({"disk", "In", {"ssd"}})), "");
  auto expect = [&](const Requirement& r, const std::string& part) {
    auto handle = of(r);
    EXPECT_NE(problem(handle).find(part), std::string::npos) << problem(handle);
    EXPECT_FALSE(matches(handle, {{"disk", "ssd"}, {"cores", "9"}}));
  };
  expect({"disk", "Near", {"ssd"}}, "matchExpressions[0].operator: Unsupported value: \"Near\"");
  expect({"disk", "In", {}}, "values set can't be empty");
  expect({"disk", "NotIn", {}}, "values set can't be empty");
  expect({"disk", "Exists", {"ssd"}}, "values set must be empty for exists and does not exist");
  expect({"disk", "DoesNotExist", {"x"}}, "values set must be empty for exists and does not exist");
  expect({"cores", "Gt", {}}, "exactly one value is required");
  expect({"cores", "Lt", {"1", "2"}}, "exactly one value is required");
  expect({"cores", "Gt", {"8.5"}}, "the value must be an integer");
  expect({"not a key", "Exists", {}}, "matchExpressions[0].key: Invalid value: \"not a key\"");
  expect({"disk", "In", {"not a value"}}, "values[0][disk]: Invalid value: \"not a value\"");
  auto field = of_field({"metadata.name", "Exists", {}});
  EXPECT_NE(problem(field).find("matchFields[0].operator: Unsupported value"), std::string::npos);
  field = of_field({"metadata.name", "In", {"a", "b"}});
  EXPECT_NE(problem(field).find("must have one element"), std::string::npos);
}

TEST_F(Selectors, OneBadTermLeavesTheOthers) {
  NodeSelector selector;
  selector.terms.push_back({{{"a", "Near", {}}}, {}});
  selector.terms.push_back({{{"b", "Exists", {}}}, {}});
  auto handle = selectors_.of_selector(selector);
  EXPECT_NE(problem(handle).find("nodeSelectorTerms[0].matchExpressions[0].operator"),
            std::string::npos);
  EXPECT_TRUE(matches(handle, {{"b", ""}}));
  EXPECT_FALSE(matches(handle, {{"a", ""}}));
}

TEST(ResourceNames, AreOfTheirKinds) {
  EXPECT_TRUE(is_extended_resource("example.com/gpu"));
  for (const char* name : {"cpu", "hugepages-2Mi", "kubernetes.io/x", "requests.example.com/gpu",
                           "a/b/c", "not a name/x", "storage"})
    EXPECT_FALSE(is_extended_resource(name)) << name;
  for (const char* name : {"example.com/gpu", "hugepages-1Gi", "attachable-volumes-aws-ebs",
                           "kubernetes.io/batch-cpu"})
    EXPECT_TRUE(is_scalar_resource(name)) << name;
  for (const char* name : {"cpu", "memory", "storage", "pods"})
    EXPECT_FALSE(is_scalar_resource(name)) << name;
}

TEST(LabelNames, FollowTheRules) {
  for (const char* name : {"a", "a.b_c-d", "example.com/a", "A1"})
    EXPECT_EQ(qualified_name_problem(name), std::nullopt) << name;
  for (const char* name : {"", "-a", "a-", "a b", "/a", "example.com/", "Example.com/a", "a/b/c"})
    EXPECT_NE(qualified_name_problem(name), std::nullopt) << name;
  EXPECT_EQ(qualified_name_problem(std::string(63, 'a')), std::nullopt);
  EXPECT_NE(qualified_name_problem(std::string(64, 'a')), std::nullopt);
  EXPECT_EQ(label_value_problem(""), std::nullopt);
  EXPECT_EQ(label_value_problem("v1.2_x"), std::nullopt);
  EXPECT_NE(label_value_problem(std::string(64, 'a')), std::nullopt);
  EXPECT_NE(label_value_problem("-v"), std::nullopt);
}

}  // namespace
}  // namespace berth::model
