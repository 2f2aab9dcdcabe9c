#include "engine/drive/machine.h"

#include <utility>

namespace berth::drive {
namespace {

class AskingSource final : public WorkSource {
 public:
  AskingSource(std::unique_ptr<WorkSource> source, Machine& machine)
      : source_(std::move(source)), machine_(machine) {}

  bool next(Work& work) override { return source_->next(work); }
  bool ready() override {
    const bool measured = !machine_.past() && source_->ready();
    return machine_.ready(measured);
  }
  // Its caller asks ready() afterwards.
  bool wait_until(std::chrono::steady_clock::time_point until) override {
    return machine_.past() || source_->wait_until(until);
  }
  bool finished() override { return source_->finished(); }
  bool holds_whole() const override { return source_->holds_whole(); }
  const Diagnostics& diagnostics() const override { return source_->diagnostics(); }
  const ingest::Remarks& remarks() const override { return source_->remarks(); }
  uint64_t rejected_pods() const override { return source_->rejected_pods(); }
  const std::vector<ingest::RejectedPod>& rejected() const override { return source_->rejected(); }

 private:
  std::unique_ptr<WorkSource> source_;
  Machine& machine_;
};

}  // namespace

std::unique_ptr<WorkSource> asking(std::unique_ptr<WorkSource> source, Machine& machine) {
  return std::make_unique<AskingSource>(std::move(source), machine);
}

}  // namespace berth::drive
