#pragma once

// Multiplies a cluster. Copies do not see each other's pods.
//
// In every copy but the first, nodes and namespaces get new names ("web" becomes "web-c1" in the
// second copy), and all references to them follow. Pods, the owners that select them, disruption
// budgets and claims keep their names and move to the renamed namespaces. PersistentVolumes, their
// attachments and the disks of pods get new names as well. Each namespace gets
// the label kCopyLabel with the number of its copy, and namespace selectors require that label, so
// that pods match only pods of their own copy. Everything else, such as zones, StorageClasses and
// CSIDrivers, is shared between copies.

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/ingest/objects/objects.h"

namespace berth::loadgen {

class ClusterCopies {
 public:
  static constexpr char kCopyLabel[] = "berth.dev/copy";

  // Requires: copies > 0. With one copy every object stays unchanged.
  ClusterCopies(std::shared_ptr<const ingest::Objects> objects, uint64_t copies);

  // Objects per copy. With several copies, namespaces() includes those that only pods, selector
  // owners and disruption budgets mention.
  size_t nodes() const { return nodes_.size(); }
  size_t namespaces() const { return namespaces_.size(); }
  size_t selector_owners() const { return selector_owners_.size(); }
  size_t budgets() const { return budgets_.size(); }
  size_t storage() const { return storage_.size(); }
  size_t groups() const { return groups_.size(); }
  size_t pods() const { return objects_->pods.size(); }
  const ingest::Objects& objects() const { return *objects_; }

  // The index-th object in a copy. Copies are numbered from 0.
  model::Node node(size_t index, uint64_t copy) const;
  model::Namespace namespace_object(size_t index, uint64_t copy) const;
  model::SelectorOwner selector_owner(size_t index, uint64_t copy) const;
  model::DisruptionBudget budget(size_t index, uint64_t copy) const;
  model::VolumeObject storage(size_t index, uint64_t copy) const;
  model::PodGroup group(size_t index, uint64_t copy) const;
  model::Pod pod(size_t index, uint64_t copy) const;

  // True if the index-th object of storage is the same in all copies.
  bool is_shared(size_t index) const;

 private:
  std::string suffix(uint64_t copy) const;
  void choose_marker();
  void add_missing_namespaces();

  static void rename_avoided(model::Node& node, const std::string& suffix);
  void rename_value(std::string& value, const std::string& suffix) const;
  static void rename_claim(model::PersistentVolumeClaim& claim, const std::string& suffix);
  void rename_volume(model::PersistentVolume& volume, const std::string& suffix) const;
  static void rename_volumes(std::vector<model::PodVolume>& volumes, const std::string& suffix);
  void rename_term(model::NodeSelectorTerm& term, const std::string& suffix) const;
  void rename_affinity(model::Affinity& affinity, uint64_t copy) const;
  void rename_pod_affinity(model::PodAffinity& affinity, uint64_t copy) const;
  void rename_pod_term(model::PodAffinityTerm& term, uint64_t copy) const;

  std::shared_ptr<const ingest::Objects> objects_;
  uint64_t copies_ = 1;
  std::vector<model::Node> nodes_;
  std::vector<model::Namespace> namespaces_;
  std::vector<model::SelectorOwner> selector_owners_;
  std::vector<model::DisruptionBudget> budgets_;
  std::vector<model::VolumeObject> storage_;
  std::vector<model::PodGroup> groups_;
  boost::unordered_flat_set<std::string> node_words_;  // node names and their hostname labels
  // between a name and the number of its copy; longer if names would collide
  std::string marker_ = "-c";
};

}  // namespace berth::loadgen
