#pragma once

// The templates of kube-scheduler's benchmark: files of one Kubernetes object each, which Go's
// templates make different from one object to the next.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/document/document.h"
#include "engine/model/objects/objects.h"
#include "loadgen/scheduler_perf/go_template.h"

namespace berth::loadgen::scheduler_perf {

// The text of a file. Throws Error if it cannot be read.
using ReadFile = std::function<std::string(const std::string& path)>;

// A name as the template has it: one of its own, or the beginning of a generated one.
struct Naming {
  std::string text;
  bool generated = false;
};

struct PodSample {
  model::Pod pod;  // the name is not set
  Naming naming;
  bool has_finalizers = false;
  bool dies_at_once = false;         // terminationGracePeriodSeconds: 0
  std::vector<std::string> missing;  // what it needs and the engine does not have
};

struct NodeSample {
  model::Node node;  // the name is not set
  Naming naming;
};

struct SelectorOwnerSample {
  model::SelectorOwner set;  // the name is not set
  Naming naming;
};

// An object of a kind that scheduling looks at, or nothing for one that no scheduler does.
using AnySample =
    std::variant<std::monostate, NodeSample, PodSample, model::Namespace, SelectorOwnerSample>;

class ObjectTemplate {
 public:
  // Throws Error if the text is no template.
  ObjectTemplate(std::string text, std::string file);

  // Whether objects of one operation differ.
  bool varies() const { return varies_; }
  // And that in more than their names, and labels of nodes.
  bool varies_in_kind(const TemplateValues& values) const;

  // As upstream reads nodes, pods and namespaces: through Go's types, which take field names in any
  // case. Throw Error for what is malformed.
  NodeSample node(const TemplateValues& values) const;
  PodSample pod(const TemplateValues& values) const;
  model::Namespace namespace_object() const;  // not through a template; the name is not set

  // As upstream creates any object, and those of churn (`plain`: not through a template). Throws
  // UnknownKind if scheduling as it is here knows nothing of the object's kind.
  AnySample any(const TemplateValues& values, bool plain) const;

 private:
  document::Document render(const TemplateValues& values, bool plain, bool typed) const;

  std::string text_, file_;
  GoTemplate template_;
  bool varies_ = false;
};

// message() is what is missing.
class UnknownKind : public Error {
 public:
  using Error::Error;
};

// The node and the pod that upstream creates where no template is given.
NodeSample base_node(size_t op_index);
PodSample base_pod();

// "prefix-0000042", or the name of its own.
std::string numbered_name(const Naming& naming, uint64_t number);

}  // namespace berth::loadgen::scheduler_perf
