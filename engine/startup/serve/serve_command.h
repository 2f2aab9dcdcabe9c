#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "engine/startup/serve/serve_options.h"

namespace berth::startup {

// Adds the command `serve`. `run` is called with its options, and returns the exit status; it
// throws Error.
void add_serve(CLI::App& app, int& status, std::function<int(ServeOptions&)> run);

}  // namespace berth::startup
