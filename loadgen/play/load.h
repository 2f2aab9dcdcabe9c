#pragma once

// The interface between producers of a load (workload files, importers) and its consumers (streams,
// schedulers). A load is a cluster and everything that happens to it, as a sequence of steps in the
// order of planned times.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ingest/stream/stream.h"

namespace berth::loadgen {

using Nanoseconds = std::chrono::nanoseconds;

// A step of a load that is made from somebody's objects has so many of one kind at most.
inline constexpr size_t kMostPerStep = 4096;

// Everything that happens at one planned time. It takes effect in this order: templates are
// defined, cluster objects are added, events are applied, nodes are drained, pods arrive.
//
// When a step is due: after all earlier pods have been tried. If the consumer paces the load by the
// clock, a step that names none of those pods is due at its planned time.
struct LoadStep {
  Nanoseconds at{0};  // planned time since the load began; never decreases
  // True if this step is part of the measurement. The decisions for its pods count, and wall-clock
  // time counts from here to the next step with `measured` false. A step without pods has the value
  // of the steps around it.
  bool measured = false;
  // False (open loop): pods arrive at their planned times, even if the scheduler is behind. True
  // (closed loop): they arrive as soon as all earlier pods have been tried; `at` is ignored.
  bool closed_loop = false;
  // True if a stream tells when the step is due: a run's clock follows.
  bool timed = false;
  // True if the load waits for earlier pods: before this step is due, planned time stands still
  // until they run or nothing is left to wait for (backoff, terminating pods, timers). A stream
  // cannot express it; only a scheduler knows which pods run.
  bool awaits_pods = false;

  // Ids of templates that no pod is of any more; before `templates` are defined. A producer that
  // retires none has dense ids.
  std::vector<uint32_t> retired_templates;
  // New templates. Ids are dense from 0 in order of first use; each is defined in the first step
  // that uses it.
  std::vector<ingest::TemplateDefinition> templates;
  std::vector<ingest::Change> cluster;  // all added
  std::vector<ingest::Change> events;
  // Nodes whose pods are evicted. Evicted pods with a controller arrive again under the same names
  // and are scheduled anew. The consumer has to find these pods, because only the scheduler knows
  // where pods are.
  std::vector<std::string> drained;
  ingest::PodBatch pods;             // its views point into `texts`
  std::vector<Nanoseconds> planned;  // arrival time of each pod; ascending, none before `at`
  // The texts of this step's pods. Growing it invalidates views; StepPods adjusts them.
  std::vector<char> texts;

  // True if there are neither events, drains nor pods. The steps before the first other step
  // describe the cluster in which the load begins.
  bool is_scene() const;
  // Empties all members and keeps their memory.
  void clear();
};

// One thread. The steps depend only on the workload, its settings and the seed, not on the machine.
class Load {
 public:
  virtual ~Load() = default;
  // Clears `step` and fills it with the next step; false at the end of the load. Throws Error.
  virtual bool next(LoadStep& step) = 0;
  // One line with the seed and all options, both drawn and set. Complete after the first next().
  virtual std::string note() const = 0;
};

}  // namespace berth::loadgen
