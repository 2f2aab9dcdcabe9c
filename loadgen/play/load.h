#pragma once

// A load: a cluster and all that happens to it, step by step in the order of planned times. Whoever
// makes one (a workload file, an importer) and whoever plays one (into a stream, into a scheduler)
// meet here.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ingest/stream/stream.h"

namespace berth::loadgen {

using Nanoseconds = std::chrono::nanoseconds;

// What happens at one time, in this order: templates become known, the cluster gets parts, events
// take effect, nodes are drained, pods arrive. It does so when all pods before it have been tried,
// or, where planned times count and it names none of those pods, when it is due.
struct LoadStep {
  Nanoseconds at{0};  // planned, since the load began; never before the step before
  // What is measured: decisions for the pods of this step, and on the wall clock the time from here
  // to the next step of which that is not said. A step without pods goes with those around it.
  bool measured = false;
  // Open loop: the pods arrive when they are planned to, however far the scheduler has come.
  // Closed: they arrive as soon as all pods before them have been tried, and `at` means nothing.
  bool closed_loop = false;

  // Ids are dense from 0 in order of first use; each is defined in the first step that needs it.
  std::vector<ingest::TemplateDefinition> templates;
  ingest::ClusterPart cluster;
  std::vector<ingest::Event> events;
  // Nodes whose pods are evicted: those with a controller come again under their names, to be
  // scheduled anew. Only who schedules knows which pods they are.
  std::vector<std::string> drained;
  ingest::PodBatch pods;             // views point into `texts`
  std::vector<Nanoseconds> planned;  // of each pod, ascending, the first not before `at`
  std::vector<char> texts;

  // Nothing happens and nobody arrives: a part of what is there when the load begins, or nothing.
  bool is_scene() const;
  // Empties all, keeping the memory.
  void clear();
};

class Load {
 public:
  virtual ~Load() = default;
  // The next step into `step`, which is cleared first; false: the load is over. The same steps for
  // the same workload, settings and seed, on any machine. Throws Error.
  virtual bool next(LoadStep& step) = 0;
  // The seed and every option that was drawn or set, on one line; complete when next() has returned
  // its first step.
  virtual std::string note() const = 0;
};

}  // namespace berth::loadgen
