#pragma once

// The objects of a case as the model's values. They are those that the scheduler saw, so they get
// no defaults, and a fault in one is an error of the case.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/document/document.h"
#include "engine/ingest/objects/objects.h"
#include "engine/model/objects/change.h"

namespace berth::conformance {

// `decode` is a function of ingest/objects.h. Throws Error, the first fault.
template <typename Decode>
auto decoded(document::Value value, Decode decode) {
  Diagnostics diagnostics;
  auto object = decode(value, diagnostics, ingest::Defaults::kNone);
  if (!object) throw diagnostics.kept().front();
  return std::move(*object);
}

// The member's text; empty if it is absent or no string.
std::string text_of(document::Value object, std::string_view field);

// Nothing for pods and for kinds that scheduling does not read.
std::optional<model::Object> object_of(document::Value object);

// "NAMESPACE/NAME" in its parts. Throws Error if it has no slash.
std::pair<std::string, std::string> split_name(document::Value name);

}  // namespace berth::conformance
