#pragma once

// JSON to cells. Internal to this module.
//
// It stays beside simdjson, whose two interfaces each miss one of: the place of every value, the
// text of numbers, and where a malformed document ends, so that the next can be read and the items
// before the fault kept (its first stage reads a whole file at once, where one missing quote spoils
// all that follows). simdjson checks the UTF-8.

#include <cstdint>

#include "engine/document/storage.h"

namespace berth::document::internal {

// Parses the one value that stands between `begin` and `end`, with blanks around it allowed before,
// and returns the offset behind it. Throws Malformed; the cells of the value are then to be taken
// back. The grammar is RFC 8259's. A lone half of a surrogate pair is U+FFFD, as it is for Go.
uint32_t parse_json(Builder& builder, uint32_t begin, uint32_t end);

// The offset of the first character from `begin` on that is no blank, or `end`.
uint32_t skip_json_blanks(const Storage& storage, uint32_t begin, uint32_t end);

}  // namespace berth::document::internal
