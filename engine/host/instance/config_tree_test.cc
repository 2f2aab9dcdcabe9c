#include "engine/host/instance/config_tree.h"

#include <gtest/gtest.h>

#include "engine/host/instance/services/selector_arguments.h"
#include "engine/host/instance/text.h"

namespace berth::host {
namespace {

// A tree over YAML, read the way a plugin reads it.
class Reading {
 public:
  explicit Reading(const std::string& yaml) {
    Diagnostics diagnostics;
    document_ = document::Document::parse(yaml, "c.yaml", diagnostics);
    EXPECT_EQ(diagnostics.count(), 0u);
    Arguments arguments;
    if (!document_.roots().empty()) arguments.value = document_.roots()[0];
    arguments.place.file = "c.yaml";
    arguments.place.field = "args";
    tree_.emplace(arguments);
  }

  const berth_config* config() const { return tree_->config(); }
  ConfigTree& tree() { return *tree_; }

  uint32_t member(uint32_t node, std::string_view name) {
    return config()->member(config(), node, to_abi(name));
  }
  uint32_t element(uint32_t node, uint32_t i) { return config()->element(config(), node, i); }
  uint32_t kind(uint32_t node) { return config()->kind(config(), node); }

  std::vector<std::string> errors() {
    std::vector<std::string> texts;
    for (const Error& error : tree_->errors()) texts.emplace_back(error.what());
    return texts;
  }

 private:
  document::Document document_;
  std::optional<ConfigTree> tree_;
};

using Texts = std::vector<std::string>;

std::string unknown(const std::string& place, const std::string& path) {
  return "c.yaml:" + place + ": strict decoding error: unknown field \"" + path + "\"";
}

TEST(ConfigTree, NothingIsAnEmptyObject) {
  for (const char* text : {"", "null", "{}"}) {
    Reading r(text);
    EXPECT_EQ(r.kind(0), BERTH_CONFIG_OBJECT);
    EXPECT_EQ(r.member(0, "a"), BERTH_CONFIG_ABSENT);
    EXPECT_EQ(r.errors(), Texts{});
  }
}

TEST(ConfigTree, MembersCanBeEnumerated) {
  Reading r("{racks: {right: 1, left: 2, middle: 3}, other: [1]}");
  const uint32_t racks = r.member(0, "racks");
  std::string seen;
  for (uint32_t i = 0; i < r.config()->members(r.config(), racks); ++i) {
    berth_string name{};
    const uint32_t node = r.config()->member_at(r.config(), racks, i, &name);
    int64_t value = 0;
    EXPECT_EQ(r.config()->integer(r.config(), node, &value), 1u);
    seen += std::string(view(name)) + "=" + std::to_string(value) + " ";
  }
  EXPECT_EQ(seen, "right=1 left=2 middle=3 ");  // in the order of the text
  berth_string name{};
  EXPECT_EQ(r.config()->member_at(r.config(), racks, 3, &name), BERTH_CONFIG_ABSENT);
  EXPECT_EQ(r.config()->members(r.config(), r.member(0, "other")), 0u);
  EXPECT_EQ(r.config()->members(r.config(), 4711), 0u);
  EXPECT_EQ(r.errors(), Texts{});  // they are known
}

TEST(ConfigTree, Quantities) {
  Reading r("{a: 1500m, b: 2Gi, c: 3, d: fast, e: [1], f: \"1\"}");
  const auto read = [&](const char* name, uint32_t parts) {
    int64_t value = -1;
    return r.config()->quantity(r.config(), r.member(0, name), parts, &value) != 0 ? value : -1;
  };
  EXPECT_EQ(read("a", 1000), 1500);
  EXPECT_EQ(read("a", 1), 2);
  EXPECT_EQ(read("b", 1), int64_t{2} << 30);
  EXPECT_EQ(read("c", 1), 3);
  EXPECT_EQ(read("d", 1), -1);
  EXPECT_EQ(read("e", 1), -1);
  EXPECT_EQ(read("f", 1000), 1000);
  EXPECT_EQ(read("a", 7), -1);
}

TEST(ConfigTree, Durations) {
  Reading r("{a: 1m30s, b: 5, c: soon}");
  const auto read = [&](const char* name) {
    int64_t value = -1;
    return r.config()->duration(r.config(), r.member(0, name), &value) != 0 ? value : -1;
  };
  EXPECT_EQ(read("a"), 90'000'000'000);
  EXPECT_EQ(read("b"), -1);
  EXPECT_EQ(read("c"), -1);
}

TEST(ConfigTree, Values) {
  Reading r("{b: true, i: 7, d: 1.5, s: text, none: null, l: [1, x], o: {}}");
  const berth_config* c = r.config();
  uint8_t boolean = 0;
  int64_t integer = 0;
  double number = 0;
  berth_string text{};
  EXPECT_EQ(r.kind(r.member(0, "b")), BERTH_CONFIG_BOOL);
  EXPECT_EQ(c->boolean(c, r.member(0, "b"), &boolean), 1u);
  EXPECT_EQ(boolean, 1);
  EXPECT_EQ(c->integer(c, r.member(0, "i"), &integer), 1u);
  EXPECT_EQ(integer, 7);
  EXPECT_EQ(c->number(c, r.member(0, "i"), &number), 1u);
  EXPECT_EQ(number, 7);
  EXPECT_EQ(c->integer(c, r.member(0, "d"), &integer), 0u);
  EXPECT_EQ(c->number(c, r.member(0, "d"), &number), 1u);
  EXPECT_EQ(number, 1.5);
  EXPECT_EQ(c->string(c, r.member(0, "s"), &text), 1u);
  EXPECT_EQ(view(text), "text");
  EXPECT_EQ(c->string(c, r.member(0, "i"), &text), 0u);
  EXPECT_EQ(r.kind(r.member(0, "none")), BERTH_CONFIG_NULL);
  const uint32_t list = r.member(0, "l");
  EXPECT_EQ(c->length(c, list), 2u);
  EXPECT_EQ(r.kind(r.element(list, 0)), BERTH_CONFIG_NUMBER);
  EXPECT_EQ(r.kind(r.element(list, 1)), BERTH_CONFIG_STRING);
  EXPECT_EQ(r.element(list, 2), BERTH_CONFIG_ABSENT);
  EXPECT_EQ(r.kind(r.member(0, "o")), BERTH_CONFIG_OBJECT);
  EXPECT_EQ(r.errors(), Texts{});
}

TEST(ConfigTree, NumbersThatAreNoNodes) {
  Reading r("{a: 1}");
  for (const uint32_t node : {7u, BERTH_CONFIG_ABSENT}) {
    EXPECT_EQ(r.kind(node), BERTH_CONFIG_NULL);
    EXPECT_EQ(r.member(node, "a"), BERTH_CONFIG_ABSENT);
    EXPECT_EQ(r.element(node, 0), BERTH_CONFIG_ABSENT);
    r.config()->accept(r.config(), node);
  }
}

TEST(ConfigTree, UnknownMembersInTheOrderOfTheText) {
  Reading r("a: 1\nlist:\n- known: 1\n  odd: 2\n- odd: 3\nz: 1\nstrategy: {type: x, shape: []}\n");
  const uint32_t list = r.member(0, "list");
  r.member(r.element(list, 0), "known");
  r.member(r.member(0, "strategy"), "type");
  EXPECT_EQ(r.errors(), (Texts{unknown("1:1", "args.a"), unknown("4:3", "args.list[0].odd"),
                               unknown("5:3", "args.list[1].odd"), unknown("6:1", "args.z"),
                               unknown("7:21", "args.strategy.shape")}));
}

TEST(ConfigTree, AcceptedPartsAreKnown) {
  Reading r("{a: {b: {c: 1}}, d: {e: 1}}");
  r.config()->accept(r.config(), r.member(0, "a"));
  r.member(0, "d");
  EXPECT_EQ(r.errors(), Texts{unknown("1:22", "args.d.e")});
  r.config()->accept(r.config(), 0);
  EXPECT_EQ(r.errors(), Texts{});
}

TEST(ConfigTree, OneNumberAMember) {
  Reading r("{a: {b: 1, c: 1}}");
  EXPECT_EQ(r.member(0, "a"), r.member(0, "a"));
  r.member(r.member(0, "a"), "b");
  r.member(r.member(0, "a"), "c");
  EXPECT_EQ(r.errors(), Texts{});
}

TEST(ConfigTree, ErrorsOfThePlugin) {
  Reading r("a: 7");
  const berth_config* c = r.config();
  c->error(c, r.member(0, "a"), {}, to_abi("must be a string"));
  c->error(c, 0, to_abi(".shape[0].score"), to_abi("Required value"));
  c->error(c, 99, {}, to_abi("no such node"));
  EXPECT_EQ(r.errors(),
            (Texts{"c.yaml:1:1: args.shape[0].score: Required value",
                   "c.yaml:1:1: args: no such node", "c.yaml:1:4: args.a: must be a string"}));
}

TEST(SelectorArguments, ReadsASelector) {
  Reading r(
      "nodeSelectorTerms:\n"
      "- matchExpressions:\n"
      "  - {key: disk, operator: In, values: [ssd, nvme]}\n"
      "  matchFields:\n"
      "  - {key: metadata.name, operator: NotIn, values: [a]}\n"
      "- null\n");
  const auto selector = read_node_selector(r.tree(), 0);
  ASSERT_TRUE(selector);
  model::NodeSelector expected;
  expected.terms.resize(2);
  expected.terms[0].match_expressions = {{"disk", "In", {"ssd", "nvme"}}};
  expected.terms[0].match_fields = {{"metadata.name", "NotIn", {"a"}}};
  EXPECT_EQ(*selector, expected);
  EXPECT_EQ(r.errors(), Texts{});
}

TEST(SelectorArguments, ReportsWhatIsOfAnotherKind) {
  Reading r(
      "{nodeSelectorTerms: [{matchExpressions: {}, odd: 1}, 7, {matchFields: [{values: [1]}]}]}");
  EXPECT_FALSE(read_node_selector(r.tree(), 0));
  EXPECT_EQ(r.errors(),
            (Texts{"c.yaml:1:41: args.nodeSelectorTerms[0].matchExpressions: must be a list",
                   unknown("1:45", "args.nodeSelectorTerms[0].odd"),
                   "c.yaml:1:54: args.nodeSelectorTerms[1]: must be an object",
                   "c.yaml:1:82: args.nodeSelectorTerms[2].matchFields[0].values[0]: must be a "
                   "string"}));
}

TEST(SelectorArguments, ReadsATerm) {
  Reading r("{term: {matchExpressions: [{key: disk, operator: Exists}]}}");
  const auto term = read_node_selector_term(r.tree(), r.member(0, "term"));
  ASSERT_TRUE(term);
  EXPECT_EQ(term->match_expressions, (std::vector<model::Requirement>{{"disk", "Exists", {}}}));
  EXPECT_EQ(r.errors(), Texts{});
}

TEST(Text, OfAnAbsurdSizeIsNotRead) {
  const berth_string text = {"x", uint64_t{1} << 62};
  EXPECT_EQ(view(text), "(a text of more than 1 GiB, of which nothing is read)");
  EXPECT_THROW(static_cast<void>(readable(text)), Error);
  EXPECT_EQ(readable({nullptr, text.size}), "");
}

}  // namespace
}  // namespace berth::host
