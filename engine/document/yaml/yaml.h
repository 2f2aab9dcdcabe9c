#pragma once

// YAML to cells, on libyaml's events. Internal to this module.
//
// libyaml rather than another library because the parser inside of kubectl is a port of it: what
// one accepts the other does. (libfyaml 0.7.12 was tried: it hangs on some inputs of two bytes.)
//
// What YAML has and JSON lacks:
//   aliases    become copies of what their anchor names; how much, and how deep, is limited
//   merges     `<<: *defaults` adds the members that the object has not itself
//   keys       that are no strings become strings, as in kubectl; with a fraction they are refused
//   tags       !!str, !!int and so on are obeyed, others ignored

#include <cstdint>

#include "engine/document/storage.h"

namespace berth::document::internal {

// How many values aliases have stood for so far in a file, against limits.alias_values.
struct AliasBudget {
  uint64_t spent = 0;
};

// Parses the document that stands between `begin` and `end` and no other. Returns whether there was
// one: not if there is nothing, null or comments only; then no cell was added. Throws Malformed;
// the cells added since are then to be taken back.
bool parse_yaml(Builder& builder, AliasBudget& budget, uint32_t begin, uint32_t end);

}  // namespace berth::document::internal
