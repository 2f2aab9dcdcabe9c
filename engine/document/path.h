#pragma once

// The way from a document's root to a cell. Internal to this module.

#include <string>

#include "engine/document/storage.h"

namespace berth::document::internal {

// As Value::path() has it. Requires: a cell of this storage, once it is complete.
std::string path_to(const Storage& storage, const Cell* cell);

}  // namespace berth::document::internal
