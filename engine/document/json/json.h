#pragma once

// Parses JSON into cells. Internal to this module.
//
// This is not simdjson, because neither of its interfaces offers everything that is needed: the
// position of every value, the text of numbers, and the end of a malformed document, so that the
// items before the fault are kept and the next document can be read. (simdjson's first stage scans
// a whole file at once, where one missing quote misleads it for the rest.) simdjson does check the
// UTF-8.
//
// The price: 12.1 MB of 1,000 nodes as kubectl indents them are parsed to cells and read through at
// 755 MB/s; simdjson 3.0.1 on demand, reading every value and keeping none, does 1,620 MB/s.
// Without blanks (6.2 MB) it is 620 and 1,110. One core of an Intel Xeon with AVX-512 (simdjson's
// kernel "icelake"; "haswell" is as fast), best of 15 turns in processor time, with the UTF-8
// check.

#include <cstdint>

#include "engine/document/storage.h"

namespace berth::document::internal {

// Parses one value between `begin` and `end`, optionally preceded by blanks, and returns the offset
// after it. Throws Malformed; the caller then removes the cells of the value (Builder::rewind).
// `depth`: how deep the value lies in others, for the limit.
// The grammar is RFC 8259. Like in Go, half of a surrogate pair becomes U+FFFD.
uint32_t parse_json(Builder& builder, uint32_t begin, uint32_t end, uint32_t depth = 0);

// The offset of the first character that is not a blank, or `end`.
uint32_t skip_json_blanks(const Storage& storage, uint32_t begin, uint32_t end);

}  // namespace berth::document::internal
