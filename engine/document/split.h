#pragma once

// Finds the documents in a file. Internal to this module.

#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::document::internal {

struct Part {
  uint32_t begin;  // includes its `---` line, if there is one
  uint32_t end;    // excludes its `...` line, if there is one
};

// Splits a text at YAML's separator lines. No document, JSON or YAML, well-formed or not, continues
// behind one. Directives (%YAML) stay with the document that follows them. JSON documents that
// follow each other without a separator are in one part.
std::vector<Part> split_documents(std::string_view text);

}  // namespace berth::document::internal
