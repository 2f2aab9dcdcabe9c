#pragma once

// Shared by the tests of Kubernetes objects.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {

using Texts = std::vector<std::string>;

inline Texts messages(const Diagnostics& diagnostics) {
  Texts texts;
  for (const Error& error : diagnostics.kept()) texts.emplace_back(error.what());
  return texts;
}

// Decodes the first object of a text with one of the functions of objects.h.
template <typename Object>
struct Decoded {
  using Decode = std::function<std::optional<Object>(document::Value, Diagnostics&, Defaults)>;

  Decoded(const Decode& decode, std::string_view text, Defaults defaults) {
    document = document::Document::parse(text, "file", diagnostics);
    object = decode(document.roots()[0], diagnostics, defaults);
    errors = messages(diagnostics);
  }

  Diagnostics diagnostics;
  document::Document document;
  std::optional<Object> object;
  Texts errors;
};

// Reads all objects of a text under the file name "file".
struct Read {
  explicit Read(std::string_view text, Defaults defaults = Defaults::kApiServer) {
    ObjectReader reader(diagnostics, defaults);
    document::Document document = document::Document::parse(text, "file", diagnostics);
    for (document::Value root : document.roots()) reader.add(root);
    objects = reader.take();
    errors = messages(diagnostics);
  }

  Diagnostics diagnostics;
  Objects objects;
  Texts errors;
};

// "cpu=1 memory=1024"
inline std::string amounts(const model::ResourceList& list) {
  std::string text;
  for (const auto& [name, quantity] : list) {
    text += (text.empty() ? "" : " ") + name + "=" + quantity.to_string();
  }
  return text;
}

// "a=1 b=2"
inline std::string pairs(const model::StringMap& map) {
  std::string text;
  for (const auto& [key, value] : map) text += (text.empty() ? "" : " ") + key + "=" + value;
  return text;
}

}  // namespace berth::ingest
