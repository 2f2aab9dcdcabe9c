#pragma once

// Trials: the pods are scheduled on the cluster with some nodes more. Each is a run of its own that
// reads the input again.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/need/node_template.h"
#include "cli/need/packing.h"
#include "cli/need/search.h"
#include "cli/run/run.h"
#include "engine/config/config.h"
#include "engine/runtime/assembly.h"

namespace berth::cli {

// Pods of one template. What the probe tells: which nodes take one, were these empty.
struct PodKind {
  std::string first;        // namespace/name of the first pod
  std::vector<bool> takes;  // by node template
};

// A pod of the work that gets no node. Those of a gang that wait for each other in Permit as the
// run ends are such pods.
inline bool lacks_node(const model::PodRecord& pod) {
  return pod.requested && (!pod.placed() || pod.state == model::PodState::kPermitWaiting);
}

class Trials {
 public:
  // All arguments outlive the trials.
  Trials(const RunOptions& options, const config::Configuration& configuration,
         runtime::Plugins& plugins, const std::vector<NodeTemplate>& templates);

  // Decides every pod once, with an empty node of each template and without placing it. To be
  // called first. Throws Error, and Interrupted while the input is read.
  void probe();
  // Offers by template: amounts by number of the resource.
  const std::vector<Offer>& offers() const { return offers_; }
  const std::vector<std::string>& resources() const { return resources_; }
  const std::vector<PodKind>& kinds() const { return kinds_; }
  // The requests of the pods of the work beyond what the cluster's nodes have free. After probe().
  const Amounts& needed() const { return needed_; }
  uint64_t pods() const { return pods_; }

  TrialResult trial(const Counts& counts);
  // A run with these nodes, by the configuration as it is; `results` are kept.
  std::unique_ptr<Run> run(const Counts& counts, const config::Configuration& configuration,
                           bool results);
  // The names of the nodes of a template, so many as count.
  std::vector<std::string> names(size_t offer, uint64_t count) const;
  // The number of the pod's kind; kinds().size() for pods that a controller made later.
  size_t kind_of(const std::string& full_name) const;
  Amounts amounts_of(const model::Cluster& cluster, model::TemplateId pod_template) const;

 private:
  class Verdicts;
  class Reader;

  RunOptions trial_options(const Counts& counts) const;
  std::string name_of(size_t offer, uint64_t number) const;
  std::unique_ptr<Run> decide_only(const Counts& counts, Verdicts& verdicts);
  void choose_names(const model::Cluster& cluster);
  void name_resources(const model::Cluster& cluster);
  void name_pods(const model::Cluster& cluster, const Verdicts& verdicts);
  std::map<std::string, int64_t> count(const model::Cluster& cluster, bool cordons);

  const RunOptions& options_;
  const config::Configuration& configuration_;
  runtime::Plugins& plugins_;
  const std::vector<NodeTemplate>& templates_;
  std::vector<Offer> offers_;
  std::vector<std::string> resources_;
  std::vector<std::string> prefixes_;  // of nodes' names, by template
  std::vector<PodKind> kinds_;
  boost::unordered_flat_map<std::string, size_t> kind_by_name_;
  Amounts needed_;
  uint64_t pods_ = 0;
  bool has_nodes_ = true;  // the cluster, before any is added
};

}  // namespace berth::cli
