#pragma once

// A file's text to the roots of its documents. Internal to this module.

#include "engine/base/error.h"
#include "engine/document/storage.h"

namespace berth::document::internal {

// Fills the storage from its text; reports what is malformed.
void parse_file(Storage& storage, Diagnostics& diagnostics, const Limits& limits);

}  // namespace berth::document::internal
