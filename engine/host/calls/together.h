#pragma once

// Calls of Filter and Score hooks that are asked together. Those of plugins in processes of their
// own (engine/isolation) are sent before the first answer is waited for, so that the processes work
// at the same time, and the engine beside them; calls of one process go to it as one message.
//
// Each call has the answer, the error and the text that it has when it is made by itself: a process
// makes its calls one after the other, in the order in which they were sent. If it ends in one of
// them, that call has failed, and those behind it have to be made again.
//
// A round: Hook::post() for each call; send(); and then take() of the hooks, in the same order. A
// call that is not taken was made nevertheless.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "berth/abi/hook.h"
#include "engine/base/assert.h"
#include "engine/base/points.h"

namespace berth::host {

class PluginCode;

// The calls of one round that go to one process. Its destructor waits for those that nobody took.
class ProcessCalls {
 public:
  virtual ~ProcessCalls() = default;

  // Lays out a call of Filter or Score, without a mask, and returns its number, from 0. Nothing: it
  // has to be made by itself. What `call` points to is needed until send().
  virtual std::optional<uint32_t> add(berth_plugin* plugin, Point point,
                                      const berth_call& call) = 0;
  virtual void send() = 0;
  // Waits until the process begins the call with this number. False: it has ended before.
  virtual bool begins(uint32_t number) = 0;
  // Waits for the answers, and is like the call of the table's function from there on.
  // Precondition: begins(number), for each number once.
  virtual berth_code take(uint32_t number, const berth_text_sink* error, void* answers) = 0;
};

class Together;

// Refers to a call of a round. As it is made: to none.
struct Posted {
  const Together* by = nullptr;
  uint64_t round = 0;
  uint32_t process = 0;  // in the round
  uint32_t number = 0;   // of ProcessCalls
  uint64_t count = 0;    // of positions
};

// Belongs to one thread.
class Together {
 public:
  // One round at a time.
  class Round {
   public:
    explicit Round(Together& together) : together_(together) {
      BERTH_ASSERT(together.processes_.empty());
      ++together.round_;
    }
    ~Round() {  // waits for calls that nobody took
      if (!together_.processes_.empty()) together_.drop();
    }
    Round(const Round&) = delete;
    Round& operator=(const Round&) = delete;
    void send() { together_.send(); }

   private:
    Together& together_;
  };

  Together() = default;
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  // True if the call was sent in this round and can be taken: else it has to be made by itself.
  // Nobody took it so far. `count`: the number of positions that are asked about now.
  [[nodiscard]] bool has(const Posted& posted, uint64_t count) {
    return posted.by == this && posted.round == round_ && posted.count == count && begins(posted);
  }

 private:
  friend class Hook;
  struct Process {
    const PluginCode* code;
    std::unique_ptr<ProcessCalls> calls;
  };

  void send();
  void drop();
  bool begins(const Posted& posted);
  Posted post(const PluginCode& code, berth_plugin* plugin, Point point, const berth_call& call);
  berth_code take(const Posted& posted, const berth_text_sink* error, void* answers) {
    BERTH_ASSERT(posted.round == round_ && posted.process < processes_.size());
    return processes_[posted.process].calls->take(posted.number, error, answers);
  }

  uint64_t round_ = 0;
  std::vector<Process> processes_;
};

}  // namespace berth::host
