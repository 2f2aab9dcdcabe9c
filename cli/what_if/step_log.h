#pragma once

// Writes down what a what-if does to a run, and finds by which of it pods left their nodes.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/what_if/known_objects.h"
#include "cli/what_if/outcome.h"
#include "engine/ingest/stream/stream.h"
#include "engine/runtime/core.h"

namespace berth::cli {

// The core's thread.
class StepLog {
 public:
  // Objects as they are before what is noted. Both outlive the log.
  StepLog(const runtime::Core& core, const KnownObjects& objects)
      : core_(core), objects_(objects) {}

  // A step of a script begins.
  void note(const Step& step, const StepChanges& made);
  // The lines of a watch happen, or time passes before they do. Consecutive lines of one type and
  // kind are one step. Throws Error for a line that deletes a node or a pod that is not there, or
  // asks to evict such a pod; `file` is the name of the watch.
  void note(const ingest::Batch& batch, const std::string& file);

  // Counts the pods that left by the steps and reasons, in `answer.lost_otherwise` those that left
  // for none; and hands the steps to the answer.
  void attribute(const std::vector<PodLoss>& losses, WhatIf& answer);

  // Numbers of pods that steps ask for, by PodState::owner.
  const std::map<std::string, uint64_t>& replicas() const { return replicas_; }
  // Pods without a controller that lines delete, namespace/name.
  const std::set<std::string>& removed() const { return removed_; }
  // The controller that a workload's pods name now, for one that they named before its template
  // changed; `owner` itself, if that is so of none. Both as PodState::owner.
  std::string owner_now(const std::string& owner) const;

 private:
  using StepsOf = std::map<std::string, std::vector<size_t>>;

  // Lines of one type and kind.
  struct Lines {
    model::Operation operation = model::Operation::kAdded;
    std::string kind;
    uint32_t first = 0, last = 0;
    std::vector<std::string> names;
  };

  void note_line(const model::Change& change, uint32_t line, const std::string& file);
  void note_node(const model::Change& change, const model::Node& node, const Place& place);
  void note_pod(model::Operation operation, const model::TemplatePod& pod, const Place& place);
  template <typename Named>
  void check_pod(const Named& pod, const Place& place) const;
  void note_workload(const model::Change& change, const model::ControllerObject& object);
  void of_controller(const std::string& namespace_name, const model::Workload& workload);
  std::string lines_text() const;
  void begin_step(std::string text);
  StepOutcome& step() { return steps_.back(); }
  size_t number() const { return steps_.size() - 1; }
  const size_t* last_step(const StepsOf& steps, const std::string& name, Time before) const;
  const size_t* step_of(const PodLoss& loss) const;

  const runtime::Core& core_;
  const KnownObjects& objects_;
  std::vector<StepOutcome> steps_;
  StepsOf of_node_, of_owner_, of_pod_;       // steps, in their order
  std::map<std::string, uint64_t> replicas_;  // by owner
  std::set<std::string> removed_;
  std::set<std::string> added_;                   // pods of lines
  std::map<std::string, std::string> workloads_;  // by owner: the key in objects_
  Lines lines_;                                   // of the last step; no names: it takes no more
};

}  // namespace berth::cli
