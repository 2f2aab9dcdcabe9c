#pragma once

// The members that YAML's key `<<` adds to an object. Internal to this module.

#include <cstddef>

#include "engine/document/storage.h"

namespace berth::document::internal {

// Builds the document whose first cell is `root` anew, without kMergeKey: what stands under it, an
// object or an array of objects, gives its members to the object that has the key, as far as that
// has none of the same key; of several the first gives. Throws Malformed if something else stands
// there.
void merge_yaml(Builder& builder, size_t root);

}  // namespace berth::document::internal
