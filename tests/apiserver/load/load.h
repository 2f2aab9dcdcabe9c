#pragma once

// A load for benchmarks of schedulers: nodes and pods that are there, pods that come at a rate, and
// pods and nodes that go again. It calls the server within the process, so no client takes a share
// of the machine.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "tests/apiserver/api/clock.h"
#include "tests/apiserver/api/server.h"
#include "tests/apiserver/load/tally.h"

namespace berth::apiserver {

struct LoadOptions {
  size_t nodes = 0, pods = 0;  // that are there at the start
  // Once those pods are bound: pods a second, and how many in all. 0: none.
  double rate = 0;
  size_t more_pods = 0;
  // Seconds from the binding of a pod, or the writing of an event, to its deletion. 0: they stay.
  double life = 0;
  // Nodes a second, while pods come at a rate, that are deleted and replaced by new ones, oldest
  // first. The pods of a deleted node stay until their life ends.
  double node_rate = 0;
};

// One thread, that of the server.
class Load {
 public:
  // Creates nodes and pods. `print` gets a line of Tally ten times a second. All but the options
  // outlive it. Throws Error if the server refuses an object.
  Load(ApiServer& server, Clock& clock, const LoadOptions& options,
       std::function<void(const std::string&)> print);
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  // The last line, with latencies.
  std::string last_line() const { return tally_.line(true); }

 private:
  // To be deleted: when, and the path.
  using Ends = std::deque<std::pair<Nanoseconds, std::string>>;

  void create(const char* path, std::string body);
  void remove(const std::string& path);
  void tick();
  void come();
  void go();
  void end_old(Ends& ends);

  ApiServer& server_;
  Clock& clock_;
  const LoadOptions options_;
  const std::function<void(const std::string&)> print_;
  Tally tally_;
  size_t next_pod_ = 0, first_node_ = 0, next_node_ = 0;
  Nanoseconds began_ = 0;  // of what comes at a rate; 0: not yet
  Nanoseconds printed_ = 0;
  Ends pods_, events_;
};

}  // namespace berth::apiserver
