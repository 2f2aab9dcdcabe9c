#pragma once

// Templates are in sections. A line "@@NAME ARGUMENT" begins one, which runs to the next such line;
// "@@" alone begins a section without a name. Names that begin with "several" are of projects with
// several hooks alone, those that begin with "alone" of projects with one. A project with one hook
// has all other sections in their order.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::cli {

struct TemplateSection {
  std::string_view name;
  std::string_view argument;
  std::string_view text;
};

// The text must outlive the sections.
std::vector<TemplateSection> sections_of(std::string_view text);

// The texts of all sections but those whose names begin with `left_out`.
std::string text_without(std::string_view text, std::string_view left_out);
// The texts of the sections of a name, one after the other.
std::string section_text(std::string_view text, std::string_view name);
// Of the first section of the name; empty if there is none.
std::string_view section_argument(std::string_view text, std::string_view name);

using TemplateValues = std::vector<std::pair<std::string_view, std::string>>;

// The text with the values of @NAME@, @FILE@ and the like.
std::string filled(std::string_view text, const TemplateValues& values);

}  // namespace berth::cli
