#pragma once

// Plays the openb trace: all its nodes at time 0, then creations and deletions of pods at their
// recorded times.

#include <queue>
#include <string>
#include <vector>

#include "loadgen/import/openb_trace.h"
#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/write/template_numbers.h"

namespace berth::loadgen::openb {

// The settings of the imported workload; imports.md describes them.
struct LoadOptions {
  bool lifetimes = true;  // delete pods at the time that the trace records
  int64_t pods_per_node = 110;
};

// Takes ownership of the tables. `note` is the result of note(). The load depends on them alone;
// nothing is drawn.
class TraceLoad : public Load {
 public:
  TraceLoad(std::vector<TraceNode> nodes, TracePods pods, LoadOptions options, std::string note);

  bool next(LoadStep& step) override;
  std::string note() const override { return note_; }

 private:
  // A planned deletion, ordered by time, then by arrival.
  struct Deletion {
    int64_t at = 0;
    size_t pod = 0;  // index into pods_
    bool operator>(const Deletion& other) const {
      return at != other.at ? at > other.at : pod > other.pod;
    }
  };

  void add_nodes(LoadStep& step);
  void delete_pods(LoadStep& step, int64_t now);
  void add_pods(LoadStep& step);
  bool is_deleted(const TracePod& pod) const;

  std::vector<TraceNode> nodes_;
  TracePods pods_;
  LoadOptions options_;
  std::string note_;
  size_t next_node_ = 0, next_pod_ = 0;
  int64_t now_ = 0;  // time of the current step, in seconds
  TemplateNumbers template_numbers_;
  StepPods step_pods_;
  std::priority_queue<Deletion, std::vector<Deletion>, std::greater<>> deletions_;
};

}  // namespace berth::loadgen::openb
