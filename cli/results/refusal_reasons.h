#pragma once

// The reasons of an event without what changes from attempt to attempt.

#include <string>
#include <string_view>

namespace berth::cli {

// The text of an event without its numbers, its reasons in the order of the alphabet: pods that
// nodes refuse for equal reasons have equal ones.
std::string refusal_reasons(std::string_view event);

}  // namespace berth::cli
