#pragma once

// Where the steps of a load go: a stream of frames, or JSON as kubectl prints it.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// What was written so far.
struct OutputCounts {
  uint64_t nodes = 0, namespaces = 0, selector_owners = 0, placed = 0;
  uint64_t pods = 0, events = 0;
  uint64_t drained = 0;  // nodes whose evictions the output could not carry
};

class LoadOutput {
 public:
  virtual ~LoadOutput() = default;

  // Says where the load comes from, before anything else.
  virtual void note(std::string_view text) = 0;
  // All of a step, visible to whoever reads the other end when it returns. Throws Error if it
  // cannot be written.
  virtual void write(const LoadStep& step) = 0;
  // The cluster of a step alone.
  virtual void write_cluster(const LoadStep& step) = 0;
  // What is needed later of a step that is passed over.
  virtual void pass(const LoadStep& step) = 0;
  // Nothing may follow.
  virtual void end() = 0;

  const OutputCounts& counts() const { return counts_; }

 protected:
  void count_cluster(const ingest::ClusterPart& part);

  OutputCounts counts_;
};

// The sink is kept by the caller.
std::unique_ptr<LoadOutput> frame_output(ByteSink& sink);
// The events of a watch, a line each; a bookmark behind each step.
std::unique_ptr<LoadOutput> watch_output(ByteSink& sink);
// A List as kubectl prints it. Throws Error for steps with events, which a list cannot tell.
std::unique_ptr<LoadOutput> list_output(ByteSink& sink);

}  // namespace berth::loadgen
