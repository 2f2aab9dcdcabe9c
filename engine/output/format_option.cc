#include "engine/output/format_option.h"

#include <fmt/format.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cstdio>

#include "engine/base/assert.h"
#include "engine/base/program/checks.h"
#include "engine/base/text/printable.h"
#include "engine/document/document.h"
#include "engine/document/json/json_writer.h"
#include "engine/document/yaml/write_yaml.h"

namespace berth::output {
namespace {

std::string name_of(OutputFormat format) {
  switch (format) {
    case OutputFormat::kText:
      return "text";
    case OutputFormat::kWide:
      return "wide";
    case OutputFormat::kJson:
      return "json";
    case OutputFormat::kYaml:
      return "yaml";
    case OutputFormat::kName:
      return "name";
  }
  BERTH_ASSERT(false);
  return {};
}

// The text was written by this program, so it is well formed.
document::Document parsed(const std::string& text) {
  Diagnostics faults;
  document::Document read = document::Document::parse(text, "", faults);
  BERTH_ASSERT(faults.count() == 0);
  return read;
}

std::string yaml_of(const std::string& json) {
  const document::Document read = parsed(json);
  std::string text;
  for (const document::Value root : read.roots())
    text += (text.empty() ? "" : "---\n") + document::to_yaml(root);
  return text;
}

std::string indented(const std::string& json) {
  rapidjson::Document value;
  value.Parse<rapidjson::kParseFullPrecisionFlag>(json.c_str(), json.size());
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter writer(buffer);
  value.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string json_of(const std::string& yaml) {
  const document::Document read = parsed(yaml);
  std::string text;
  for (const document::Value root : read.roots()) text += indented(document::to_json(root));
  return text;
}

std::string lines_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += printable(name) + "\n";
  return text;
}

}  // namespace

void FormatOption::add_to(CLI::App& command) {
  BERTH_ASSERT(!choices_.empty());
  std::vector<std::string> names;
  std::string help;
  for (const Choice& choice : choices_) {
    names.push_back(name_of(choice.format));
    help += names.back();
    if (names.size() == 1) help += " (the default)";
    if (!choice.what.empty()) help += ": " + choice.what;
    if (names.size() != choices_.size()) help += choice.what.empty() ? ", " : "; ";
  }
  command
      .add_option_function<std::string>(
          "-o,--output",
          [this, names](const std::string& name) {
            given_ = true;
            chosen_ = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
          },
          help)
      ->check(check::one_of(names))
      ->option_text(fmt::format("{}", fmt::join(names, "|")));
}

std::string FormatOption::name() const { return name_of(format()); }

std::string FormatOption::text(const Forms& forms) const {
  switch (format()) {
    case OutputFormat::kText:
      return forms.text();
    case OutputFormat::kWide:
      return forms.wide();
    case OutputFormat::kJson:
      return forms.json ? forms.json() : json_of(forms.yaml());
    case OutputFormat::kYaml:
      return forms.yaml ? forms.yaml() : yaml_of(forms.json());
    case OutputFormat::kName:
      return lines_of(forms.names());
  }
  BERTH_ASSERT(false);
  return {};
}

std::shared_ptr<const FormatOption> add_format(CLI::App& command,
                                               std::vector<FormatOption::Choice> choices) {
  auto option = std::make_shared<FormatOption>(std::move(choices));
  option->add_to(command);
  return option;
}

void FormatOption::print(const Forms& forms) const {
  const std::string made = text(forms);
  std::fwrite(made.data(), 1, made.size(), stdout);
}

}  // namespace berth::output
