#pragma once

// The findings of the checks of plugins, as text for people and as JSON.

#include <span>
#include <string>

#include "engine/validator/runner.h"

namespace berth::validator {

// A line for each check; below one that failed, what the contract says and what was seen. With
// `all_contracts`, below each what the contract says.
std::string report_text(std::span<const FileResults> files, bool all_contracts = false);
// An array with an object for each file; abi/debugging.md describes it.
std::string report_json(std::span<const FileResults> files);

}  // namespace berth::validator
