#pragma once

// A call of every extension point of the plugin `Faulty`.

#include <array>
#include <string>
#include <vector>

#include "engine/host/calls/checked_calls.h"
#include "tests/host/faulty_instance.h"

namespace berth::host {

inline constexpr size_t kPositions = 64;

// A call over 64 positions, with outputs for every extension point.
struct Call {
  explicit Call(const std::string& fault = "") : instance(fault) { call.count = kPositions; }

  template <typename T>
  const T& hook() const {
    return *instance->hook<T>();
  }
  CallError pre_enqueue() { return hook<PreEnqueue>().call(calls(), call, codes, reasons); }
  CallError filter() { return hook<Filter>().call(calls(), call, codes); }
  CallError score() { return hook<Score>().call(calls(), call, raw); }
  CallError normalise_own() {
    return hook<Score>().normalise_own(calls(), nullptr, raw, 0, 0, timeouts);
  }
  CallError pre_filter() {
    call.count = 1;
    return hook<PreFilter>().call(calls(), call, narrowed);
  }
  CallError post_filter() { return hook<PostFilter>().call(calls(), call, codes, 0, nomination); }
  CallError pre_bind() { return hook<PreBind>().call(calls(), call, codes, waited, timeouts); }
  CallError queue_sort() {
    keys.assign(kPositions * hook<QueueSort>().key_bytes(), 0);
    return hook<QueueSort>().call(calls(), call, keys);
  }
  std::vector<uint8_t> key(size_t position) const {
    const size_t bytes = hook<QueueSort>().key_bytes();
    return {&keys[position * bytes], &keys[position * bytes] + bytes};
  }
  CallError permit() { return hook<Permit>().call(calls(), call, codes, reasons, timeouts); }
  CallError reserve() { return hook<Reserve>().call(calls(), call, codes, reasons); }
  CallError pre_flight() { return hook<PreBind>().pre_flight(calls(), call, codes); }
  CallError bind() { return hook<Bind>().call(calls(), call, codes); }
  CallError pre_score() { return hook<PreScore>().call(calls(), call, nullptr, pre_scored); }
  CallError hint() { return hook<Hints>().call(calls(), call, berth_event{}, helps); }
  CallError prepare() { return hook<Filter>().prepare(calls(), {}, prepared); }
  CallError begin_overlay() { return hook<OverlayState>().begin(calls(), nullptr, scratch); }
  CallContext& calls() { return instance.calls(); }

  FaultyInstance instance;
  berth_call call{};
  std::array<uint8_t, kPositions> codes{};
  std::vector<uint8_t> keys;  // of queue_sort
  std::array<uint32_t, kPositions> reasons{};
  std::array<int64_t, kPositions> raw{};
  std::array<int64_t, kPositions> timeouts{};
  std::array<int64_t, kPositions> waited{};
  PreFilterAnswer narrowed;
  NominationAnswer nomination;
  PreScoreAnswer pre_scored;
  uint8_t helps = 0;
  Prepared prepared;
  void* scratch = nullptr;
};

inline std::string text(const CallError& error) { return error ? error.text() : "fine"; }

// A fault of the plugin, a call that meets it, and the error behind the plugin's name.
struct Broken {
  const char* fault;
  CallError (Call::*call)();
  const char* expected;
};

inline void expect_broken(const Broken& broken) {
  Call made(broken.fault);
  const CallError error = (made.*broken.call)();
  ASSERT_TRUE(error) << broken.fault;
  EXPECT_EQ(error.kind(), CallError::Kind::kBroken) << broken.fault;
  EXPECT_EQ(error.text(), std::string("plugin \"Faulty\" ") + broken.expected);
}

inline void expect_all_broken(const std::vector<Broken>& all) {
  for (const Broken& broken : all) expect_broken(broken);
}

}  // namespace berth::host
