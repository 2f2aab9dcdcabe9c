#pragma once

// Writes values as YAML.

#include <string>

#include "engine/document/document.h"

namespace berth::document {

// Formats the value as YAML in blocks: two spaces a level, lists at the level of their key, members
// in order, a line feed at the end. Texts stand without quotes if every reader takes them for
// texts, else as JSON strings. Reading the result gives an equal value, with numbers as Go prints
// them, and writing that value gives the same text. A number beyond the range of a double is
// written as it is, which YAML's readers take for a text. Requires value.present().
std::string to_yaml(Value value);

}  // namespace berth::document
