#pragma once

// Reads the AdmissionConfiguration of an API server (--admission-control-config-file): the rules
// that PodNodeSelector and PodTolerationRestriction have for all namespaces. Source:
// k8s.io/apiserver pkg/admission/config.go and the two plugins' own configurations.

#include <string>
#include <vector>

#include "engine/ingest/admission/policies/policies.h"

namespace berth::ingest {

struct AdmissionConfiguration {
  ClusterRules rules;
  // True for each of these two plugins that the file configures.
  bool pod_node_selector = false;
  bool pod_toleration_restriction = false;
  std::vector<std::string> without_effect;  // entries of other plugins: plugins[0] (NAME)
};

// `path`: a YAML or JSON file; "-": standard input. A plugin's configuration is part of it, or in a
// file that it names, relative to its own folder. Throws Error for a file that cannot be read, and
// for faults, with all of them.
AdmissionConfiguration read_admission_configuration(const std::string& path);

}  // namespace berth::ingest
