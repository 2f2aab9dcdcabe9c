#pragma once

// The kind of a YAML scalar, by the rules of the library with which kubectl reads YAML (go-yaml 2,
// then printed as JSON by Go). Internal to this module.
//
// Plain scalars (without quotes, not in blocks):
//
//   null      empty, ~, null, Null, NULL
//   boolean   true, yes, on, y and false, no, off, n; each also Capitalised and in CAPITALS
//   integer   decimal, 0x, 0o, 0b, and octal with a leading zero; a sign and underscores are
//   allowed number    with a point or an exponent; also integers beyond 64 bits string everything
//   else, including dates and times
//
// .inf and .nan have no value in JSON and are refused.

#include <string>
#include <string_view>

#include "engine/document/document.h"

namespace berth::document::internal {

struct Scalar {
  Kind kind = Kind::kString;
  bool truth = false;        // of a boolean
  std::string number;        // of a number: as Go prints it in JSON
  bool unprintable = false;  // an infinity or NaN
};

Scalar resolve_plain(std::string_view text);

// A double as Go's json package prints it. Requires a finite number.
std::string go_number(double value);

}  // namespace berth::document::internal
