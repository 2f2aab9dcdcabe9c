#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "engine/document/json/json_writer.h"
#include "engine/document/testing.h"

namespace berth::document {
namespace {

using namespace std::string_literals;

std::string first_json(std::string_view text) { return Parsed(text).first(); }

TEST(Json, KeepsValuesOrderAndNumbersAsWritten) {
  EXPECT_EQ(first_json(R"( { "b" : [ 1 , -0.50e+3, true, false, null, "x", {}, [] ], "a" : "" } )"),
            R"({"b":[1,-0.50e+3,true,false,null,"x",{},[]],"a":""})");
  EXPECT_EQ(first_json("{\r\n\t\"a\":\t1\r\n}\r\n"), R"({"a":1})");
  EXPECT_EQ(first_json("[123456789012345678901234567890]"), "[123456789012345678901234567890]");
}

TEST(Json, ResolvesEscapes) {
  Parsed parsed(
      R"(["\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20AC\ud83d\ude00", "\u0000", "\ud800", "\udc00x",
                    "\ud800\u0041", "a long text before \n and one after the escape"])");
  ASSERT_EQ(parsed.errors, Texts());
  std::vector<std::string> texts;
  for (Value value : parsed.document.roots()[0].elements()) texts.emplace_back(value.as_string());
  EXPECT_EQ(texts, Texts({"\"\\/\b\f\n\r\t", "A\u00e9\u20ac\U0001f600", "\0"s, "\ufffd", "\ufffdx",
                          "\ufffdA", "a long text before \n and one after the escape"}));
}

TEST(Json, NamesTheFaultAndItsPlace) {
  EXPECT_EQ(first_json("{\"a\": 1,\n \"b\" 2}"),
            "file:2:6: malformed JSON: expected ':', found '2'");
  EXPECT_EQ(first_json("[1 2]"), "file:1:4: malformed JSON: expected ',' or ']', found '2'");
  EXPECT_EQ(first_json("{\"a\":1 \"b\":2}"),
            "file:1:8: malformed JSON: expected ',' or '}', found '\"'");
  EXPECT_EQ(first_json("[\n1,\n"), "file:3:1: malformed JSON: expected a value, found the end");
  EXPECT_EQ(first_json("{\"a\": \"b"), "file:1:9: malformed JSON: a string is not closed");
  EXPECT_EQ(first_json("{\"a\": \"b\n\"}"),
            "file:1:9: malformed JSON: a string is not closed on its line");
  EXPECT_EQ(first_json("[\"\x01\"]"),
            "file:1:3: malformed JSON: a control character in a string must be escaped");
  EXPECT_EQ(first_json(R"(["\x"])"), "file:1:3: malformed JSON: an unknown escape sequence");
  EXPECT_EQ(first_json(R"(["\u12"])"),
            "file:1:7: malformed JSON: expected four hexadecimal digits behind \\u, found '\"'");
  EXPECT_EQ(first_json("[\"\xff\"]"), "file:1:3: malformed JSON: not UTF-8");
  EXPECT_EQ(first_json("{\"a\": 1}}"), "file:1:9: malformed JSON: expected another document");
  EXPECT_EQ(first_json("[\"a\"\x01]"),
            "file:1:5: malformed JSON: expected ',' or ']', found the byte 0x01");
}

TEST(Json, RefusesWhatIsNearlyJson) {
  for (const char* text : {"[1,,2]",
                           "[\"a\":1]",
                           "[1, tru]",
                           "[1, nul]",
                           "[TRUE:]",
                           "[0x1F}",
                           "[1.]]",
                           "{",
                           "[",
                           "[\"",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1",
                           "{\"a\":1,",
                           "[1",
                           "[1,",
                           "[-",
                           "[1e",
                           "[1e+",
                           "[1.",
                           "[\"\\",
                           "[\"\\u",
                           "[\"\\ud800\\u12\"]"}) {
    Parsed parsed(text);
    EXPECT_EQ(parsed.roots, Texts()) << text;
    EXPECT_EQ(parsed.errors.size(), 1u) << text;
  }
}

TEST(Json, IsToldFromYamlInBraces) {
  EXPECT_EQ(first_json("{a: b, 'c': [d, 01, ], }"), R"({"a":"b","c":["d",1]})");
  EXPECT_EQ(first_json("[{ a: 1 }]"), R"([{"a":1}])");
  EXPECT_EQ(first_json("[tru]"), R"(["tru"])");
  EXPECT_EQ(first_json("{'a': 1 'b': 2}").substr(0, 25), "file:1:12: malformed YAML");
  EXPECT_EQ(first_json("{{.Index}: 1}").substr(0, 24), "file:1:2: malformed YAML");
}

TEST(Json, OfSeveralMembersOfOneKeyTheLastCounts) {
  Parsed parsed(R"({"a":1,"b":2,"a":3})");
  Value root = parsed.document.roots()[0];
  EXPECT_EQ(root.find("a").as_int64(), 3);
  EXPECT_EQ(root.size(), 3u);
  EXPECT_EQ(Parsed(R"({"a":1,"b":2,"a":3})", {.unique_keys = true}).errors,
            Texts({"file:1:14: malformed JSON: key \"a\" is already in line 1"}));
}

TEST(Json, NestingIsLimited) {
  std::string within = std::string(128, '[') + std::string(128, ']');
  EXPECT_EQ(first_json(within), within);
  std::string beyond = std::string(129, '[') + std::string(129, ']');
  EXPECT_EQ(first_json(beyond), "file:1:129: malformed JSON: nested deeper than 128");
  EXPECT_EQ(first_json(std::string(1'000'000, '[')),
            "file:1:129: malformed JSON: nested deeper than 128");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(first_json(objects), "file:1:641: malformed JSON: nested deeper than 128");
}

TEST(Json, DocumentsFollowEachOther) {
  EXPECT_EQ(Parsed("{\"a\":1}\n{\"b\":2}\n").roots, Texts({R"({"a":1})", R"({"b":2})"}));
  EXPECT_EQ(Parsed("{\"a\":1}{\"b\":2}[3]").roots, Texts({R"({"a":1})", R"({"b":2})", "[3]"}));
  EXPECT_EQ(Parsed("{\"a\":1}\n---\n{\"b\":2}\n").roots, Texts({R"({"a":1})", R"({"b":2})"}));
}

TEST(Json, ABrokenLineLosesNoOther) {
  Parsed parsed(
      "{\"a\":1}\n{\"b\":2\n{\"c\":3}\n{\"d\" 4}\n{\"e\": \"\xff\"}\n{\"f\":6}\nx\n{\"g\":7}");
  EXPECT_EQ(parsed.roots, Texts({R"({"a":1})", R"({"c":3})", R"({"f":6})", R"({"g":7})"}));
  EXPECT_EQ(parsed.errors, Texts({"file:3:1: malformed JSON: expected ',' or '}', found '{'",
                                  "file:4:6: malformed JSON: expected ':', found '4'",
                                  "file:5:8: malformed JSON: not UTF-8",
                                  "file:7:1: malformed JSON: expected another document"}));
}

TEST(Json, ABrokenPrintedDocumentLosesNoOther) {
  Parsed parsed("{\n  \"a\": {\n    \"x\" 1\n  }\n}\n{\n  \"b\": 2\n}\n");
  EXPECT_EQ(parsed.roots, Texts({R"({"b":2})"}));
  EXPECT_EQ(parsed.errors.size(), 1u);
}

TEST(Json, PiecesOfABrokenDocumentAreNoDocuments) {
  Parsed parsed("{\"items\":[\n{\"a\":1},\n{\"b\" 2},\n{\"c\":3},\n{\"d\":4}\n]}\n{\"e\":5}\n");
  EXPECT_EQ(parsed.roots, Texts({R"({"items":[{"a":1}]})", R"({"e":5})"}));
  EXPECT_EQ(parsed.errors,
            Texts({"file:3:6: malformed JSON: expected ':', found '2'; of this list 1 "
                   "item is read, those before this place"}));
}

TEST(Json, WrittenStringsCommandTheTerminalNothing) {
  EXPECT_EQ(document::quoted("\x7f\u0085\u009b\u2028\u202e\u2066\u061c"),
            R"("\u007f\u0085\u009b\u2028\u202e\u2066\u061c")");
}

TEST(Json, WritersWriteStringsAsAppendJsonStringDoes) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.StartObject();
  json.member("a\u202e", "\u009b\xff\x7f\"");
  json.EndObject();
  EXPECT_EQ(std::string_view(buffer.GetString()), R"({"a\u202e":"\u009b�\u007f\""})");
}

TEST(Json, StringsAreWrittenWithTheEscapesThatJsonNeeds) {
  EXPECT_EQ(document::quoted("a\"\\\n\x01\0é€\U0001f600"s),
            "\"a\\\"\\\\\\n\\u0001\\u0000é€\U0001f600\"");
  EXPECT_EQ(document::quoted("\xff"
                             "a\xe2\x82"),
            "\"\ufffda\ufffd\ufffd\"");
}

rc::Gen<std::string> json_value(int depth) {
  auto text = rc::gen::map(rc::gen::arbitrary<std::string>(), document::quoted);
  auto number =
      rc::gen::map(rc::gen::arbitrary<int64_t>(), [](int64_t n) { return std::to_string(n); });
  auto word =
      rc::gen::element<std::string>("null", "true", "false", "1.50", "-0", "1E+2", "{}", "[]");
  if (depth == 0) return rc::gen::oneOf(text, number, word);
  auto inner = json_value(depth - 1);
  auto list = [](char open, char close) {
    return [=](const std::vector<std::string>& items) {
      std::string out(1, open);
      for (const std::string& item : items) out += (out.size() == 1 ? "" : ",") + item;
      return out + close;
    };
  };
  auto member = rc::gen::map(rc::gen::pair(text, inner),
                             [](const auto& m) { return m.first + ":" + m.second; });
  auto items = [](auto gen) {
    return rc::gen::resize(6, rc::gen::container<std::vector<std::string>>(gen));
  };
  return rc::gen::oneOf(inner, rc::gen::map(items(inner), list('[', ']')),
                        rc::gen::map(items(member), list('{', '}')));
}

RC_GTEST_PROP(JsonProperty, CompactJsonIsWrittenAsItWasRead, ()) {
  std::string text = "[" + *json_value(4) + "]";
  Parsed parsed(text);
  RC_ASSERT(parsed.errors == Texts());
  RC_ASSERT(parsed.roots == Texts({text}));
}

RC_GTEST_PROP(JsonProperty, ATruncatedDocumentIsReportedOnce, ()) {
  std::string text = "[" + *json_value(3) + "]";
  auto size = size_t(*rc::gen::inRange<int>(1, int(text.size())));
  Parsed parsed(std::string_view(text).substr(0, size));
  RC_ASSERT(parsed.errors.size() == 1u);
  // A list keeps the objects before the fault; anything else is lost.
  RC_ASSERT(parsed.roots.size() <= 1u);
  if (!parsed.roots.empty())
    RC_ASSERT(parsed.roots[0].starts_with("[") && parsed.roots[0].ends_with("]"));
}

}  // namespace
}  // namespace berth::document
