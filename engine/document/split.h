#pragma once

// Finds the documents in a file. Internal to this module.

#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::document::internal {

inline constexpr std::string_view kJsonBlanks = " \t\r\n";

struct Part {
  uint32_t begin;  // includes its `---` line, if there is one
  uint32_t end;    // excludes its `...` line, if there is one
};

// Splits a text at YAML's separator lines (`---`, `...`). Every document, JSON or YAML, well-formed
// or not, ends at such a line. Directives (%YAML) stay with the document that follows them. JSON
// documents without a separator between them are in one part.
std::vector<Part> split_documents(std::string_view text);

// The number of bytes of the directives that a part begins with, and of the blank lines and
// comments among them.
uint32_t directives(std::string_view part);

}  // namespace berth::document::internal
