#include "engine/output/format_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace berth::output {
namespace {

using ::testing::HasSubstr;

const Forms kForms = {.text = [] { return std::string("table\n"); },
                      .wide = [] { return std::string("wider\n"); },
                      .json = [] { return std::string("{\"a\":[1,2.5,\"x\"]}\n"); },
                      .names =
                          [] {
                            return std::vector<std::string>{"pod/a", "pod/\x1b"};
                          }};

// Parses `arguments` with an option of these formats. The text, or the error of the command line.
std::string printed(std::vector<FormatOption::Choice> choices, std::vector<std::string> arguments,
                    const Forms& forms = kForms) {
  CLI::App app("test", "test");
  const auto option = add_format(app, std::move(choices));
  const bool given = !arguments.empty();
  std::ranges::reverse(arguments);
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  EXPECT_EQ(option->given(), given);
  return option->text(forms);
}

const std::vector<FormatOption::Choice> kAll = {{OutputFormat::kText, "a table"},
                                                {OutputFormat::kWide, "more"},
                                                {OutputFormat::kJson, ""},
                                                {OutputFormat::kYaml, "everything"},
                                                {OutputFormat::kName, "pod/NAME"}};

TEST(FormatOption, PrintsTheFormatThatIsAskedFor) {
  EXPECT_EQ(printed(kAll, {}), "table\n");
  EXPECT_EQ(printed(kAll, {"-o", "text"}), "table\n");
  EXPECT_EQ(printed(kAll, {"-owide"}), "wider\n");
  EXPECT_EQ(printed(kAll, {"--output=json"}), "{\"a\":[1,2.5,\"x\"]}\n");
  EXPECT_EQ(printed(kAll, {"-o", "name"}), "pod/a\npod/\\x1b\n");
}

TEST(FormatOption, YamlIsTheDocumentOfJson) {
  EXPECT_EQ(printed(kAll, {"-o", "yaml"}), "a:\n- 1\n- 2.5\n- x\n");
}

TEST(FormatOption, JsonIsTheDocumentsOfYaml) {
  const std::vector<FormatOption::Choice> choices = {{OutputFormat::kYaml, ""},
                                                     {OutputFormat::kJson, ""}};
  const Forms forms = {.yaml = [] { return std::string("# why\na: 1\n---\nb: [x]\n"); }};
  EXPECT_EQ(printed(choices, {}, forms), "# why\na: 1\n---\nb: [x]\n");
  EXPECT_EQ(printed(choices, {"-o", "json"}, forms),
            "{\n    \"a\": 1\n}\n{\n    \"b\": [\n        \"x\"\n    ]\n}\n");
}

TEST(FormatOption, OtherFormatsAreRefusedWithTheListOfThose) {
  EXPECT_THAT(printed({{OutputFormat::kText, ""}, {OutputFormat::kJson, ""}}, {"-o", "name"}),
              HasSubstr("expected text or json, found \"name\""));
  EXPECT_THAT(
      printed(kAll, {"-o", "jsn"}),
      HasSubstr("expected text or wide or json or yaml or name, found \"jsn\"; did you mean "
                "json?"));
}

// The choices of the value are what completion offers.
TEST(FormatOption, TheHelpNamesEachFormat) {
  CLI::App app("test", "test");
  const auto option = add_format(app, kAll);
  EXPECT_EQ(app.get_option("-o")->get_description(),
            "text (the default): a table; wide: more; json, yaml: everything; name: pod/NAME");
  EXPECT_EQ(app.get_option("-o")->get_option_text(), "text|wide|json|yaml|name");
}

}  // namespace
}  // namespace berth::output
