#pragma once

// Where the documents of a file part. Internal to this module.

#include <cstdint>
#include <string_view>
#include <vector>

namespace berth::document::internal {

struct Part {
  uint32_t begin;  // with the `---` line that begins it, if there is one
  uint32_t end;    // without a `...` line that ends it
};

// Parts a text at the lines that YAML keeps for that: no document, JSON or YAML, well formed or
// not, goes on behind one. Directives (%YAML) stay with the document that they are for. JSON
// documents that just follow each other are in one part.
std::vector<Part> split_documents(std::string_view text);

}  // namespace berth::document::internal
