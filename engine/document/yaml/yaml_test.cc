#include <gtest/gtest.h>

#include <string>

#include "engine/document/testing.h"
#include "engine/document/yaml/yaml_scalar.h"

namespace berth::document {
namespace {

using namespace std::string_literals;

std::string first_yaml(std::string_view text) { return Parsed(text).first(); }

// The value of `v: <text>` as JSON.
std::string scalar(const std::string& text) {
  std::string json = first_yaml("v: " + text + "\n");
  return json.starts_with(R"({"v":)") ? json.substr(5, json.size() - 6) : json;
}

TEST(Yaml, ReadsBlocksFlowsAndScalars) {
  EXPECT_EQ(
      first_yaml("a:\n  b: [1, {c: d}]\n  e:\n  - f\n  - \"g\\n\"\n  - 'h''i'\nj: |\n  k\n  l\nm: "
                 ">-\n  n\n  o\n"),
      R"({"a":{"b":[1,{"c":"d"}],"e":["f","g\n","h'i"]},"j":"k\nl\n","m":"n o"})");
  EXPECT_EQ(first_yaml("a: \xc3\xa9\xe2\x82\xac\nb: \"\\u00e9\\0\"\n"),
            "{\"a\":\"é€\",\"b\":\"é\\u0000\"}");
  EXPECT_EQ(first_yaml("a: 1\r\nb:\r\n- c\r\n"), R"({"a":1,"b":["c"]})");
  EXPECT_EQ(first_yaml("hello\n"), R"("hello")");
}

TEST(Yaml, PlainScalarsAreWhatKubectlTakesThemFor) {
  for (const char* text : {"", "~", "null", "Null", "NULL"})
    EXPECT_EQ(scalar(text), "null") << text;
  for (const char* text : {"true", "True", "TRUE", "yes", "Yes", "on", "ON", "y", "Y"}) {
    EXPECT_EQ(scalar(text), "true") << text;
  }
  for (const char* text : {"false", "no", "off", "Off", "n", "N"})
    EXPECT_EQ(scalar(text), "false") << text;
  for (const char* text :
       {"nULL", "tRUE",       "yEs",      "none", "<<", "1.2.3", "10Gi", "100m", "1e",   "0x", "+",
        "1-2",  "2001-12-14", "12:30:45", "0o8x", ".",  "..",    "nan",  "inf",  "1e999"}) {
    EXPECT_EQ(scalar(text), "\""s + text + "\"") << text;
  }
  EXPECT_EQ(scalar("\"true\""), R"("true")");
  EXPECT_EQ(scalar("'1'"), R"("1")");
}

TEST(Yaml, NumbersAreWrittenAsGoPrintsThem) {
  const std::pair<const char*, const char*> kCases[] = {
      {"1", "1"},
      {"+1", "1"},
      {"-1", "-1"},
      {"-0", "0"},
      {"0x1F", "31"},
      {"0o17", "15"},
      {"017", "15"},
      {"08", "8"},
      {"0b101", "5"},
      {"1_000", "1000"},
      {"9223372036854775807", "9223372036854775807"},
      {"18446744073709551615", "18446744073709551615"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"18446744073709551616", "18446744073709552000"},
      {"1.0", "1"},
      {"0.10", "0.1"},
      {".5", "0.5"},
      {"1.", "1"},
      {"1e3", "1000"},
      {"1.5e-7", "1.5e-7"},
      {"1e-10", "1e-10"},
      {"0.000001", "0.000001"},
      {"1e21", "1e+21"},
      {"1e20", "100000000000000000000"},
      {"-1.25e22", "-1.25e+22"},
      {"123456.789", "123456.789"},
      {"-0.0", "-0"},
      {"1e-400", "0"},
  };
  for (auto [text, json] : kCases) EXPECT_EQ(scalar(text), json) << text;
  EXPECT_EQ(scalar(".inf"), "file:1:4: malformed YAML: a number that JSON cannot represent");
  EXPECT_EQ(scalar("-.Inf"), "file:1:4: malformed YAML: a number that JSON cannot represent");
  EXPECT_EQ(scalar(".NaN"), "file:1:4: malformed YAML: a number that JSON cannot represent");
}

TEST(Yaml, TagsAreObeyed) {
  EXPECT_EQ(scalar("!!str 1"), R"("1")");
  EXPECT_EQ(scalar("!!int \"1\""), "1");
  EXPECT_EQ(scalar("!!float 1"), "1");
  EXPECT_EQ(scalar("!mine 1"), R"("1")");
  EXPECT_EQ(scalar("! 1"), R"("1")");
  EXPECT_EQ(scalar("!!int x"), "file:1:4: malformed YAML: the value is not of type !!int");
  EXPECT_EQ(scalar("!!int 1.5"), "file:1:4: malformed YAML: the value is not of type !!int");
  EXPECT_EQ(scalar("!!binary eA=="), "file:1:4: malformed YAML: !!binary is not supported");
}

TEST(Yaml, KeysBecomeStrings) {
  EXPECT_EQ(first_yaml("1: a\ntrue: b\non: c2\n0x10: d\n\"e\": f\n"),
            "file:3:1: malformed YAML: key \"true\" is already in line 2");
  EXPECT_EQ(first_yaml("1: a\ntrue: b\n0x10: d\n\"e\": f\n"),
            R"({"1":"a","true":"b","16":"d","e":"f"})");
  EXPECT_EQ(first_yaml("1.5: a\n"),
            "file:1:1: malformed YAML: a key that is a number with a fraction: put it in quotes");
  EXPECT_EQ(first_yaml("~: a\n"), "file:1:1: malformed YAML: a key is missing");
  EXPECT_EQ(first_yaml("[a]: b\n"), "file:1:1: malformed YAML: a key must be a string");
  EXPECT_EQ(first_yaml("? {a: b}\n: c\n"), "file:1:3: malformed YAML: a key must be a string");
}

TEST(Yaml, OneKeyTwiceIsAFault) {
  EXPECT_EQ(first_yaml("a: 1\nb: 2\n'a': 3\n"),
            "file:3:1: malformed YAML: key \"a\" is already in line 1");
}

TEST(Yaml, ARepeatedKeyIsKeptForReadersThatReportIt) {
  Limits limits;
  limits.repeated_keys = true;
  Diagnostics diagnostics;
  const Document document = Document::parse("a: 1\nb: {c: 1, c: 2}\n", "file", diagnostics, limits);
  EXPECT_EQ(diagnostics.count(), 0u);
  EXPECT_TRUE(document.repeats_keys());
  ASSERT_EQ(document.roots().size(), 1u);
  EXPECT_EQ(document.roots()[0].find("b").size(), 2u);
  EXPECT_FALSE(Document::parse("a: 1\nb: 2\n", "file", diagnostics, limits).repeats_keys());
  // Merging would drop one of them.
  EXPECT_TRUE(
      Document::parse("a: &x {d: 1}\nb: {<<: *x, c: 1, c: 2}\n", "file", diagnostics, limits)
          .roots()
          .empty());
  EXPECT_EQ(diagnostics.count(), 1u);
}

TEST(Yaml, AliasesAreCopies) {
  EXPECT_EQ(first_yaml("a: &x {b: [1, 2]}\nc: *x\nd: [*x, *x]\n"),
            R"({"a":{"b":[1,2]},"c":{"b":[1,2]},"d":[{"b":[1,2]},{"b":[1,2]}]})");
  EXPECT_EQ(first_yaml("a: &x one\nb: &x two\nc: *x\n"), R"({"a":"one","b":"two","c":"two"})");
  EXPECT_EQ(first_yaml("a: &k key\n*k : b\n"), R"({"a":"key","key":"b"})");
  EXPECT_EQ(first_yaml("a: *x\n"), "file:1:4: malformed YAML: no anchor &x before this alias");
  EXPECT_EQ(first_yaml("a: &x [*x]\n"), "file:1:8: malformed YAML: *x contains itself");
  EXPECT_EQ(first_yaml("a: &x 1\n---\nb: *x\n"),
            "file:3:4: malformed YAML: no anchor &x before this alias");
  EXPECT_EQ(first_yaml("a: &x [1]\n*x : b\n"),
            "file:2:1: malformed YAML: an alias that is a key must refer to a string");
}

TEST(Yaml, MergesAddWhatAnObjectHasNotItself) {
  EXPECT_EQ(first_yaml("base: &b {x: 1, w: {z: 2}}\nover:\n  <<: *b\n  x: 3\n"),
            R"({"base":{"x":1,"w":{"z":2}},"over":{"x":3,"w":{"z":2}}})");
  EXPECT_EQ(first_yaml("a: &a {x: 1}\nb: &b {x: 2, w: 3}\nc:\n  <<: [*a, *b]\n"),
            R"({"a":{"x":1},"b":{"x":2,"w":3},"c":{"x":1,"w":3}})");
  EXPECT_EQ(first_yaml("a: &a {x: 1}\nb: &b\n  <<: *a\n  w: 2\nc: {<<: *b, z: 3}\nd: *b\n"),
            R"({"a":{"x":1},"b":{"w":2,"x":1},"c":{"z":3,"w":2,"x":1},"d":{"w":2,"x":1}})");
  EXPECT_EQ(first_yaml("'<<': {x: 1}\n"), R"({"<<":{"x":1}})");
  EXPECT_EQ(first_yaml("<<: 1\n"),
            "file:1:5: malformed YAML: a merge key (<<) must have an object as its value");
  EXPECT_EQ(first_yaml("<<: [1]\n"),
            "file:1:6: malformed YAML: a merge key (<<) must have an object as its value");
}

std::string bomb(int levels) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i <= levels; ++i) {
    std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 1; j < 10; ++j) text += ", " + before;
    text += "]\n";
  }
  return text;
}

TEST(Yaml, ABombDoesNotGoOff) {
  EXPECT_EQ(first_yaml(bomb(50)),
            "file:6:45: malformed YAML: aliases expand to more than 1000000 values");
  // The limit applies to the file, not to each of its documents.
  std::string small = "---\n" + bomb(3);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += small;
  Parsed parsed(many, {.alias_values = 50'000});
  EXPECT_EQ(parsed.roots.size(), 4u);
  EXPECT_EQ(parsed.errors.size(), 996u);
}

TEST(Yaml, NestingIsLimitedAlsoThroughAliases) {
  EXPECT_EQ(first_yaml(std::string(1'000'000, '[')),
            "file:1:129: malformed JSON: nested deeper than 128");
  EXPECT_EQ(first_yaml("a: " + std::string(100'000, '[')),
            "file:1:131: malformed YAML: nested deeper than 128");
  std::string blocks;
  for (int i = 0; i < 200; ++i) blocks += std::string(size_t(i), ' ') + "a:\n";
  EXPECT_EQ(first_yaml(blocks), "file:129:129: malformed YAML: nested deeper than 128");
  std::string chain = "a0: &a0 [x]\n";
  for (int i = 1; i < 200; ++i) {
    chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
             "]\n";
  }
  EXPECT_EQ(first_yaml(chain), "file:128:14: malformed YAML: nested deeper than 128");
}

TEST(Yaml, DirectivesAreFew) {
  std::string text = "# head\n%YAML 1.1\n";
  for (int i = 0; i < 100'000; ++i) {
    text += "%TAG !t" + std::to_string(i) + "! tag:example.com,2000:\n";
  }
  EXPECT_EQ(first_yaml(text + "--- a\n"), "file:18:1: malformed YAML: more than 16 directives");
  EXPECT_EQ(first_yaml("%TAG !t! tag:example.com,2000:\n--- !t!x a\n"), "\"a\"");
}

TEST(Yaml, NamesTheFaultAndItsPlace) {
  EXPECT_EQ(first_yaml("a:\n\tb: 1\n"),
            "file:2:1: malformed YAML: while scanning for the next token: found character that "
            "cannot start any "
            "token");
  EXPECT_EQ(
      first_yaml("a: \"b\n"),
      "file:2:1: malformed YAML: while scanning a quoted scalar: found unexpected end of stream");
  EXPECT_EQ(first_yaml("a: [b\n").substr(0, 25), "file:2:1: malformed YAML:");
  EXPECT_EQ(first_yaml("a: b: c\n"),
            "file:1:5: malformed YAML: mapping values are not allowed in this context");
  EXPECT_EQ(first_yaml("\xc3\xa9: \"\xe2\x82\xac\" x\n").substr(0, 9), "file:1:11");
  EXPECT_EQ(first_yaml("a: \xff\n"), "file:1:4: malformed YAML: not UTF-8");
  EXPECT_EQ(first_yaml("a: b\0c\n"s),
            "file:1:5: malformed YAML: control characters are not allowed");
}

TEST(Yaml, PlacesCountBytesAlsoBehindOtherThanAscii) {
  Parsed parsed("\xc3\xa9\xc3\xa9: {\xe2\x82\xac: a}\nb: c\n");
  Value root = parsed.document.roots()[0];
  Value inner = root.find("éé");
  EXPECT_EQ(inner.place().to_string(), "file:1:7");
  EXPECT_EQ(inner.find("€").place().to_string(), "file:1:13");
  EXPECT_EQ(root.find("b").place().to_string(), "file:2:4");
}

TEST(Yaml, GoNumbersAreTheShortestThatReadBack) {
  EXPECT_EQ(internal::go_number(0.1), "0.1");
  EXPECT_EQ(internal::go_number(5e-324), "5e-324");
  EXPECT_EQ(internal::go_number(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(internal::go_number(999999999999999868928.0), "999999999999999900000");
}

}  // namespace
}  // namespace berth::document
