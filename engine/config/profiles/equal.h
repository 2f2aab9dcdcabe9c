#pragma once

#include "engine/document/document.h"

namespace berth::config {

// Do two values mean the same? The order of members does not matter, and an absent value is the
// same as null. Numbers are equal if they are written alike. Requires: no object in them has a
// member twice.
bool equal(document::Value a, document::Value b);

}  // namespace berth::config
