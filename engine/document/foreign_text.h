#pragma once

// Recognises text and data that users mistake for Kubernetes objects.

#include <optional>
#include <string>
#include <string_view>

namespace berth::document {

// The message about an input that begins like this: what it is and what to do. Nothing if it may be
// JSON or YAML. The first 4 bytes tell compressed data and UTF-16, the first line a table.
std::optional<std::string> foreign_text(std::string_view beginning);

}  // namespace berth::document
