#pragma once

// Parses YAML into cells, from libyaml's events. Internal to this module.
//
// libyaml, because kubectl's parser is a port of it, so both accept the same texts. (libfyaml
// 0.7.12 hangs on some inputs of two bytes.)
//
// Features of YAML that JSON lacks:
//
//   aliases    become copies of the anchored value; number and depth of copied values are limited
//   merges     `<<: *defaults` adds the members that the object lacks
//   keys       that are not strings become strings, like in kubectl; fractions are refused
//   tags       !!str, !!int and so on are obeyed, others are ignored

#include <cstdint>

#include "engine/document/storage.h"

namespace berth::document::internal {

// The number of values that aliases have expanded to in a file so far; limits.alias_values bounds
// it.
struct AliasBudget {
  uint64_t spent = 0;
};

// Parses the one document between `begin` and `end`. Returns false, without adding cells, if it is
// empty, null or only comments. Throws Malformed; the caller then removes the cells that were
// added.
bool parse_yaml(Builder& builder, AliasBudget& budget, uint32_t begin, uint32_t end);

}  // namespace berth::document::internal
