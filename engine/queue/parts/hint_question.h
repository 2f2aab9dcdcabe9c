#pragma once

#include <cstdint>
#include <vector>

#include "engine/queue/parts/interests.h"
#include "engine/queue/queue_hooks.h"

namespace berth::queue {

// One question to a refuser: which of these pods does the event help? Keeps its memory. One thread.
class HintQuestion {
 public:
  explicit HintQuestion(QueueHooks& hooks) : hooks_(hooks) {}  // they outlive it

  void begin() {
    subjects_.clear();
    pods_.clear();
  }
  // `subject`: what the caller knows the pod by.
  void add(uint32_t subject, model::PodId pod) {
    subjects_.push_back(subject);
    pods_.push_back(pod);
  }
  // Calls helped(subject) for each pod that the event helps, in their order.
  template <typename Helped>
  void ask(const QueueEvent& event, const Interests::Asked& asked, Helped&& helped) {
    answers_.assign(pods_.size(), asked.hinted ? 0 : 1);
    if (asked.hinted && !pods_.empty()) hooks_.hint(event, asked.refuser, pods_, answers_);
    for (size_t i = 0; i < answers_.size(); ++i)
      if (answers_[i] != 0) helped(subjects_[i]);
  }

 private:
  QueueHooks& hooks_;
  std::vector<uint32_t> subjects_;
  std::vector<model::PodId> pods_;  // parallel to subjects_
  std::vector<uint8_t> answers_;    // parallel to subjects_
};

}  // namespace berth::queue
