#pragma once

// The way of the objects of manifests before a scheduler sees them: controllers create pods,
// and an API server admits each.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/admission/admission.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/volumes/default_class.h"
#include "engine/ingest/workloads/existing_pods.h"
#include "engine/ingest/workloads/expand.h"
#include "engine/ingest/workloads/played_workloads.h"
#include "engine/model/objects/change.h"

namespace berth::ingest {

// One thread at a time.
class Creation {
 public:
  using Nodes = std::function<std::vector<model::Node>()>;

  // `nodes` returns the nodes that exist when it is called; names, labels and taints are read.
  // `admission`: pods are admitted, also by `plugins`; else they are taken as they are.
  Creation(Nodes nodes, bool admission, OptionalPlugins plugins = {}) : nodes_(std::move(nodes)) {
    if (admission) admission_.emplace(std::move(plugins));
  }

  // From now on workloads are among the objects that come of them, for their controllers.
  void play_workloads() { plays_ = true; }
  bool plays_workloads() const { return plays_; }

  // Reads the pods of a cluster and the names of its claims. For admission it also reads the
  // policies, and counts what the cluster's pods use of the quotas.
  void add_cluster(const Objects& objects);
  void add_cluster(std::span<const model::Change> objects);

  // Takes the pods, the policies, the objects of storage and the names of the Deployments of an
  // input that create() is called with later: they count for what is created before. Refused
  // PriorityClasses are reported and left out.
  void take_existing(Objects& objects, const std::string& path, Diagnostics& diagnostics);
  // Takes the policies and storage classes of an input, expands its workloads, up to kMostExpanded
  // pods and kMostExpandedBytes in all inputs (those beyond are reported and left out), admits its
  // claims and pods, and makes the claims of ephemeral volumes. Pods and claims that are refused
  // are reported with `path` and their line, and left out. Remarks on ReplicaSets that lack pods
  // and whose Deployments are in none of the inputs so far; a cluster is none.
  void create(Objects& objects, const std::string& path, Diagnostics& diagnostics);
  // Admits one pod; returns why it is refused. `again`: an update of a pod that was created here,
  // which no quota counts.
  std::optional<std::string> admit(model::Pod& pod, const PodAsked& asked, bool again = false);
  // Does as the controller of ephemeral volumes for a pod that was admitted: returns the claims
  // that are not there yet, owned by the pod, which gets a UID. Nothing for a pod that was not
  // created here. `again`: an update of such a pod, which has its claims.
  // Claims that admission refuses are not made; `refused` gets why.
  std::vector<model::VolumeObject> claims_for(model::Pod& pod, const PodAsked& asked,
                                              bool again = false,
                                              std::vector<std::string>* refused = nullptr);
  // The pod exists beside those of add_cluster() and create(), or changed.
  void put(const model::Pod& pod) { pods_.put(pod); }
  // The pod is gone, and with it the claims that were made for it.
  void remove_pod(const std::string& namespace_name, const std::string& name);
  // A claim that is created here and has no class gets the default one. Returns why it is refused;
  // objects of other kinds are not.
  std::optional<std::string> admit(model::VolumeObject& object);
  bool admits() const { return admission_.has_value(); }
  // True if admission counts pods: admit() may refuse a pod that it took before.
  bool has_quotas() const { return admission_ && admission_->has_quotas(); }
  void put(const Policies& policies);
  void remove(const Policies& policies);
  // An object of storage was put or removed beside those of add_cluster() and create().
  void put(const model::VolumeObject& object);
  void remove(const model::VolumeObject& object);

  // The workloads of a cluster, whose pods are there, as their controllers go on with them. To be
  // called when all of the cluster was added. Adds to the remarks.
  std::vector<model::Change> cluster_workloads(Remarks& remarks);
  // Workloads of manifests that changed, in an input that create() is not called with: their pods
  // follow from their controllers. Faults and remarks as with create().
  std::vector<model::Change> change_workloads(Objects& objects, const std::string& path,
                                              Diagnostics& diagnostics);
  // A workload of a manifest is gone.
  model::Change remove_workload(std::string kind, std::string namespace_name, std::string name);

  // From here on the nodes are those of now, as the calls below change them: for a reader on
  // another thread than the one that owns the model.
  void follow_nodes();
  void put_node(const model::Node& node);
  void remove_node(const std::string& name) { followed_.erase(name); }

 private:
  std::vector<model::Node> nodes() const;
  void play(const std::vector<Workload>& workloads, std::vector<model::Workload> played,
            Objects& objects);
  // Those of names that were removed: their controllers make all pods, since former ones may be
  // about to go.
  void play_again(Objects& objects);
  std::optional<model::ControllerObject> played(const Workload& from, model::Workload to,
                                                Remarks& remarks);
  void note_missing(Objects& objects) const;
  void limit_workloads(Objects& objects, size_t nodes, const std::string& path,
                       Diagnostics& diagnostics);
  void count(const model::VolumeObject& object);
  // True if an object with this UID was not asked about before.
  bool is_first(const std::string& uid);
  std::optional<std::string> admit(model::PersistentVolumeClaim& claim);
  void admit_classes(Objects& objects, const std::string& path, Diagnostics& diagnostics);
  void admit_claims(Objects& objects, const std::string& path, Diagnostics& diagnostics);
  void make_claims(Objects& objects, const std::string& path, Diagnostics& diagnostics);
  void admit_pods(Objects& objects, const std::string& path, Diagnostics& diagnostics);

  Nodes nodes_;
  std::optional<Admission> admission_;
  bool follows_ = false;
  std::map<std::string, model::Node> followed_;
  ExistingPods pods_;
  std::set<std::string> deployments_;                         // by namespace/name
  ClaimNames claims_;                                         // that exist
  std::map<std::string, std::vector<std::string>> made_for_;  // claims, by the pod's full name
  DefaultClass default_class_;
  std::set<std::string> counted_;  // UIDs of what quotas count and a watch may tell again
  bool plays_ = false;
  PlayedWorkloads played_;
  std::vector<Workload> cluster_workloads_;  // see cluster_workloads()
  uint64_t expanded_ = 0;                    // pods that the workloads so far ask for
  uint64_t expanded_bytes_ = 0;              // the sum of their sizes
};

}  // namespace berth::ingest
