#pragma once

// The answers of the wall clock of a recorded run, in the order in which the run asked.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/drive/machine.h"

namespace berth::cli {

// Collects the answers of one frame.
class AnswerPacker {
 public:
  void time(Time answer) { times_.push_back(answer.count()); }
  void ready(bool answer) { readies_.push_back(answer ? 1 : 0); }
  void date(int64_t answer) { dates_.push_back(answer); }
  bool empty() const { return times_.empty() && readies_.empty() && dates_.empty(); }
  size_t size() const { return times_.size() + readies_.size(); }
  // The payload. Empties the packer.
  std::vector<uint8_t> take();

 private:
  std::vector<int64_t> times_, dates_;
  std::vector<uint8_t> readies_;
};

// Gives them again.
class MachineAnswers final : public drive::Machine {
 public:
  // Appends those of a frame. Throws Error if it is malformed.
  void add(std::span<const uint8_t> payload);
  // From the first answer again.
  void rewind() { time_ = ready_ = 0; }
  // There are no more: the recorded run was asked no further.
  bool over() const { return time_ >= times_.size(); }

  Time time(Time measured) override;
  bool ready(bool measured) override;
  int64_t date(int64_t measured) override;
  bool past() const override { return true; }

 private:
  std::vector<int64_t> times_, dates_;
  std::vector<uint8_t> readies_;
  size_t time_ = 0, ready_ = 0;
};

}  // namespace berth::cli
