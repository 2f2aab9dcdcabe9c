#pragma once

// What becomes of the pods of a load, seen by watches within the process: their texts are made for
// the scheduler's watch anyway.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/apiserver/api/clock.h"
#include "tests/apiserver/api/server.h"

namespace berth::apiserver {

// One thread, that of the server.
class Tally {
 public:
  // Both outlive it. Watches from now on.
  Tally(ApiServer& server, const Clock& clock);
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  uint64_t bound() const { return bound_; }
  uint64_t deleted() const { return deleted_; }
  // Names of what came since the last call, each with its time.
  using Seen = std::vector<std::pair<Nanoseconds, std::string>>;
  Seen take_bound() { return std::exchange(bound_names_, {}); }
  Seen take_events() { return std::exchange(event_names_, {}); }

  // A line of JSON: counts so far, and seconds since 1970 of the first and the last binding and of
  // the last event. `latency`: with percentiles of the milliseconds from creation to binding.
  std::string line(bool latency) const;

 private:
  class Lines;

  void open_watch(const char* path, std::map<std::string, std::string> query,
                  std::function<void(std::string_view)> take);
  void take_pod(std::string_view line);
  void take_event(std::string_view line);

  ApiServer& server_;
  const Clock& clock_;
  std::unordered_map<std::string, Nanoseconds> created_;  // by name, until bound
  uint64_t created_count_ = 0, bound_ = 0, deleted_ = 0, events_ = 0;
  Nanoseconds first_bound_ = 0, last_bound_ = 0, last_event_ = 0;
  std::vector<float> latencies_;  // ms
  Seen bound_names_, event_names_;
};

}  // namespace berth::apiserver
