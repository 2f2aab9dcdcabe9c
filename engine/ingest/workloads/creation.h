#pragma once

// What happens to the objects of manifests before a scheduler sees them: controllers create pods.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {

// One thread at a time.
class Creation {
 public:
  using Nodes = std::function<std::vector<model::Node>()>;

  // `nodes`: those that exist when it is called; of them names, labels and taints are read.
  explicit Creation(Nodes nodes) : nodes_(std::move(nodes)) {}

  // Expands the workloads of an input.
  void create(Objects& objects);

  // From here on the nodes are those of now, as the calls below change them: for a reader on another
  // thread than the one that owns the model.
  void follow_nodes();
  void put_node(const model::Node& node);
  void remove_node(const std::string& name) { followed_.erase(name); }

 private:
  std::vector<model::Node> nodes() const;

  Nodes nodes_;
  bool follows_ = false;
  std::map<std::string, model::Node> followed_;
};

}  // namespace berth::ingest
