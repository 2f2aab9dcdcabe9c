#include "engine/cli/project/template_sections.h"

#include <algorithm>

namespace berth::cli {
namespace {

constexpr std::string_view kMark = "@@";

// Takes the first line off, with its end.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

TemplateSection section_of(std::string_view mark) {
  mark.remove_prefix(kMark.size());
  const size_t end = std::min(mark.find(' '), mark.size());
  return {mark.substr(0, end), mark.substr(std::min(end + 1, mark.size())), {}};
}

}  // namespace

std::vector<TemplateSection> sections_of(std::string_view text) {
  std::vector<TemplateSection> sections(1);
  const char* begin = text.data();
  while (!text.empty()) {
    const char* line_begin = text.data();
    const std::string_view line = take_line(text);
    const char* end = line.starts_with(kMark) ? line_begin : text.data();
    sections.back().text = {begin, static_cast<size_t>(end - begin)};
    if (end != line_begin) continue;
    sections.push_back(section_of(line));
    begin = text.data();
  }
  return sections;
}

std::string text_without(std::string_view text, std::string_view left_out) {
  std::string made;
  for (const TemplateSection& section : sections_of(text))
    if (!section.name.starts_with(left_out)) made += section.text;
  return made;
}

std::string section_text(std::string_view text, std::string_view name) {
  std::string made;
  for (const TemplateSection& section : sections_of(text))
    if (section.name == name) made += section.text;
  return made;
}

std::string_view section_argument(std::string_view text, std::string_view name) {
  for (const TemplateSection& section : sections_of(text))
    if (section.name == name) return section.argument;
  return {};
}

std::string filled(std::string_view text, const TemplateValues& values) {
  std::string made;
  while (!text.empty()) {
    const size_t at = std::min(text.find('@'), text.size());
    made += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const auto value = std::ranges::find_if(
        values, [&](const auto& entry) { return text.starts_with(entry.first); });
    made += value == values.end() ? "@" : value->second;
    text.remove_prefix(value == values.end() ? 1 : value->first.size());
  }
  return made;
}

}  // namespace berth::cli
