#pragma once

// Field paths of cells. Internal to this module.

#include <string>

#include "engine/document/storage.h"

namespace berth::document::internal {

// Implements Value::path(). Requires a cell of this storage, after parsing is complete.
std::string path_to(const Storage& storage, const Cell* cell);

}  // namespace berth::document::internal
