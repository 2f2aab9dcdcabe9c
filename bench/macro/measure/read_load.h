#pragma once

// A load as a run reads it: written as JSON lines, and read as `berth run` reads those. So pods are
// admitted, manifests of workloads become pods, and other objects are decoded. Each batch of the
// lines is a step.

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/ingest/watch/watch_stream.h"
#include "engine/ingest/workloads/creation.h"
#include "loadgen/play/load.h"
#include "loadgen/write/output.h"

namespace berth::bench {

// The lines of a load, of one step after the other.
class LoadLines final : public ByteSource {
 public:
  // `by_wall_clock`: a step happens when it begins. Else it does when its last pod is due, as lines
  // of a timed load say it.
  LoadLines(loadgen::Load& load, bool by_wall_clock);

  // Asks the load for its next step when the lines of the last one are read.
  size_t read(std::span<uint8_t> out) override;
  bool ready() override { return at_ < text_.bytes().size(); }
  const std::string& name() const override { return name_; }

  // The step of the lines that were read last.
  const loadgen::LoadStep& step() const { return step_; }
  // When its lines happen, and whether that is measured.
  void copy_times(loadgen::LoadStep& to) const;
  // When its pod of this name arrives; that of the step if a manifest makes the pod.
  loadgen::Nanoseconds planned(std::string_view namespace_name, std::string_view pod) const;
  // True once for each step.
  bool is_new() { return std::exchange(new_, false); }
  // Moves the drains of nodes out of a step whose lines are read. False: there are none.
  bool take_drains(loadgen::LoadStep& step);

 private:
  bool write_next();
  void keep_drains();
  loadgen::Nanoseconds time() const;

  loadgen::Load& load_;
  const bool by_wall_clock_;
  const std::string name_ = "load";
  MemorySink text_;
  size_t at_ = 0;
  std::unique_ptr<loadgen::LoadOutput> output_;
  loadgen::LoadStep step_;
  std::unordered_map<std::string, loadgen::Nanoseconds> planned_;  // by namespace/name
  loadgen::LoadStep drains_;  // of former steps; without anything else
  bool new_ = false;
};

// One thread.
class ReadLoad final : public loadgen::Load {
 public:
  // `workloads`: manifests of workloads are among the objects, for their controllers.
  // `by_wall_clock`: see LoadLines.
  ReadLoad(std::unique_ptr<loadgen::Load> load, bool workloads, bool by_wall_clock = false);

  // Throws Error for the first thing that is wrong in the lines, too.
  bool next(loadgen::LoadStep& step) override;
  std::string note() const override { return load_->note(); }

 private:
  bool read();
  void fill(loadgen::LoadStep& step);
  void plan(loadgen::LoadStep& step) const;

  std::unique_ptr<loadgen::Load> load_;
  LoadLines lines_;
  ingest::Creation creation_;
  Diagnostics diagnostics_;
  ingest::WatchStream stream_;
  ingest::Batch batch_;
  bool held_ = false;  // batch_ is still to be returned
};

}  // namespace berth::bench
