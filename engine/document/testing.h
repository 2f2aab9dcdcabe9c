#pragma once

// What the tests of this module share.

#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

namespace berth::document {

// A text's documents as JSON and its errors as texts, with the file's name "file".
struct Parsed {
  explicit Parsed(std::string_view text, const Limits& limits = {}) {
    document = Document::parse(text, "file", diagnostics, limits);
    for (Value root : document.roots()) roots.push_back(to_json(root));
    for (const Error& error : diagnostics.kept()) errors.push_back(error.what());
  }

  // The first root, or the first error.
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
