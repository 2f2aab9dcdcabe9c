#pragma once

// What comes from files and streams, brought into the model: cluster objects at once, pods as work.
// Keeps the books, so that in the end every pod that came in is accounted for.

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <concepts>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/stream/stream.h"
#include "engine/model/cluster/cluster.h"

namespace berth::cli {

// Where the objects of one call come from, for messages. Refers to the caller's texts and lines.
class Origin {
 public:
  // A file, of which no more is known.
  template <std::convertible_to<std::string_view> Text>
  Origin(const Text& file) : file_(file) {}
  // Objects that begin in these lines of a file, one per object, or that all stand in the frame at
  // this byte of it. Either may be unknown: an empty span, Place::kNoByte.
  Origin(std::string_view file, std::span<const uint32_t> lines, uint64_t byte = Place::kNoByte)
      : file_(file), lines_(lines), byte_(byte) {}

  Place place(size_t object, std::string field) const;

 private:
  std::string_view file_;
  std::span<const uint32_t> lines_;
  uint64_t byte_ = Place::kNoByte;
};

class Intake {
 public:
  struct Counts {
    uint64_t placed_before = 0;       // pods of the cluster files that count on a node
    uint64_t pending_in_cluster = 0;  // pods of the cluster files that wait: nobody asked for them
    uint64_t finished_in_cluster = 0;
    uint64_t work = 0;            // pods that came as work, in whatever state
    uint64_t already_placed = 0;  // of those: with a node
    uint64_t finished = 0;
    uint64_t terminating = 0;
    uint64_t rejected = 0;  // name taken
    uint64_t events = 0;
    uint64_t passed_over = 0;  // nodes and namespaces in a file of pods
  };

  Intake(model::Cluster& cluster, Diagnostics& diagnostics)
      : cluster_(cluster), diagnostics_(diagnostics) {}

  // A cluster, or a part of one. The lines of a part are those of its nodes, namespaces, pods and
  // selector owners, in this order.
  void add_cluster(const ingest::Objects& objects, std::string_view file);
  void add_cluster(const ingest::ClusterPart& part, const Origin& from);

  // Pods as work; those that wait are appended to `waiting`. Services and controllers beside them,
  // as manifests have them, are taken into the cluster. A file of objects without a pod is
  // reported, unless it is an empty list.
  void add_work(const ingest::Objects& objects, std::string_view file,
                std::vector<model::PodRecord>& waiting);
  void add_work(const ingest::PodBatch& pods, const Origin& from,
                std::vector<model::PodRecord>& waiting);
  void define(const std::vector<ingest::TemplateDefinition>& templates);

  // The `index`-th event of its batch. A waiting pod that is updated and was never added is work,
  // as it is for an informer, and appended to `waiting`. Requires: no binding is outstanding, for
  // rows may be renumbered.
  void apply(const ingest::Event& event, const Origin& from, std::vector<model::PodRecord>& waiting,
             size_t index = 0);

  const Counts& counts() const { return counts_; }

 private:
  struct Template {
    model::TemplateId id = 0;
    model::LabelSetId labels = 0;
    bool placed = false;  // the template itself names a node
    std::shared_ptr<const model::PodSpec> spec;
  };

  bool place(const model::PodRecord& pod, const std::string& node, const Origin& from,
             size_t index);
  std::string name_of(const model::PodRecord& pod) const;
  void add_namespace(const model::Namespace& object, const Origin& from, size_t index);
  void add_selector_owner(const model::SelectorOwner& object, const Origin& from, size_t index);
  void add_cluster_node(const model::Node& node, const Origin& from, size_t index);
  void add_cluster_pod(const model::Pod& pod, const Origin& from, size_t index);
  void add_work_pod(const model::Pod& pod, const Origin& from, size_t index,
                    std::vector<model::PodRecord>& waiting);
  bool is_known(const model::PodRecord& pod) const;  // came as work and was not removed
  bool take_name(const model::PodRecord& pod, const Origin& from, size_t index);
  void update_pod(const model::Pod& pod, const Origin& from, size_t index,
                  std::vector<model::PodRecord>& waiting);
  void remove_pod(const std::string& namespace_name, const std::string& name, const Origin& from,
                  size_t index, const char* what);
  model::LabelSetId labels_of(const Template& t, const ingest::PodBatch& pods, size_t pod);
  void report(const Origin& from, size_t index, const std::string& field, std::string message);

  model::Cluster& cluster_;
  Diagnostics& diagnostics_;
  Counts counts_;
  std::vector<Template> templates_;            // by the stream's id
  std::set<std::string> described_;            // namespaces and selector owners that files brought
  boost::unordered_flat_set<uint64_t> names_;  // of pods that came as work: namespace and name ids
};

}  // namespace berth::cli
