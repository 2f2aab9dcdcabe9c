#pragma once

// The pods and Jobs that arrive.

#include <cstdint>
#include <string>

#include "loadgen/generate/arrivals/arrival_queue.h"
#include "loadgen/generate/arrivals/job_pods.h"
#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/pod_tasks.h"
#include "loadgen/generate/pods/lifetimes.h"
#include "loadgen/generate/pods/pod_usages.h"
#include "loadgen/generate/pods/pod_writer.h"
#include "loadgen/generate/tick_clock.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// One thread.
class Arrivals {
 public:
  // The parts that arrivals use. All must outlive the arrivals.
  struct Uses {
    const GeneratedCluster& cluster;
    TickClock& clock;
    PodWriter& writer;
    Lifetimes& lifetimes;
    PodUsages& usages;
    JobPods& jobs;
    PodTasks& tasks;
  };

  // Throws Error if a file of times cannot be read.
  explicit Arrivals(const Uses& uses);

  // The time of the next arrival; kNever if nothing arrives any more.
  int64_t next() const { return queue_.next().at; }
  // True if nothing is left of the arrivals that end without a duration.
  bool over() const { return queue_.over(); }
  // True if the next arrival is measured, or if there is none.
  bool measured() const;

  // Adds what arrives in the current tick to the step of the writer, until the step is full, a task
  // is left, or the next arrival does not go with the pods before it. Throws Error as
  // TimesFile::next does.
  void run(LoadStep& step);

 private:
  void run_closed_loop(uint32_t arrival, LoadStep& step);
  void arrive(uint32_t arrival, LoadStep& step);
  void add_single(uint32_t arrival);
  void begin_job(uint32_t arrival);

  Uses uses_;
  ArrivalQueue queue_;
  uint64_t singles_ = 0;  // pods without a Job so far
  std::string name_;      // scratch space
};

}  // namespace berth::loadgen
