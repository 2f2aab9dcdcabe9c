#pragma once

// Shared by the tests of this module.

#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

namespace berth::document {

// Parses a text: its documents as JSON, and its errors as texts with file name "file".
struct Parsed {
  explicit Parsed(std::string_view text, const Limits& limits = {}) {
    document = Document::parse(text, "file", diagnostics, limits);
    for (Value root : document.roots()) roots.push_back(to_json(root));
    for (const Error& error : diagnostics.kept()) errors.push_back(error.what());
  }

  // The first error, or else the first document.
  std::string first() const {
    if (!errors.empty()) return errors.front();
    return roots.empty() ? "" : roots.front();
  }

  Diagnostics diagnostics;
  Document document;
  std::vector<std::string> roots;
  std::vector<std::string> errors;
};

using Texts = std::vector<std::string>;

}  // namespace berth::document
