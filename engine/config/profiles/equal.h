#pragma once

#include "engine/document/document.h"

namespace berth::config {

// True if the values have the same meaning. The order of members does not matter; absent equals
// null. Numbers are equal if their texts are. Requires that no object has a duplicate member.
bool equal(document::Value a, document::Value b);

}  // namespace berth::config
