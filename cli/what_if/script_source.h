#pragma once

// The work of a run with a script: that of its input, and the steps at their times.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cli/what_if/known_objects.h"
#include "cli/what_if/script.h"
#include "engine/drive/work_source.h"
#include "engine/runtime/core.h"

namespace berth::cli {

// The core's thread. All that is passed outlives the source.
class ScriptSource final : public drive::WorkSource {
 public:
  // Told of each step before its changes happen.
  using OnStep = std::function<void(size_t step, const StepChanges& changes)>;

  // `standstill`: when the input without the script stands still.
  ScriptSource(std::unique_ptr<drive::WorkSource> input, const Script& script, Time standstill,
               const KnownObjects& objects, runtime::Core& core, OnStep on_step);

  // Throws Error with its place in the script for a step that cannot be made.
  bool next(drive::Work& work) override;
  bool ready() override { return held_ || input_ended_ || input_->ready(); }
  bool wait_until(std::chrono::steady_clock::time_point until) override {
    return held_ || input_ended_ || input_->wait_until(until);
  }
  bool finished() override { return input_->finished(); }
  bool holds_whole() const override { return input_->holds_whole(); }
  const Diagnostics& diagnostics() const override { return input_->diagnostics(); }
  const ingest::Remarks& remarks() const override { return input_->remarks(); }
  uint64_t rejected_pods() const override { return input_->rejected_pods(); }
  const std::vector<ingest::RejectedPod>& rejected() const override { return input_->rejected(); }

 private:
  bool has_step() const { return next_ < script_.steps.size(); }
  std::optional<Time> due() const;
  bool step_is_next() const;
  void give(Time due, drive::Work& work);

  std::unique_ptr<drive::WorkSource> input_;
  const Script& script_;
  const Time standstill_;
  const KnownObjects& objects_;
  runtime::Core& core_;
  const OnStep on_step_;
  std::optional<drive::Work> held_;  // of the input, and not given yet
  bool input_ended_ = false;
  size_t next_ = 0;           // step
  std::optional<Time> last_;  // when the step before it was to begin
  ingest::Batch batch_;
};

}  // namespace berth::cli
