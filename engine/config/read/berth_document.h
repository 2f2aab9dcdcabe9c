#pragma once

// The common parts of all kinds of documents of Berth's own group berth/v1. Internal to this
// module.

#include <cstdint>
#include <string_view>

#include "engine/config/read/faults.h"
#include "engine/document/document.h"

namespace berth::config {

inline constexpr std::string_view kBerthApiVersion = "berth/v1";

// True if the document has an apiVersion of Berth, of whatever version.
bool is_of_berth(document::Value root);

// True if the document has this kind and kBerthApiVersion. Otherwise reports what it has instead.
bool expect_type(document::Value root, std::string_view kind, Faults& faults);

// The fault of a second document of a kind that a file may have once. `first`: the line of the
// first.
Error second_of_kind(document::Value root, std::string_view kind, uint32_t first);

}  // namespace berth::config
