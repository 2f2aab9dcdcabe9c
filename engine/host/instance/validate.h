#pragma once

// Lets a plugin check its arguments before anything is activated.

#include <vector>

#include "engine/base/error.h"
#include "engine/host/instance/config_tree.h"
#include "engine/host/loading/library.h"

namespace berth::host {

// Everything that is wrong with the arguments; each error names the plugin's path in the
// configuration. Empty for a plugin that takes no arguments, whatever there is for it: see
// Library::takes_arguments.
std::vector<Error> validate(const Library& library, const Arguments& arguments);

}  // namespace berth::host
