#pragma once

// Values of cases as texts that are equal if the values say the same.

#include <string>
#include <string_view>

#include "engine/document/document.h"

namespace berth::conformance {

// An absent value, null, [], {}, "" and false are the same: they say nothing.
bool says_nothing(document::Value value);

// The value's text in which an object's members are in order of their keys and those that say
// nothing are left out. Empty if the value says nothing. `without`: a member of `value` that is
// left out.
std::string canonical(document::Value value, std::string_view without = {});

}  // namespace berth::conformance
