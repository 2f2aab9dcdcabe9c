#pragma once

// Recognises text and data that users mistake for Kubernetes objects.

#include <optional>
#include <string>
#include <string_view>

namespace berth::document {

// If an input with this beginning cannot be JSON or YAML, returns a message that names its format
// and the remedy; otherwise nothing. Compressed data and UTF-16 are recognised by the first 4
// bytes, a table of kubectl by the first line.
std::optional<std::string> foreign_text(std::string_view beginning);

}  // namespace berth::document
