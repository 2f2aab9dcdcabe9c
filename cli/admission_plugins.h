#pragma once

// The options --enable-admission-plugins and --admission-control-config-file, which several
// commands have.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"
#include "engine/ingest/admission/admission.h"
#include "engine/ingest/admission/namespaces/admission_configuration.h"

namespace berth::cli {

class AdmissionPlugins {
 public:
  // This must outlive the parsing of the command line.
  void add_to(CLI::App& command) {
    command
        .add_option_function<std::vector<std::string>>(
            "--enable-admission-plugins",
            [this](const std::vector<std::string>& names) {
              for (const std::string& name : names) {
                enabled_.extended_resource_toleration |= name == "ExtendedResourceToleration";
                enabled_.pod_node_selector |= name == "PodNodeSelector";
                enabled_.pod_toleration_restriction |= name == "PodTolerationRestriction";
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
    command
        .add_option("--admission-control-config-file", file_,
                    "an API server's AdmissionConfiguration: what PodNodeSelector and "
                    "PodTolerationRestriction do in all namespaces")
        ->option_text("FILE");
  }

  // Throws Error if options have no effect.
  void check_effect(bool admission) const {
    if (enabled_.any() && !admission)
      throw Error(
          "--enable-admission-plugins: has no effect with --admission=off: leave out either");
    if (!file_.empty() && !enabled_.pod_node_selector && !enabled_.pod_toleration_restriction)
      throw Error(
          "--admission-control-config-file: has no effect without --enable-admission-plugins "
          "PodNodeSelector or PodTolerationRestriction");
  }

  // The file of --admission-control-config-file; empty: none.
  const std::string& file() const { return file_; }

  // The plugins, with the rules of the file; its entries without effect are named. Throws Error as
  // check_effect() and for faults of the file.
  ingest::OptionalPlugins read(bool admission) const {
    check_effect(admission);
    ingest::OptionalPlugins plugins = enabled_;
    if (file_.empty()) return plugins;
    ingest::AdmissionConfiguration read = ingest::read_admission_configuration(file_);
    std::vector<std::string> without_effect = std::move(read.without_effect);
    if (read.pod_node_selector && !plugins.pod_node_selector)
      without_effect.emplace_back("PodNodeSelector, which is not enabled");
    if (read.pod_toleration_restriction && !plugins.pod_toleration_restriction)
      without_effect.emplace_back("PodTolerationRestriction, which is not enabled");
    if (!without_effect.empty())
      say(printable(fmt::format("{}: accepted and without effect here: {}", file_,
                                fmt::join(without_effect, ", "))));
    plugins.cluster = std::move(read.rules);
    return plugins;
  }

 private:
  ingest::OptionalPlugins enabled_;
  std::string file_;  // empty: none
};

}  // namespace berth::cli
