#pragma once

// `kubectl drain` of nodes with the annotation "berth/drain", whose value has options. See
// controllers/drain/drain.h.
//
// The node is cordoned as long as the annotation is there. Other options stop the drain and begin
// another one. A drain that was stopped, or whose node is gone, evicts nobody any more; what it
// evicted terminates.

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/controllers/drain/drain.h"
#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/evictor.h"

namespace berth::played {

// A request to evict a pod, and who asks, for people.
using AnswerEviction = std::function<controllers::ApiStatus(const model::EvictionRequest& request,
                                                            std::string_view cause)>;
// A line that kubectl prints when it drains the node.
using DrainLine = std::function<void(std::string_view node, std::string_view line)>;

class Drains final : public Controller, private controllers::DrainCluster {
 public:
  // The evictor outlives it. `line` may be empty.
  Drains(runtime::Core& core, Evictor& evictor, AnswerEviction answer, DrainLine line)
      : Controller(core), evictor_(evictor), answer_(std::move(answer)), line_(std::move(line)) {}

  // True if the node, which is about to be put, is one that is to be drained from then on.
  bool begins(const model::Node& node);
  // Begins the drains of nodes that were put. Precondition: not within a call in which the core
  // tells of a change.
  void begin_due();
  // In the order in which they began. Of those that are over the pods' states are the last ones.
  const std::list<controllers::Drain>& all() const { return drains_; }

  std::optional<Time> next() const override;
  void run_due() override;
  void object_changed(model::Operation operation, const model::Object& object) override;
  void pod_ends(model::PodId pod) override;
  // Throws Error if the options are wrong.
  bool cordons(const model::Node& node) override;

 private:
  controllers::ApiStatus evict(const controllers::DrainPod& pod,
                               std::optional<int64_t> grace_seconds) override;
  void remove(const controllers::DrainPod& pod, std::optional<int64_t> grace_seconds) override;
  void say(const std::string& node, const std::string& line) override;

  // Nothing: the node is not to be drained. Throws Error if its options are wrong.
  std::optional<controllers::DrainOptions> read_options(const model::Node& node);
  // The same; nothing if they are wrong.
  std::optional<controllers::DrainOptions> options_of(const model::Node& node);
  void stop(const std::string& node);
  void begin(const std::string& node, controllers::DrainOptions options);
  // Calls `visit` with each drain that is under way, in the order in which they began.
  template <typename Visit>
  void each_under_way(Visit visit);
  std::vector<controllers::DrainPod> pods_of(const std::string& node,
                                             const model::LabelSelector& selector);

  Evictor& evictor_;
  const AnswerEviction answer_;
  const DrainLine line_;
  std::map<std::string, controllers::DrainOptions, std::less<>> due_;  // drains that begin, by node
  std::map<std::string, controllers::Drain*, std::less<>> latest_;     // of nodes, in drains_
  std::list<controllers::Drain> drains_;
  std::list<controllers::Drain>::iterator open_ = drains_.end();  // all before it are over
  std::string asking_;                                            // the node whose drain acts
};

}  // namespace berth::played
