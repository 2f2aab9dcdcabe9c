#pragma once

// What comes from files and streams, brought into the model: cluster objects at once, pods as work.
// Keeps the books, so that in the end every pod that came in is accounted for.

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/stream/stream.h"
#include "engine/model/cluster/cluster.h"

namespace berth::cli {

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

  // A cluster, or a part of one. `from` names the file in errors.
  void add_cluster(const ingest::Objects& objects, const std::string& from);
  void add_cluster(const ingest::ClusterPart& part, const std::string& from);

  // Pods as work; those that wait are appended to `waiting`. Pod sets beside them, as manifests
  // have them, are taken into the cluster.
  void add_work(const ingest::Objects& objects, const std::string& from,
                std::vector<model::PodRecord>& waiting);
  void add_work(const ingest::PodBatch& pods, const std::string& from,
                std::vector<model::PodRecord>& waiting);
  void define(const std::vector<ingest::TemplateDefinition>& templates);

  // To be called with no binding outstanding: it may renumber rows.
  void apply(const ingest::Event& event, const std::string& from);

  const Counts& counts() const { return counts_; }

 private:
  struct Template {
    model::TemplateId id = 0;
    model::LabelSetId labels = 0;
    bool placed = false;  // the template itself names a node
    std::shared_ptr<const model::PodSpec> spec;
  };

  bool place(const model::PodRecord& pod, const std::string& node, const std::string& from);
  std::string name_of(const model::PodRecord& pod) const;
  void add_namespace(const model::Namespace& object, const std::string& from);
  void add_selector_owner(const model::SelectorOwner& object, const std::string& from);
  void add_cluster_node(const model::Node& node, const std::string& from);
  void add_cluster_pod(const model::Pod& pod, const std::string& from);
  void add_work_pod(const model::Pod& pod, const std::string& from,
                    std::vector<model::PodRecord>& waiting);
  bool take_name(const model::PodRecord& pod, const std::string& from);
  void update_pod(const model::Pod& pod, const std::string& from);
  void remove_pod(const std::string& namespace_name, const std::string& name,
                  const std::string& from, const char* what);
  model::LabelSetId labels_of(const Template& t, const ingest::PodBatch& pods, size_t pod);
  void report(const std::string& from, const std::string& field, std::string message);

  model::Cluster& cluster_;
  Diagnostics& diagnostics_;
  Counts counts_;
  std::vector<Template> templates_;            // by the stream's id
  std::set<std::string> described_;            // namespaces and pod sets that files brought
  boost::unordered_flat_set<uint64_t> names_;  // of pods that came as work: namespace and name ids
};

}  // namespace berth::cli
