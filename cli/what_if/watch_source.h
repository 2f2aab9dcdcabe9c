#pragma once

// The work of a run that goes on with the lines of a watch: that of its input, and when it stands
// still, the changes that the watch tells of. docs/what-if.md describes them.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/drive/work_source.h"
#include "engine/ingest/watch/watch_stream.h"
#include "engine/runtime/core.h"

namespace berth::cli {

// The lines that are to be played.
struct WatchedChanges {
  const std::string& file;  // for messages
  const std::string& text;
  ingest::Validation validation = ingest::Validation::kNone;  // of objects that are new
};

// The core's thread. All that is passed outlives the source.
class WatchSource final : public drive::WorkSource {
 public:
  // Told of each batch before it happens: of kind kEvents, with its lines, or kTime.
  using OnBatch = std::function<void(const ingest::Batch& batch)>;

  // `standstill`: when the input without the watch stands still. `creation`: that of the run, which
  // nobody else uses once the input has ended.
  WatchSource(std::unique_ptr<drive::WorkSource> input, const WatchedChanges& changes,
              Time standstill, ingest::Creation& creation, runtime::Core& core, OnBatch on_batch);

  // Throws Error with its line for an event that cannot be taken.
  bool next(drive::Work& work) override;
  bool ready() override { return watch_ || input_->ready(); }
  bool wait_until(std::chrono::steady_clock::time_point until) override {
    return watch_ || input_->wait_until(until);
  }
  bool finished() override { return input_->finished(); }
  bool holds_whole() const override { return input_->holds_whole(); }
  const Diagnostics& diagnostics() const override { return input_->diagnostics(); }
  // Of both, once the watch has ended.
  const ingest::Remarks& remarks() const override { return ended_ ? remarks_ : input_->remarks(); }
  uint64_t rejected_pods() const override { return input_->rejected_pods(); }
  const std::vector<ingest::RejectedPod>& rejected() const override { return input_->rejected(); }

 private:
  void begin();
  bool read();
  void happen();
  void end();

  std::unique_ptr<drive::WorkSource> input_;
  const std::string& file_;
  const std::string& text_;
  const ingest::Validation validation_;
  const Time standstill_;
  ingest::Creation& creation_;
  runtime::Core& core_;
  const OnBatch on_batch_;
  std::unique_ptr<ByteSource> bytes_;
  Diagnostics faults_;
  std::unique_ptr<ingest::WatchStream> watch_;  // null: the input goes on
  ingest::KnownTemplates templates_;            // of the watch, beside those of the input
  ingest::Batch batch_;
  std::vector<ingest::WholeObject> whole_;
  bool ended_ = false;
  ingest::Remarks remarks_;
};

// Throws Error with all events that no run could take: those that are malformed, and objects that
// cannot be read.
void check_watch(const std::string& file, const std::string& text);

}  // namespace berth::cli
