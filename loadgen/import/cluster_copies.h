#pragma once

// A cluster several times over, each copy for itself. Names of nodes and namespaces are new in each
// copy but the first ("web" is "web-c1" in the second), and with them all that refers to them; pods
// and what selects them keep their names in their new namespaces. Namespaces get a label that says
// which copy they are of, and selectors of namespaces ask for it, so that pods see the pods of
// their own copy. All else, such as zones, is shared.

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/ingest/objects/objects.h"

namespace berth::loadgen {

class ClusterCopies {
 public:
  static constexpr char kCopyLabel[] = "berth.dev/copy";

  // Precondition: copies > 0. With one, every object is as it was.
  ClusterCopies(std::shared_ptr<const ingest::Objects> objects, uint64_t copies);

  // Namespaces include those that only pods and pod sets name, if there are several copies.
  size_t nodes() const { return objects_->nodes.size(); }
  size_t namespaces() const { return namespaces_.size(); }
  size_t selector_owners() const { return objects_->selector_owners.size(); }
  size_t pods() const { return objects_->pods.size(); }
  const ingest::Objects& objects() const { return *objects_; }

  // An object of a copy; copies count from 0.
  model::Node node(size_t index, uint64_t copy) const;
  model::Namespace namespace_object(size_t index, uint64_t copy) const;
  model::SelectorOwner selector_owner(size_t index, uint64_t copy) const;
  model::Pod pod(size_t index, uint64_t copy) const;

 private:
  std::string suffix(uint64_t copy) const;
  void choose_marker();
  void add_missing_namespaces();

  static void rename_avoided(model::Node& node, const std::string& suffix);
  void rename_value(std::string& value, const std::string& suffix) const;
  void rename_term(model::NodeSelectorTerm& term, const std::string& suffix) const;
  void rename_affinity(model::Affinity& affinity, uint64_t copy) const;
  void rename_pod_affinity(model::PodAffinity& affinity, uint64_t copy) const;
  void rename_pod_term(model::PodAffinityTerm& term, uint64_t copy) const;

  std::shared_ptr<const ingest::Objects> objects_;
  uint64_t copies_ = 1;
  std::vector<model::Namespace> namespaces_;
  boost::unordered_flat_set<std::string> node_words_;  // names of nodes, as names and as labels
  std::string marker_ = "-c";
};

}  // namespace berth::loadgen
