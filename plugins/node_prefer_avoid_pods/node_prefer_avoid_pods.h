#pragma once

// Ranks nodes last whose annotation asks to avoid the pods of certain controllers. A former plugin
// of kube-scheduler; taints replace it.
//
// PreScore parses each distinct annotation text once, and is called again only if an annotation
// changed. Score looks up the result. An id is another text's once no node has the first one, so
// results keep their texts, and those of texts that no node has are dropped.

#include <string>
#include <unordered_map>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_prefer_avoid_pods/avoided.h"

namespace berth::plugins {

// Keyed by the string id of the annotation. Written by PreScore before scores are asked for, on the
// thread of all hooks except `score`.
struct Avoided {
  std::string text;
  std::vector<Controller> controllers;
};
using AvoidedByText = std::unordered_map<uint32_t, Avoided>;

inline constexpr std::string_view kAvoidedColumn =
    "node.annotation:scheduler.alpha.kubernetes.io/preferAvoidPods";

// Fills the table with the annotations of all nodes of the call.
class AvoidPreScore final : public sdk::PreScore<> {
 public:
  explicit AvoidPreScore(AvoidedByText& known) : known_(known) {}

  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void pre_score(const Call& call, const berth_feasible*, sdk::PreScoreResult&) const override;

 private:
  AvoidedByText& known_;
  sdk::Strings strings_;
  sdk::Input<uint32_t> annotations_{*this, kAvoidedColumn};
};

// The owner of the template's pod.
struct Owner {
  bool counts = false;  // the owner is of a kind that annotations can list
  Controller controller;
};

// The raw score is 0 for a node that asks to avoid the pod's controller and 100 for all others.
class AvoidScore final : public sdk::Score<Owner> {
 public:
  explicit AvoidScore(const AvoidedByText& known) : Score(BERTH_NORMALISE_NONE), known_(known) {}

  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, Owner& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  // True if the annotation with that string id lists the controller.
  bool avoids(uint32_t annotation, const Controller& controller) const;

  const AvoidedByText& known_;
  sdk::Strings strings_;
  sdk::Input<uint32_t> kind_{*this, "pod.controller_kind"};
  sdk::Input<uint32_t> uid_{*this, "pod.controller_uid"};
  sdk::Input<uint32_t> annotations_{*this, kAvoidedColumn};
};

class NodePreferAvoidPods final : public sdk::Plugin {
 public:
  NodePreferAvoidPods() { add(pre_score_, score_); }

 private:
  AvoidedByText known_;
  AvoidPreScore pre_score_{known_};
  AvoidScore score_{known_};
};

}  // namespace berth::plugins
