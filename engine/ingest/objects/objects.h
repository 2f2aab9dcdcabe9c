#pragma once

// Kubernetes objects, as kubectl prints them or as people write them, to the plain values of
// engine/model/objects.h.
//
// Read: Node, Pod, Namespace, and those that select pods: Service, ReplicationController, and of
// the group apps ReplicaSet and StatefulSet; and PodDisruptionBudget of the group policy.
//
// Accepted: JSON and YAML, one object, several documents, lists (List, NodeList, PodList, ...).
// Fields of the API that nothing reads are ignored, as the API has many. Fields of a Pod or Node
// that the API does not have are ignored too, and named in the remarks. An object with a field of
// the wrong type, an impossible quantity and the like is reported with file, line, column and field
// path, and left out; everything beside it stays.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/remarks.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Whether to do what an API server would have done before a scheduler saw the object. Changes
// nothing in objects that come from an API server, and makes manifests mean what they mean to
// kubectl.
enum class Defaults : uint8_t {
  kNone,       // take objects as they are
  kApiServer,  // fill in namespaces, requests from limits, host ports of the host network,
               // allocatable from capacity, a namespace's label with its name, names from
               // generateName, amounts in thousandths, label keys of pod affinity in its selectors,
               // a ReplicationController's selector from the labels of its pods (not the
               // scheduler's name: that is up to the engine); and refuse pods for their topology
               // spread or pod affinity as it does
};

// One object. Nothing if it cannot be used; then at least one error was reported. Its kind and
// apiVersion are not looked at. Of an object that has but a generateName that is the name.
std::optional<model::Node> decode_node(document::Value value, Diagnostics& diagnostics,
                                       Defaults defaults = Defaults::kApiServer);
std::optional<model::Pod> decode_pod(document::Value value, Diagnostics& diagnostics,
                                     Defaults defaults = Defaults::kApiServer);
std::optional<model::Namespace> decode_namespace(document::Value value, Diagnostics& diagnostics,
                                                 Defaults defaults = Defaults::kApiServer);
std::optional<model::SelectorOwner> decode_selector_owner(document::Value value,
                                                          model::SelectorOwnerKind kind,
                                                          Diagnostics& diagnostics,
                                                          Defaults defaults = Defaults::kApiServer);
std::optional<model::DisruptionBudget> decode_disruption_budget(
    document::Value value, Diagnostics& diagnostics, Defaults defaults = Defaults::kApiServer);

inline constexpr std::string_view kDisruptionBudget = "PodDisruptionBudget";
// True if this kind and apiVersion mean a PodDisruptionBudget of the group policy.
bool is_disruption_budget(std::string_view kind, std::string_view api_version);

// Which kind of object that selects pods is meant by an object's kind and apiVersion. Nothing if
// it is no such kind, or one of that name in another API group. An object that does not say its
// apiVersion is of the group that is expected.
std::optional<model::SelectorOwnerKind> selector_owner_kind(std::string_view kind,
                                                            std::string_view api_version);
std::string_view selector_owner_kind_name(
    model::SelectorOwnerKind kind);  // as Kubernetes has it: "ReplicaSet"

// What was read so far, from any number of files. Each vector keeps the order of the input.
struct Objects {
  std::vector<model::Node> nodes;
  std::vector<model::Pod> pods;
  std::vector<model::Namespace> namespaces;
  std::vector<model::SelectorOwner> selector_owners;
  std::vector<model::DisruptionBudget> disruption_budgets;

  // How many objects of each kind were skipped because nothing reads that kind. A kind of the name
  // of one that is read has its API group behind it (Node.example.com).
  std::map<std::string, uint64_t> unread_kinds;

  // How many objects were left out, each with an error.
  uint64_t rejected = 0;

  Remarks remarks;

  // The line of its file that each object begins in, one per object; of no use once objects were
  // put in or taken out.
  struct Lines {
    std::vector<uint32_t> nodes, pods, namespaces, selector_owners, disruption_budgets;
  };
  Lines lines;

  size_t size() const {
    return nodes.size() + pods.size() + namespaces.size() + selector_owners.size() +
           disruption_budgets.size();
  }
};

// Reads objects of one cluster, file by file. Of objects of one kind and name (and namespace, if
// they lie in one) the first stays and each further one is reported with both places. Objects that
// have but a generateName are numbered.
class ObjectReader {
 public:
  explicit ObjectReader(Diagnostics& diagnostics, Defaults defaults = Defaults::kApiServer);
  ~ObjectReader();

  // A file, or standard input if the path is "-". Reports a file without an object, and one whose
  // objects are all of kinds that are not read. Throws Error if it cannot be read.
  void read(const std::string& path);
  // The same for the text of a file.
  void read_text(std::string_view text, const std::string& path);

  // An object, a list, or an array of either.
  void add(document::Value value);

  const Objects& objects() const { return objects_; }
  Objects take();  // the objects; the reader is then empty

 private:
  struct Seen;
  struct Type {
    std::string_view kind;
    std::string_view api_version;  // empty: not said
  };
  // `assumed` is the type of an item that does not say its own.
  void add(document::Value value, const Type& assumed);
  void add_object(document::Value value, const Type& type);
  template <typename Object>
  void keep(document::Value value, std::optional<Object> object, std::vector<Object>& list,
            std::vector<uint32_t>& lines);
  void reject(document::Value value, std::string message);
  template <typename Parse>
  void read_document(const std::string& path, Parse parse);
  std::string only_unread(const std::map<std::string, uint64_t>& before) const;

  Diagnostics& diagnostics_;
  Defaults defaults_;
  Objects objects_;
  std::unique_ptr<Seen> seen_;
};

// All objects of some files, in their order.
Objects read_objects(const std::vector<std::string>& paths, Diagnostics& diagnostics,
                     Defaults defaults = Defaults::kApiServer);

}  // namespace berth::ingest
