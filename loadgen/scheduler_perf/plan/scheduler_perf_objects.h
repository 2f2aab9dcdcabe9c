#pragma once

// Object templates of kube-scheduler's benchmark: files with one Kubernetes object, in which Go
// template actions vary the object.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/document/document.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"
#include "loadgen/scheduler_perf/read/go_template.h"

namespace berth::loadgen::scheduler_perf {

// Returns the text of a file. Throws Error if it cannot be read.
using ReadFile = std::function<std::string(const std::string& path)>;

// The name in a template: a fixed name, or the prefix of generated names (generateName).
struct Naming {
  std::string text;
  bool generated = false;  // `text` is a prefix
};

struct PodSample {
  model::Pod pod;  // the name is not set
  Naming naming;
  bool has_finalizers = false;
  bool dies_at_once = false;         // terminationGracePeriodSeconds: 0
  std::vector<std::string> missing;  // features it needs that the engine lacks
};

struct NodeSample {
  model::Node node;  // the name is not set
  Naming naming;
};

struct SelectorOwnerSample {
  model::SelectorOwner owner;  // the name is not set
  Naming naming;
};

// As an API server creates it: without a status, so it allows no disruption. Upstream has no
// controller that would write one.
struct DisruptionBudgetSample {
  model::DisruptionBudget budget;  // the name is not set
  Naming naming;
};

// As an API server creates it: without a status.
struct StorageSample {
  model::VolumeObject object;  // name and namespace are not set
  Naming naming;
};

// An object that scheduling reads. std::monostate stands for an object of a kind that no scheduler
// reads.
using AnySample = std::variant<std::monostate, NodeSample, PodSample, model::Namespace,
                               SelectorOwnerSample, DisruptionBudgetSample, StorageSample>;

class ObjectTemplate {
 public:
  // Throws Error if the text is not a valid template.
  ObjectTemplate(std::string text, std::string file);

  // True if the template uses .Index, so that the objects of one operation can differ.
  bool varies() const { return varies_; }
  // True if the objects differ in more than names and node labels.
  bool varies_in_kind(const TemplateValues& values) const;

  // Create an object the way upstream creates nodes, pods and namespaces: decoded into Go's types,
  // which ignore the case of field names. Throw Error if it is malformed.
  NodeSample node(const TemplateValues& values) const;
  PodSample pod(const TemplateValues& values) const;
  model::Namespace namespace_object() const;  // not rendered as a template; the name is empty
  // The same for the volumes and claims of createPods.
  model::PersistentVolume volume() const;
  model::PersistentVolumeClaim claim() const;

  // Creates an object of any kind, the way createAny and churn do. `plain`: the text is not
  // rendered as a template, as in churn. Throws UnknownKind if the engine does not know the
  // object's kind.
  AnySample any(const TemplateValues& values, bool plain) const;

 private:
  model::VolumeObject storage(std::string_view kind) const;
  document::Document render(const TemplateValues& values, bool plain, bool typed) const;

  std::string text_, file_;
  GoTemplate template_;
  bool varies_ = false;
};

// message() names the unknown kind.
class UnknownKind : public Error {
 public:
  using Error::Error;
};

// The objects that upstream creates if an operation gives no template.
NodeSample base_node(size_t op_index);
PodSample base_pod();

// "PREFIX0000042" for a generated name, otherwise the fixed name.
std::string numbered_name(const Naming& naming, uint64_t number);

}  // namespace berth::loadgen::scheduler_perf
