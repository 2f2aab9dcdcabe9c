#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth {

// The bytes that a text of standard base64 (RFC 4648, with padding) stands for, as Go's json
// package decodes bytes: line breaks are skipped. Nothing for any other text.
std::optional<std::string> base64_bytes(std::string_view text);

}  // namespace berth
