#pragma once

// PodTopologySpread and InterPodAffinity as they would be with all the time in the world: over
// plain objects, counting everything anew for each question, in the order in which kube-scheduler
// v1.34.1 does (podtopologyspread, interpodaffinity and framework/types.go). Nothing here is taken
// from the plugins, so that the two can be held against each other.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/model/objects/objects.h"
#include "tests/properties/random_world.h"

namespace berth::tests::brute {

// What there is. Pods stand on nodes that need not exist; those count nowhere.
struct Objects {
  using Name = std::pair<std::string, std::string>;  // namespace, name

  std::map<std::string, model::Node> nodes;
  std::map<Name, model::Pod> placed;  // on spec.node_name
  std::map<Name, model::Pod> nominated;
  std::map<std::string, model::Namespace> namespaces;
  std::map<std::tuple<model::SelectorOwnerKind, std::string, std::string>, model::SelectorOwner>
      selector_owners;

  void put(const model::SelectorOwner& set);
  void place(const model::Pod& pod, const std::string& node);
  void apply(const Step& step);  // nothing if it is a pod that comes
};

Objects objects_of(const World& world);

enum class Code : uint8_t { kSuccess, kSkip, kUnschedulable, kUnresolvable, kError };

struct Status {
  Code code = Code::kSuccess;
  std::string text;

  bool passes() const { return code == Code::kSuccess || code == Code::kSkip; }
};

// By node name, of the nodes that are feasible.
struct Scores {
  Status status;  // of PreScore; if it does not succeed there are no scores
  std::map<std::string, int64_t> raw;
  std::map<std::string, int64_t> final;
};

// A node and what runs there.
struct NodeInfo {
  const model::Node* node = nullptr;
  std::vector<const model::Pod*> pods;
};

std::vector<NodeInfo> node_infos(const Objects& objects);
// The pods that count on the node when `pod` is tried there, though they are not there yet.
std::vector<const model::Pod*> nominated_on(const Objects& objects, const std::string& node,
                                            const model::Pod& pod);

const std::string* find(const model::StringMap& map, const std::string& key);

}  // namespace berth::tests::brute
