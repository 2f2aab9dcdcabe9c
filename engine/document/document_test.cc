#include "engine/document/document.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <type_traits>

#include "engine/document/testing.h"

namespace berth::document {
namespace {

using namespace std::string_literals;

static_assert(std::is_trivially_copyable_v<Value>);
static_assert(std::forward_iterator<Elements::Iterator> || std::input_iterator<Elements::Iterator>);

TEST(Document, ValuesAnswerWhatTheyAre) {
  Parsed parsed(
      R"({"null": null, "yes": true, "text": "t", "number": 12, "half": 0.5, "list": [1, 2], "object": {}})");
  Value root = parsed.document.roots()[0];
  EXPECT_EQ(root.size(), 7u);
  EXPECT_EQ(root.find("null").kind(), Kind::kNull);
  EXPECT_TRUE(root.find("yes").as_bool());
  EXPECT_EQ(root.find("text").as_string(), "t");
  EXPECT_EQ(root.find("number").as_int64(), 12);
  EXPECT_EQ(root.find("number").as_double(), 12.0);
  EXPECT_EQ(root.find("half").as_int64(), std::nullopt);
  EXPECT_EQ(root.find("half").as_double(), 0.5);
  EXPECT_EQ(root.find("half").number_text(), "0.5");
  EXPECT_EQ(root.find("list").size(), 2u);
  EXPECT_EQ(root.find("list").find("x").present(), false);
  EXPECT_EQ(kind_name(root.find("object").kind()), "object");
  std::string keys;
  for (Member member : root.members()) keys += std::string(member.key) + " ";
  EXPECT_EQ(keys, "null yes text number half list object ");
}

TEST(Document, AnAbsentValueIsEmptyEverywhere) {
  Value absent = Parsed("{}").document.roots()[0].find("x");
  EXPECT_FALSE(absent.present());
  EXPECT_FALSE(absent.is(Kind::kNull));
  EXPECT_EQ(absent.size(), 0u);
  EXPECT_FALSE(absent.find("y").present());
  EXPECT_EQ(absent.as_int64(), std::nullopt);
  EXPECT_TRUE(absent.elements().begin() == absent.elements().end());
  EXPECT_TRUE(absent.members().begin() == absent.members().end());
  EXPECT_EQ(absent.place().to_string(), "");
  EXPECT_TRUE(Document().roots().empty());
}

TEST(Document, IntegersAreExactOrNone) {
  Parsed parsed(
      "[9223372036854775807, -9223372036854775808, 9223372036854775808, 1.0, 1e3, -0, \"1\", "
      "1e999]");
  std::vector<std::optional<int64_t>> integers;
  for (Value value : parsed.document.roots()[0].elements()) integers.push_back(value.as_int64());
  EXPECT_EQ(integers,
            (std::vector<std::optional<int64_t>>{INT64_MAX, INT64_MIN, {}, {}, {}, 0, {}, {}}));
  EXPECT_EQ(Parsed("[1e999]").document.roots()[0].as_double(), std::nullopt);
}

TEST(Document, ValuesOutliveTheDocumentThatACopyKeeps) {
  Document copy;
  {
    Parsed parsed("{\"a\": \"b\\n\"}");
    copy = parsed.document;
  }
  EXPECT_EQ(copy.roots()[0].find("a").as_string(), "b\n");
}

TEST(Document, PlacesAreLinesAndColumns) {
  Parsed parsed("{\n  \"a\": [1,\n    {\"b\": null}]\n}");
  Value a = parsed.document.roots()[0].find("a");
  EXPECT_EQ(a.place().to_string(), "file:2:8");
  Value second = *++a.elements().begin();
  EXPECT_EQ(second.find("b").place().to_string(), "file:3:11");
  EXPECT_EQ((*second.members().begin()).key_value.place().to_string(), "file:3:6");
}

TEST(Document, PlacesAreRightInLongTextsAndLongLines) {
  std::string text = "[";
  for (int i = 0; i < 3000; ++i) text += (i == 0 ? "\n" : ",\n") + std::to_string(i);
  text += ",\n\"" + std::string(5000, 'x') + "\", 7]";
  Parsed parsed(text);
  int line = 2;
  Value last;
  for (Value value : parsed.document.roots()[0].elements()) {
    if (line < 3002) {
      ASSERT_EQ(value.place().line, uint32_t(line++));
    }
    last = value;
  }
  EXPECT_EQ(last.place().to_string(), "file:3002:5005");
}

TEST(Document, PathsLeadFromTheRootOfTheDocument) {
  Parsed parsed("{}\n{\"items\": [0, {\"a\": {\"x.y/z\": [[], [7]], \"b\": 1}}]}\n[8]");
  Value root = parsed.document.roots()[1];
  Value a = (*++root.find("items").elements().begin()).find("a");
  EXPECT_EQ(root.path(), "");
  EXPECT_EQ(a.path(), "items[1].a");
  Value seven = *(*++a.find("x.y/z").elements().begin()).elements().begin();
  EXPECT_EQ(seven.path(), "items[1].a[x.y/z][1][0]");
  EXPECT_EQ((*++a.members().begin()).key_value.path(), "items[1].a.b");
  EXPECT_EQ((*parsed.document.roots()[2].elements().begin()).path(), "[0]");
  EXPECT_EQ(Value().path(), "");
}

TEST(Document, YamlDocumentsArePartedByDashes) {
  EXPECT_EQ(Parsed("a: 1\n---\nb: 2\n--- {c: 3}\n---\n# nothing\n---\n---\n- d\n").roots,
            Texts({R"({"a":1})", R"({"b":2})", R"({"c":3})", R"(["d"])"}));
  EXPECT_EQ(Parsed("---\r\na: 1\r\n---\r\nb: 2\r\n").roots, Texts({R"({"a":1})", R"({"b":2})"}));
  EXPECT_EQ(Parsed("a: 1\n...\nb: 2\n").roots, Texts({R"({"a":1})", R"({"b":2})"}));
  EXPECT_EQ(Parsed("# head\n%YAML 1.1\n---\na: 1\n").roots, Texts({R"({"a":1})"}));
  EXPECT_EQ(Parsed("a: |\n  ---\n  ...\n----: x\n---x: z\n").roots,
            Texts({R"({"a":"---\n...\n","----":"x","---x":"z"})"}));
  EXPECT_EQ(Parsed("--- a\n--- |\n b\n---").roots, Texts({R"("a")", R"("b\n")"}));
}

TEST(Document, ABrokenDocumentLosesNoOther) {
  Parsed parsed(
      "a: 1\n---\nb: [2\n---\n\tc: 3\n---\nd: \"\xff\"\n---\n{\"e\": 5}\n---\n{\"f\" 6}\n---\ng: "
      "7\n");
  EXPECT_EQ(parsed.roots, Texts({R"({"a":1})", R"({"e":5})", R"({"g":7})"}));
  ASSERT_EQ(parsed.errors.size(), 4u);
  EXPECT_EQ(parsed.errors[2], "file:7:5: malformed YAML: not UTF-8");
  EXPECT_EQ(parsed.errors[3], "file:11:6: malformed JSON: expected ':', found '6'");
}

TEST(Document, TemplatesThatAreNotRenderedAreNamedOnce) {
  const auto errors = [](const std::string& text) { return Parsed(text).errors; };
  const std::string of_line_1 =
      ": a template that is not rendered: line 1 has an action, {{ ... }}; render it first, with "
      "helm template or what else made it";
  EXPECT_EQ(errors("{{- if .Values.on }}\na: 1\n{{- end }}\n"), Texts({"file:1:2" + of_line_1}));
  EXPECT_EQ(errors("a: {{ .Values.a }}\n"), Texts({"file:1:5" + of_line_1}));
  const Parsed parsed("a: 1\n---\nb: {{ .Values.b }}\n{{- end }}\n---\nc: 3\n");
  EXPECT_EQ(parsed.roots, Texts({R"({"a":1})", R"({"c":3})"}));
  ASSERT_EQ(parsed.errors.size(), 1u);
  EXPECT_THAT(parsed.errors[0], testing::HasSubstr("line 3 has an action"));
  // Braces in texts and comments are no actions.
  EXPECT_THAT(errors("a: \"{{ b }}\"\n# {{ c }}\nd: [\n"),
              testing::ElementsAre(testing::HasSubstr("malformed YAML")));
}

TEST(Document, AFaultInDirectivesCostsThemAlone) {
  Parsed parsed("%YAML 1.1\n%\xff\n---\na: 1\n---\nb: 2\n...\n%no: 4, d\n---\n{\"c\": 3}\n---\n");
  EXPECT_EQ(parsed.roots, Texts({R"({"a":1})", R"({"b":2})", R"({"c":3})"}));
  ASSERT_EQ(parsed.errors.size(), 2u);
  EXPECT_EQ(parsed.errors[0], "file:2:2: malformed YAML: not UTF-8");
  EXPECT_THAT(parsed.errors[1], testing::StartsWith("file:8:"));
  EXPECT_TRUE(Parsed("%no: 4, d\n").roots.empty());
  EXPECT_EQ(Parsed("%no: 4, d\n--- [\n").errors.size(), 2u);
}

TEST(Document, AFaultInAListLeavesTheItemsBeforeIt) {
  Parsed object("{\"kind\":\"PodList\",\"items\":[{\"a\":1},{\"b\":[2]},\n{\"c\" 3},{\"d\":4}]}");
  EXPECT_EQ(object.roots, Texts({R"({"kind":"PodList","items":[{"a":1},{"b":[2]}]})"}));
  EXPECT_EQ(object.errors, Texts({"file:2:6: malformed JSON: expected ':', found '3'; of this list "
                                  "2 items are read, those before this place"}));
  EXPECT_TRUE(object.document.roots()[0].cut_short());
  EXPECT_FALSE((*object.document.roots()[0].find("items").elements().begin()).cut_short());

  EXPECT_EQ(Parsed("[{\"a\":1},{\"b\":").roots, Texts({R"([{"a":1}])"}));
  EXPECT_EQ(Parsed("{\"items\":[{\"a\":1}],\"kind\":\"Li").roots,
            Texts({R"({"items":[{"a":1}]})"}));
  EXPECT_EQ(Parsed("{\"items\":[{\"a\":1}],\"metadata\":{\"x\":1,").roots,
            Texts({R"({"items":[{"a":1}]})"}));
  EXPECT_EQ(Parsed("{\"items\":[{\"a\":1} {\"b\":2}").roots, Texts({R"({"items":[{"a":1}]})"}));
}

TEST(Document, AFaultInAListOfYamlLeavesTheItemsBeforeIt) {
  Parsed yaml("kind: List\nitems:\n- a: 1\n- b: 2\n- c: [3\nd: 4\n---\ne: 5\n");
  EXPECT_EQ(yaml.roots, Texts({R"({"kind":"List","items":[{"a":1},{"b":2}]})", R"({"e":5})"}));
  ASSERT_EQ(yaml.errors.size(), 1u);
  EXPECT_TRUE(yaml.errors[0].ends_with("of this list 2 items are read, those before this place"));
  // An item that refers to what is merged later would mean something else.
  EXPECT_EQ(Parsed("items:\n- &x {a: 1}\n- {<<: *x}\n- [\n").roots, Texts());
}

TEST(Document, AFaultInWhatIsNoListLosesTheDocument) {
  for (const char* text :
       {"{\"spec\":{\"a\":1},\"b\"", "{\"items\":[{\"a\":1", "{\"items\":{\"a\":{}},\"b\"",
        "{\"spec\":{\"items\":[{\"a\":1},{", "[1,2", "spec: {a: 1}\nb: [\n"})
    EXPECT_EQ(Parsed(text).roots, Texts()) << text;
  EXPECT_FALSE(Value().cut_short());
}

TEST(Document, JsonAndYamlMayStandInOneFile) {
  EXPECT_EQ(Parsed("---\n{\"a\":\t1}\n---\nb: 2\n---\n[3]\n").roots,
            Texts({R"({"a":1})", R"({"b":2})", "[3]"}));
  EXPECT_EQ(Parsed("{\"a\":1}\n---\nb: 2\n").roots, Texts({R"({"a":1})", R"({"b":2})"}));
}

TEST(Document, AByteOrderMarkIsNoContent) {
  EXPECT_EQ(Parsed("\xef\xbb\xbf{\"a\":1}").roots, Texts({R"({"a":1})"}));
  EXPECT_EQ(Parsed("\xef\xbb\xbf"
                   "a: 1\n")
                .roots,
            Texts({R"({"a":1})"}));
  EXPECT_EQ(Parsed("\xff\xfe{\0"s).errors,
            Texts({"file: this is UTF-16 text: convert it to UTF-8, with iconv -f UTF-16 -t "
                   "UTF-8"}));
}

TEST(Document, NothingIsNoFault) {
  for (const char* text : {"", " \n\t\r\n", "# a comment", "---\n", "---\n---\n# x\n...\n",
                           "null\n", "\xef\xbb\xbf"}) {
    Parsed parsed(text);
    EXPECT_EQ(parsed.roots, Texts()) << text;
    EXPECT_EQ(parsed.errors, Texts()) << text;
  }
}

TEST(Document, ZeroBytesAreFaultsWhereverTheyStand) {
  for (const std::string& text :
       {"\0"s, "{\"a\":1}\0"s, "\0{\"a\":1}"s, "a: 1\0"s, "{\"a\0\":1}"s, "[1\0]"s}) {
    EXPECT_EQ(Parsed(text).errors.size(), 1u);
  }
}

TEST(Document, SizeIsLimited) {
  EXPECT_EQ(Parsed("{\"a\":1}", {.bytes = 7}).roots.size(), 1u);
  EXPECT_EQ(Parsed("{\"a\":1}", {.bytes = 6}).errors,
            Texts({"file: larger than 6 bytes: divide it into several files"}));
}

class FileTest : public testing::Test {
 protected:
  ~FileTest() override { std::remove(path_.c_str()); }
  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }

  const std::string path_ = testing::TempDir() + "document_test." + std::to_string(::getpid());
};

TEST_F(FileTest, IsReadWhole) {
  std::string text = "[\"" + std::string(300'000, 'x') + "\"]";
  write(text);
  Diagnostics diagnostics;
  Document document = Document::read(path_, diagnostics);
  ASSERT_EQ(document.roots().size(), 1u);
  EXPECT_EQ(to_json(document.roots()[0]), text);
  EXPECT_EQ(document.roots()[0].place().file, path_);
}

std::string read_error(const std::string& path, const Limits& limits = {}) {
  Diagnostics diagnostics;
  try {
    Document::read(path, diagnostics, limits);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(FileTest, ThatCannotBeReadThrows) {
  EXPECT_EQ(read_error("/nowhere/at all"),
            "/nowhere/at all: cannot be opened: No such file or directory");
  EXPECT_EQ(read_error("/"), "/: cannot be read: Is a directory");
  write("{\"a\":1}");
  EXPECT_EQ(read_error(path_, {.bytes = 6}),
            path_ + ": larger than 6 bytes: divide it into several files");
  EXPECT_EQ(read_error(path_, {.bytes = 7}), "");
  EXPECT_EQ(read_error("/dev/zero", {.bytes = 1000}),
            "/dev/zero: larger than 1000 bytes: divide it into several files");
}

}  // namespace
}  // namespace berth::document
