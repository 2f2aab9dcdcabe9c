#pragma once

// The commands of `berth`, each with its options. Each function adds a command to the parser; the
// command's callback runs it and sets `status` to the exit status (engine/base/program/program.h).

#include "engine/base/program/program.h"

namespace berth::cli {

void add_run(CLI::App& app, int& status);
void add_diff(CLI::App& app, int& status);
void add_fit(CLI::App& app, int& status);
void add_need(CLI::App& app, int& status);
void add_replay(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_evaluate(CLI::App& app, int& status);
void add_convert(CLI::App& app, int& status);
void add_config(CLI::App& app, int& status);
void add_serve(CLI::App& app, int& status);
void add_conformance(CLI::App& app, int& status);
void add_plugin(CLI::App& app, int& status);
void add_plugin_new(CLI::App& plugin);   // a command of `plugin`
void add_plugin_note(CLI::App& plugin);  // likewise
void add_version(CLI::App& app, int& status);

}  // namespace berth::cli
