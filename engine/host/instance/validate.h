#pragma once

// Lets a plugin check its arguments before anything is started.

#include <vector>

#include "engine/base/error.h"
#include "engine/host/instance/config_tree.h"
#include "engine/host/loading/library.h"

namespace berth::host {

// Returns every error in the arguments, with its path in the configuration. Empty for a plugin
// without arguments, even if the configuration has some: see Library::takes_arguments.
[[nodiscard]] std::vector<Error> validate(const Library& library, const Arguments& arguments);

}  // namespace berth::host
