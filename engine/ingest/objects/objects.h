#pragma once

// Decodes Kubernetes objects, as kubectl prints them or as people write them, into the plain values
// of engine/model/objects/objects.h.
//
// Kinds: Node, Pod, Namespace, and the kinds that select pods: Service, ReplicationController,
// ReplicaSet and StatefulSet of the group apps, PodDisruptionBudget and Eviction of the group
// policy, the objects of storage (model/objects/volume_objects.h), and what admission reads:
// PriorityClass, RuntimeClass, LimitRange, ResourceQuota. For readers that ask for it, also the
// kinds whose controllers create pods (workloads/workload.h). Objects of other kinds are counted
// and skipped.
//
// Syntax: JSON and YAML; single objects, several documents, lists (List, NodeList, PodList, ...).
//
// Fields of the API that scheduling does not read are ignored. Fields of a Pod or Node that the API
// does not have are ignored as well, and listed in the remarks. An object with a fault (a field of
// the wrong type, a quantity that is out of range) is reported with file, line, column and field
// path, and left out; all other objects stay.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/rules/kube_version.h"
#include "engine/document/document.h"
#include "engine/ingest/admission/policies/policies.h"
#include "engine/ingest/objects/rejected_pod.h"
#include "engine/ingest/objects/remarks.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/change.h"

namespace berth::ingest {

class Faults;

// Selects whether objects get the defaults and the validation of an API server. An object that
// comes from an API server is the same with both; a manifest that a person wrote means with
// kApiServer what it means to kubectl.
enum class Defaults : uint8_t {
  // Objects are taken as they are.
  kNone,
  // Fills in, as an API server does: the namespace; the name, from generateName; requests, from
  // limits; host ports of pods in the host network; allocatable, from capacity; the label of a
  // namespace with its name; a ReplicationController's selector, from the labels of its pods; the
  // label keys (matchLabelKeys) of pod affinity, in its selectors; Immediate as the
  // volumeBindingMode of a StorageClass. Rounds amounts up to
  // thousandths.
  // Rejects pods whose topology spread or pod affinity an API server rejects. Does not fill in the
  // scheduler's name; the engine does.
  kApiServer,
};

// True if objects that are created here are validated, as an API server does: those without a UID,
// of pods those that wait for a node. All others were accepted by an API server already, possibly
// an older one. What it refuses is a fault, in its words; all faults of an object are reported.
// The rules are those of a version of Kubernetes.
enum class Validation : uint8_t { kNone, kNew1_34, kNew1_36 };

constexpr Validation validation_by(KubeVersion version) {
  return version == KubeVersion::k1_34 ? Validation::kNew1_34 : Validation::kNew1_36;
}

// Each function decodes one object and ignores its kind and apiVersion. Returns nothing if the
// object has a fault; then at least one error was reported to `diagnostics`. With kApiServer, an
// object with only a generateName gets that as its name. Thread-safe, if the diagnostics are not
// shared.
std::optional<model::Node> decode_node(document::Value value, Diagnostics& diagnostics,
                                       Defaults defaults = Defaults::kApiServer);
std::optional<model::Pod> decode_pod(document::Value value, Diagnostics& diagnostics,
                                     Defaults defaults = Defaults::kApiServer);
// The same with the defaults of an API server. `validation`: not kNone.
std::optional<model::Node> decode_new_node(document::Value value, Diagnostics& diagnostics,
                                           Validation validation);
std::optional<model::Pod> decode_new_pod(document::Value value, Diagnostics& diagnostics,
                                         Validation validation);
std::optional<model::Namespace> decode_namespace(document::Value value, Diagnostics& diagnostics,
                                                 Defaults defaults = Defaults::kApiServer);
std::optional<model::SelectorOwner> decode_selector_owner(document::Value value,
                                                          model::SelectorOwnerKind kind,
                                                          Diagnostics& diagnostics,
                                                          Defaults defaults = Defaults::kApiServer);
std::optional<model::DisruptionBudget> decode_disruption_budget(
    document::Value value, Diagnostics& diagnostics, Defaults defaults = Defaults::kApiServer);

std::optional<model::PodGroup> decode_pod_group(document::Value value, Diagnostics& diagnostics,
                                                Defaults defaults = Defaults::kApiServer);
std::optional<model::EvictionRequest> decode_eviction(document::Value value,
                                                      Diagnostics& diagnostics,
                                                      Defaults defaults = Defaults::kApiServer);

// A KubeletConfiguration, PodMetrics or NodeMetrics, as `kind` says. A configuration may be without
// a name: then its is empty.
std::optional<model::ControllerObject> decode_kubelet_object(
    document::Value value, std::string_view kind, Diagnostics& diagnostics,
    Defaults defaults = Defaults::kApiServer);
// True if the field of a KubeletConfiguration is read, or refused.
bool is_read_of_kubelets(std::string_view field);
// The same of a name in the `usage` of PodMetrics and NodeMetrics.
bool is_read_of_usage(std::string_view name);

inline constexpr std::string_view kKubeletConfiguration = "KubeletConfiguration";
inline constexpr std::string_view kDisruptionBudget = "PodDisruptionBudget";

// True if this kind and apiVersion mean an object that scheduling reads, and no pod. With an empty
// `api_version`, the group is not checked.
bool is_object(std::string_view kind, std::string_view api_version);
// Decodes an object of any such kind. `validation`: of nodes; others are not validated here.
// Precondition: is_object(kind); but for Validation::kNone, Defaults::kApiServer.
std::optional<model::Object> decode_object(document::Value value, std::string_view kind,
                                           Diagnostics& diagnostics,
                                           Defaults defaults = Defaults::kApiServer,
                                           Validation validation = Validation::kNone);

// The kind that a `kind` and `apiVersion` mean, if it selects pods; nothing for other kinds, and
// for a kind of the same name in another API group. With an empty `api_version`, the group is not
// checked.
std::optional<model::SelectorOwnerKind> selector_owner_kind(std::string_view kind,
                                                            std::string_view api_version);

// The way in which a reader takes objects whose controllers create pods.
enum class Workloads : uint8_t {
  // Their pods are in the input, as in a dump of a cluster. Those that select pods are owners, the
  // others are counted and skipped.
  kOwners,
  // They are manifests, and stand for the pods of their controllers, which expand() makes. A
  // ReplicaSet, a StatefulSet or a ReplicationController without a template, and one that a
  // Deployment controls, is an owner only. An object of another kind that holds a pod template is
  // reported.
  kManifests,
  // Objects with a UID come from an API server and are as with kOwners, others as with kManifests.
  kMixed,
};

// The objects of any number of files. Each vector is in the order of the input.
struct Objects {
  std::vector<model::Change> others;  // all but pods; all added
  std::vector<model::Pod> pods;
  std::vector<PodAsked> pods_asked;            // in step with the pods
  std::vector<Workload> workloads;             // of manifests, or kept (keep_workloads)
  std::vector<ControlledSet> controlled_sets;  // beside them; each is an owner, too
  Policies policies;
  uint64_t expanded = 0;   // workloads that were expanded to pods, or to none
  size_t made_claims = 0;  // of `others`, at its end: claims that controllers of workloads made

  // Number of objects with a fault, which were left out. At least one error was reported for each.
  uint64_t rejected = 0;
  uint64_t no_objects = 0;                 // of them, values that have no kind
  std::vector<RejectedPod> rejected_pods;  // those of them that are pods

  Remarks remarks;

  // The line, from 1, of its file in which each object begins; in step with the vectors above as
  // long as these are not modified.
  struct Lines {
    std::vector<uint32_t> others, pods, priority_classes;
  };
  Lines lines;

  size_t size() const { return others.size() + pods.size() + workloads.size() + policies.size(); }

  // Removes the others for which `gone(index)` is true, with their lines. Called in order.
  template <typename Gone>
  void erase_others_if(Gone gone) {
    size_t kept = 0;
    for (size_t i = 0; i < others.size(); ++i) {
      if (gone(i)) continue;
      if (kept != i) {
        others[kept] = std::move(others[i]);
        lines.others[kept] = lines.others[i];
      }
      ++kept;
    }
    others.resize(kept);
    lines.others.resize(kept);
  }
};

// Reads the objects of one cluster, file by file. If several objects have the same kind, namespace
// and name, the first stays, and each later one is reported with both places and rejected. Objects
// with only a generateName get a number after it, so that their names differ. One thread; the
// diagnostics must outlive the reader.
class ObjectReader {
 public:
  // Requires but for Validation::kNone: Defaults::kApiServer. With Workloads::kOwners it holds for
  // nodes alone.
  explicit ObjectReader(Diagnostics& diagnostics, Defaults defaults = Defaults::kApiServer,
                        Workloads workloads = Workloads::kOwners,
                        Validation validation = Validation::kNone);
  ~ObjectReader();

  // An object as the reader comes to it. In lists of one kind, items may lack their kind and
  // apiVersion: then these are the list's. `taken`: it has no fault.
  struct Visited {
    document::Value value;
    std::string_view kind, api_version;
    bool taken = false;
  };
  // Calls `visit` with each object, after it was read. Values that have no kind are no objects.
  void visit(std::function<void(const Visited&)> visit) { visit_ = std::move(visit); }

  // From now on workloads that are no manifests are kept, too, beside what they are: their pods are
  // in the input, and their controllers go on.
  void keep_workloads() { keeps_workloads_ = true; }

  // Reads a file, or standard input if the path is "-". Reports an error if the file has no object,
  // or only objects of kinds that are skipped. Throws Error if it cannot be read.
  void read(const std::string& path);
  // The same for the text of a file; `path` is its name in messages.
  void read_text(std::string_view text, const std::string& path);

  // From now on, a file with only objects of kinds that are skipped is no fault.
  void take_unread_files() { unread_files_ = true; }

  // Reads an object, a list, or an array of objects and lists.
  void add(document::Value value);

  const Objects& objects() const { return objects_; }
  Objects take();  // the objects; the reader is then empty

 private:
  struct Seen;
  struct Type {
    std::string_view kind;
    std::string_view api_version;  // empty: not given
  };
  // `assumed`: the type of an item that does not have its own, as in a PodList.
  void add(document::Value value, const Type& assumed);
  void visit_object(document::Value value, const Type& type);
  void add_object(document::Value value, const Type& type);
  void add_pod(document::Value value);
  // True if an object of this kind is validated if it is new: of owners, which are the objects of a
  // cluster, nodes alone.
  bool validates(std::string_view kind) const {
    return validation_ != Validation::kNone && (workloads_ != Workloads::kOwners || kind == "Node");
  }
  // False after the object was rejected because `report` found a key twice in it.
  bool has_single_keys(document::Value value, void (*report)(document::Value, Faults&));
  // `errors`: their number before the pod was read.
  void add_rejected_pod(document::Value value, uint64_t errors);
  // False after the object was rejected because no API server has its apiVersion.
  bool check_version(document::Value value, const Type& type);
  // False after the object was rejected because its metadata is not valid. Of kinds whose decoders
  // do not look at it.
  bool check_metadata(document::Value value, const Type& type);
  // False: the object is no workload, or one that is an owner only.
  bool add_workload(document::Value value, const Type& type);
  bool is_manifest(document::Value value) const;
  // False: it is an owner, too, or is not kept.
  bool keep_workload(document::Value value, const Type& type, model::WorkloadKind kind);
  // False: admission does not read the kind.
  bool add_policy(document::Value value, std::string_view kind);
  // `counted`: the name that its kind is counted under.
  void add_unread(document::Value value, const Type& type, std::string counted);
  // Keeps an object, with a number in its name if it has only a generateName. False: it has a
  // fault, or its name is taken.
  template <typename Object, typename List>
  bool keep(document::Value value, std::optional<Object> object, List& list,
            std::vector<uint32_t>& lines);
  template <typename Object, typename List>
  bool keep_named(document::Value value, std::optional<Object> object, List& list,
                  std::vector<uint32_t>& lines);
  void add_other(document::Value value, std::string_view kind);
  template <typename Object>
  bool is_there(document::Value value, const Object& object);
  void reject(document::Value value, std::string message);
  // The same for what has no kind.
  void reject_value(document::Value value, std::string message);
  // Items of a list that were added before its whole file is read.
  struct ItemsAdded {
    uint64_t count = 0;
    document::Position first;  // of the first of them, in the file
  };
  // Reads a file that is a list item by item, with the faults of items to `found`. Returns the
  // items that were added; nothing if these were all.
  std::optional<ItemsAdded> read_items(const std::string& path, Diagnostics& found);
  // Adds the documents of a file, of the first without the items that were added before; `found`
  // are their faults.
  void add_documents(const document::Document& document, ItemsAdded added,
                     const Diagnostics& found);
  void clear();
  // The state before a file is read.
  struct Before {
    uint64_t errors = 0;
    size_t objects = 0;
    std::map<std::string, uint64_t> unread;
  };
  Before before() const;
  // Reports a file without objects, or without any that is read.
  void check_content(const std::string& path, const Before& before, bool documents);
  std::string only_unread(const std::map<std::string, uint64_t>& before) const;

  std::function<void(const Visited&)> visit_;
  Diagnostics* diagnostics_;  // never null
  Defaults defaults_;
  Workloads workloads_;
  Validation validation_;
  uint64_t numbered_ = 0;      // workloads with a generateName alone
  uint64_t expanded_ = 0;      // pods that the workloads so far ask for
  bool unread_files_ = false;  // are no fault
  bool keeps_workloads_ = false;
  bool repeats_keys_ = false;  // the documents at hand have a key twice somewhere
  Objects objects_;
  std::unique_ptr<Seen> seen_;
};

// Reads all files, in their order. See ObjectReader::read().
Objects read_objects(const std::vector<std::string>& paths, Diagnostics& diagnostics,
                     Defaults defaults = Defaults::kApiServer,
                     Workloads workloads = Workloads::kOwners,
                     Validation validation = Validation::kNone);

}  // namespace berth::ingest
