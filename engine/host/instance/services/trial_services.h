#pragma once

// The services of a PostFilter: what-ifs of single rows, and threads (berth/abi/overlay.h).

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "berth/abi/overlay.h"

namespace berth::host {

// One what-if, from TrialServices::begin to `end`. One thread.
class WhatIf {
 public:
  virtual ~WhatIf() = default;
  virtual const berth_call* pods() = 0;
  virtual void remove_pod(uint64_t position) = 0;
  virtual void add_pod(uint64_t position) = 0;
  virtual void reset() = 0;
  [[nodiscard]] virtual berth_code filter() = 0;
  virtual void reasons(const berth_text_sink& sink) = 0;
  virtual void end() = 0;
};

// Serves the PostFilter call that is going on.
class TrialServices {
 public:
  virtual ~TrialServices() = default;
  // Null: there is no such row. On the calling thread, or one that for_each runs on.
  virtual WhatIf* begin(uint32_t row) = 0;
  // See berth_what_if_kept. False: results of what-ifs cannot be kept. On the thread of the
  // PostFilter call.
  [[nodiscard]] virtual bool kept(berth_what_if_kept& out) = 0;
  // Runs body(context, i) for each i below count. Call it on the thread of the PostFilter call.
  virtual void for_each(uint64_t count, void* context, void (*body)(void* context, uint64_t i)) = 0;
  // See berth_preempt_extenders_service.
  using Choice = berth_preempt_choice;
  [[nodiscard]] virtual berth_code ask_extenders(std::span<const Choice> choices,
                                                 const std::function<void(const Choice&)>& take,
                                                 std::string& error) = 0;
  [[nodiscard]] virtual bool extenders_preempt() = 0;
};

// Whoever calls a PostFilter sets `now` for the time of the call. Other threads read it only within
// that time.
struct Trials {
  TrialServices* now = nullptr;
};

const berth_what_if_service& what_if_service();
const berth_parallel_service& parallel_service();
const berth_preempt_extenders_service& preempt_extenders_service();

}  // namespace berth::host
