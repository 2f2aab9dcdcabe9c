#pragma once

// The option --enable-admission-plugins, which several commands have.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/ingest/admission/admission.h"

namespace berth::cli {

struct AdmissionPlugins {
  ingest::OptionalPlugins plugins;

  // This must outlive the parsing of the command line.
  void add_to(CLI::App& command) {
    command
        .add_option_function<std::vector<std::string>>(
            "--enable-admission-plugins",
            [this](const std::vector<std::string>& names) {
              for (const std::string& name : names) {
                plugins.extended_resource_toleration |= name == "ExtendedResourceToleration";
                plugins.pod_node_selector |= name == "PodNodeSelector";
                plugins.pod_toleration_restriction |= name == "PodTolerationRestriction";
              }
            },
            "admission plugins that an API server has off by default. ExtendedResourceToleration: "
            "pods tolerate taints whose keys are the resources that they ask for, such as "
            "example.com/gpu. PodNodeSelector and PodTolerationRestriction: the annotations of "
            "the pods' namespaces count")
        ->delimiter(',')
        ->check(check::one_of(
            {"ExtendedResourceToleration", "PodNodeSelector", "PodTolerationRestriction"}))
        ->option_text("NAME[,NAME...]");
  }

  // Throws Error if plugins are enabled that have no effect.
  void check_effect(bool admission) const {
    if (plugins.any() && !admission)
      throw Error(
          "--enable-admission-plugins: has no effect with --admission=off: leave out either");
  }
};

}  // namespace berth::cli
