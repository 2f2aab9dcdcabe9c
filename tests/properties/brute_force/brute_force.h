#pragma once

// PodTopologySpread and InterPodAffinity without any optimisation: over plain objects, recounting
// everything for each question, in the same order as kube-scheduler v1.34.1 (podtopologyspread,
// interpodaffinity and framework/types.go). No code is shared with the plugins, so that the two can
// be compared.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/model/objects/objects.h"
#include "tests/properties/random_world.h"

namespace berth::tests::brute {

// The cluster. Pods on nodes that do not exist are not counted.
struct Objects {
  using Name = std::pair<std::string, std::string>;  // namespace, name

  std::map<std::string, model::Node> nodes;
  std::map<Name, model::Pod> placed;  // by spec.node_name
  std::map<Name, model::Pod> nominated;
  std::map<std::string, model::Namespace> namespaces;
  std::map<std::tuple<model::SelectorOwnerKind, std::string, std::string>, model::SelectorOwner>
      selector_owners;

  void put(const model::SelectorOwner& owner);
  void place(const model::Pod& pod, const std::string& node);
  void apply(const Step& step);  // ignores arriving pods
};

Objects objects_of(const World& world);

enum class Code : uint8_t { kSuccess, kSkip, kUnschedulable, kUnresolvable, kError };

struct Status {
  Code code = Code::kSuccess;
  std::string text;

  bool passes() const { return code == Code::kSuccess || code == Code::kSkip; }
};

// Scores of feasible nodes, by node name.
struct Scores {
  Status status;  // of PreScore; without success there are no scores
  std::map<std::string, int64_t> raw;
  std::map<std::string, int64_t> final;
};

// A node and the pods on it.
struct NodeInfo {
  const model::Node* node = nullptr;
  std::vector<const model::Pod*> pods;
};

std::vector<NodeInfo> node_infos(const Objects& objects);
// The nominated pods that count on the node while `pod` is tried there.
std::vector<const model::Pod*> nominated_on(const Objects& objects, const std::string& node,
                                            const model::Pod& pod);

const std::string* find(const model::StringMap& map, const std::string& key);

}  // namespace berth::tests::brute
