#pragma once

// Splits a file's text into documents and parses each. Internal to this module.

#include "engine/base/error.h"
#include "engine/document/storage.h"

namespace berth::document::internal {

// Parses the text of the storage into its cells and roots. Reports malformed documents to
// `diagnostics`.
void parse_file(Storage& storage, Diagnostics& diagnostics, const Limits& limits);

}  // namespace berth::document::internal
