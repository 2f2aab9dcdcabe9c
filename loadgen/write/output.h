#pragma once

// Destinations for the steps of a load: a stream of frames, watch events, or a List as kubectl
// prints it.

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/base/io/io.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// Objects written so far.
struct OutputCounts {
  uint64_t nodes = 0, namespaces = 0, selector_owners = 0, storage = 0, placed = 0;
  uint64_t pods = 0, events = 0;
  uint64_t drained = 0;  // drained nodes, where the output cannot express their evictions
};

// A LoadOutput is used by one thread: note(), then write() and pass() once per step in order, then
// end().
class LoadOutput {
 public:
  virtual ~LoadOutput() = default;

  // Records where the load comes from. Call it before anything else.
  virtual void note(std::string_view text) = 0;
  // Writes a whole step. When it returns, a reader at the other end can see all of it. Throws Error
  // if writing fails.
  virtual void write(const LoadStep& step) = 0;
  // Skips a step but keeps what later steps refer to, such as templates.
  virtual void pass(const LoadStep& step) = 0;
  // Completes the output. No further call is allowed.
  virtual void end() = 0;

  const OutputCounts& counts() const { return counts_; }

 protected:
  OutputCounts counts_;
};

// Frames as `berth run --pods` reads them. `sink` must outlive the output; this holds for all
// three.
std::unique_ptr<LoadOutput> frame_output(ByteSink& sink);
// Watch events, one JSON object per line, with a bookmark after each step.
std::unique_ptr<LoadOutput> watch_output(ByteSink& sink);
// A v1 List. write() throws Error for steps with events, which a List cannot express, unless they
// are objects of storage that come with pods.
std::unique_ptr<LoadOutput> list_output(ByteSink& sink);

}  // namespace berth::loadgen
