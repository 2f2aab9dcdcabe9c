#pragma once

// The option --enable-admission-plugins, which several commands have.

#include <CLI/CLI.hpp>

#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/ingest/admission/admission.h"

namespace berth::cli {

struct AdmissionPlugins {
  ingest::OptionalPlugins plugins;

  // This must outlive the parsing of the command line.
  void add_to(CLI::App& command) {
    command
        .add_option_function<std::string>(
            "--enable-admission-plugins",
            [this](const std::string&) { plugins.extended_resource_toleration = true; },
            "ExtendedResourceToleration: pods that are admitted tolerate taints whose keys are "
            "the resources that they ask for, such as example.com/gpu; without this option, they "
            "do not, as with an API server's default plugins")
        ->check(check::one_of({"ExtendedResourceToleration"}))
        ->option_text("NAME");
  }

  // Throws Error if plugins are enabled that have no effect.
  void check_effect(bool admission) const {
    if (plugins.extended_resource_toleration && !admission)
      throw Error("--enable-admission-plugins has no effect with --admission=off");
  }
};

}  // namespace berth::cli
