#pragma once

// Applies YAML's merge key `<<`. Internal to this module.

#include <cstddef>

#include "engine/document/storage.h"

namespace berth::document::internal {

// Rebuilds the document whose first cell is `root` without kMergeKey. The value of the key is an
// object or an array of objects, whose members are added to the object with the key unless it has a
// member with the same name; of several objects the first takes precedence. Throws Malformed if the
// value is anything else.
void merge_yaml(Builder& builder, size_t root);

}  // namespace berth::document::internal
