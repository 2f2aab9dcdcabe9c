#include "loadgen/scheduler_perf/read/go_template.h"

#include <gmock/gmock.h>

namespace berth::loadgen {
namespace {

using testing::HasSubstr;

std::string rendered(const std::string& text) {
  const TemplateValues values = {{"Index", 7.0}, {"Count", 10.0}, {"name", std::string("web")},
                                 {"on", true},   {"half", 0.5},   {"markup", std::string("<b>")}};
  return GoTemplate(text, "t.yaml").render(values);
}

std::string refusal(const std::string& text) {
  try {
    rendered(text);
  } catch (const UnknownTemplateAction& error) {
    return "unknown: " + error.message();
  } catch (const Error& error) {
    return error.what();
  }
  return "rendered";
}

TEST(GoTemplate, PutsValuesIn) {
  EXPECT_EQ(rendered(""), "");
  EXPECT_EQ(rendered("a {b} c"), "a {b} c");
  EXPECT_EQ(rendered("a-{{.Index}}-of-{{ .Count }}"), "a-7-of-10");
  EXPECT_EQ(rendered("{{.name}}{{.on}}{{.half}}"), "webtrue0.5");
  EXPECT_EQ(rendered("a {{- /* nothing */ -}} b"), "ab");
  EXPECT_EQ(rendered("a  {{- .Index -}}\n b"), "a7b");
  EXPECT_EQ(rendered("{{\"text\"}}{{-3}}"), "text-3");
}

TEST(GoTemplate, Counts) {
  EXPECT_EQ(rendered("{{AddInt .Index 1}}"), "8");
  EXPECT_EQ(rendered("{{AddInt 1 2 3}} {{AddInt}}"), "6 0");
  EXPECT_EQ(rendered("{{DivideInt .Index 2}}"), "3");
  EXPECT_EQ(rendered("{{DivideFloat .Index 2}}"), "3.5");
  EXPECT_EQ(rendered("{{Mod .Index (SubtractInt .Count 6)}}"), "3");
  EXPECT_EQ(rendered("{{MultiplyInt (AddInt .Index 1) 2}}"), "16");
}

TEST(GoTemplate, KnowsWhatItUses) {
  EXPECT_TRUE(GoTemplate("{{AddInt 1 (Mod .Index 2)}}", "t").uses("Index"));
  EXPECT_FALSE(GoTemplate(".Index {{.Count}}", "t").uses("Index"));
}

TEST(GoTemplate, RefusesByName) {
  EXPECT_EQ(refusal("{{if .on}}a{{end}}"), "unknown: \"if\" in a template");
  EXPECT_EQ(refusal("{{range .x}}"), "unknown: \"range\" in a template");
  EXPECT_EQ(refusal("{{$x := 1}}"), "unknown: variables in a template");
  EXPECT_EQ(refusal("{{.Index | AddInt 1}}"), "unknown: \"|\" in a template");
  EXPECT_EQ(refusal("{{.}}"), "unknown: \".\" in a template");
}

TEST(GoTemplate, SaysWhereItIsBroken) {
  EXPECT_EQ(refusal("a\nb {{.Index"), "t.yaml:2:3: an action that does not end: }} is missing");
  EXPECT_THAT(refusal("{{.other}}"), HasSubstr("t.yaml:1:3: there is no value for .other"));
  EXPECT_THAT(refusal("{{AddInt .name}}"), HasSubstr("\"web\" is none"));
  EXPECT_THAT(refusal("{{DivideInt 1 0}}"), HasSubstr("DivideInt gives no number"));
  EXPECT_THAT(refusal("{{Mod 1}}"), HasSubstr("takes two arguments, and has 1"));
  EXPECT_THAT(refusal("{{(.Index}}"), HasSubstr("not closed"));
  EXPECT_THAT(refusal("{{1-2}}"), HasSubstr("expected a number"));
  EXPECT_THAT(refusal("{{.markup}}"), HasSubstr("html/template escapes"));
  EXPECT_THAT(refusal("{{" + std::string(100, '(') + "1"), HasSubstr("too deeply"));
  EXPECT_THAT(refusal("{{.Index .Count}}"), HasSubstr("expected }}"));
}

}  // namespace
}  // namespace berth::loadgen
