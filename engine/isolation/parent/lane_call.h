#pragma once

// The engine's end of a lane: takes a lane of a process, lays out requests in it, and passes the
// turn until the calls have ended.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/isolation/channel/calls.h"
#include "engine/isolation/channel/message.h"
#include "engine/isolation/parent/failure.h"
#include "engine/isolation/parent/process.h"

namespace berth::isolation {

// Answers the questions of a call.
class Answers {
 public:
  virtual ~Answers() = default;
  // `answer` is empty. Throws BadMessage for a question that no plugin asks, and ProcessFailure.
  virtual void answer(Ask kind, Reader& question, Writer& answer) = 0;
};

// Has one lane as long as it exists. One thread.
class LaneCall {
 public:
  // `now`: the run's clock, if it is known.
  LaneCall(std::shared_ptr<Process> process, std::chrono::milliseconds deadline,
           std::optional<int64_t> now = {})
      : process_(std::move(process)),
        deadline_(deadline),
        now_(now),
        number_(process_->take_lane()) {}
  ~LaneCall() {
    if (now_ && process_->dead()) process_->note_end(*now_);
    process_->give_lane_back(number_);
  }
  LaneCall(const LaneCall&) = delete;
  LaneCall& operator=(const LaneCall&) = delete;

  Process& process() const { return *process_; }

  // Begins a call: what was laid out is gone. run() makes it.
  Request& begin(uint64_t instance, uint32_t point);
  // Lays out a request for add(). Precondition: no call was begun with begin().
  Request& make_request(uint64_t instance, uint32_t point);
  // The call is made after those that were added before; kMostTogether at most.
  void add(Call kind, Request& request);
  size_t added() const { return added_; }

  // Memory of the lane, aligned to 64 bytes, with 64 more readable bytes behind it. What is in it
  // is unspecified. Throws ProcessFailure if the lane is full.
  template <typename T>
  T* make(size_t count) {
    return reinterpret_cast<T*>(take(count * sizeof(T)));
  }
  template <typename T>
  T* copy(const T* from, size_t count) {
    T* made = make<T>(count);
    if (count != 0) std::memcpy(made, from, count * sizeof(T));
    return made;
  }
  // The address in the process of memory of the lane.
  template <typename T>
  T* there(T* here) const {
    const auto offset = reinterpret_cast<uint64_t>(here) - reinterpret_cast<uint64_t>(base());
    return reinterpret_cast<T*>(process_->lane_there(number_) + offset);
  }
  uint64_t address(const void* here) const { return reinterpret_cast<uint64_t>(there(here)); }
  // Bytes in use. cut() gives back the bytes that were taken after that.
  size_t used() const { return used_; }
  void cut(size_t used) { used_ = used; }

  // Posts the calls that were added.
  void send();
  // Waits for the end of the first of them that has not ended, and returns what came with it: a
  // copy, valid until the next wait. Throws ProcessFailure, and what `answers` throws; in both
  // cases the process is dead, and nothing else may be waited for.
  Reader await_end(Answers& answers);
  // Makes the call that was begun: all of the above.
  Reader run(Call kind, Answers& answers) {
    add(kind, *begun_);
    send();
    return await_end(answers);
  }

 private:
  std::byte* base() const { return process_->lane(number_); }
  LaneWords& words() const { return *reinterpret_cast<LaneWords*>(base()); }
  std::byte* take(size_t bytes);
  void post_down(const void* at, size_t size);
  void await_message(std::chrono::steady_clock::time_point begin);
  void check_time(std::chrono::steady_clock::time_point begin);
  Ask take_message();
  void give_answer(Answers& answers, Ask kind);

  const std::shared_ptr<Process> process_;
  const std::chrono::milliseconds deadline_;
  const std::optional<int64_t> now_;
  const size_t number_;
  size_t used_ = kDownPlace;
  Request* begun_ = nullptr;
  Request* first_ = nullptr;  // of those that were added
  Request* last_ = nullptr;
  size_t added_ = 0, ended_ = 0;
  std::vector<std::byte> message_;
  Writer answer_;
};

// A function of the result `read`: a process whose message is too short has sent garbage.
template <typename Read>
auto parsed(LaneCall& lane, Read&& read) {
  try {
    return read();
  } catch (const BadMessage& bad) {
    lane.process().fail_call(std::string("was ended, because it sent garbage: ") + bad.what());
  }
}

}  // namespace berth::isolation
