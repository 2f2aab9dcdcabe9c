#pragma once

// The parts of measurements of an API server: requests, a bounded number at once, and a watch
// of the pods that get a node. All belong to the thread of the network, which outlives them.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/kube/api/watch_lines.h"
#include "engine/kube/http/network.h"

namespace berth::bench {

// The first answer that is not ok() stops the network: a measurement with failures is none.
class Requests {
 public:
  using Done = std::function<void(const kube::Answer&)>;

  // `under_way`: at once, not 0.
  Requests(kube::Network& network, size_t under_way) : network_(network), most_(under_way) {}

  void add(kube::Request request, Done done);
  bool idle() const { return waiting_.empty() && under_way_ == 0; }
  const std::string& fault() const { return fault_; }  // the first; empty: none

 private:
  struct Waiting {
    kube::Request request;
    Done done;
  };
  void send();
  void answered(const kube::Answer& answer, const Done& done);

  kube::Network& network_;
  size_t most_, under_way_ = 0;
  std::deque<Waiting> waiting_;
  std::string fault_;
};

struct SeenPod {
  std::string name, uid, node;
};

// Tells of every pod that a watch shows on a node for the first time.
class BoundPods {
 public:
  using Each = std::function<void(SeenPod)>;

  BoundPods(kube::Network& network, Each each) : network_(network), each_(std::move(each)) {}
  // `version`: of a list. A server that is busy ends a watch that it cannot keep up with; it goes
  // on from where it was.
  void start(std::string version);
  const std::string& fault() const { return fault_; }  // empty: none

 private:
  void take(std::string_view line);

  kube::Network& network_;
  Each each_;
  kube::WatchLines lines_;
  std::map<std::string, bool, std::less<>> seen_;  // UIDs
  std::string version_, fault_;
};

kube::Request reading(std::string path);

// Objects that schedulers are measured with, as the server takes them.
kube::Request node_creation(uint32_t number);
kube::Request pod_creation(const std::string& name);
// As a scheduler writes them of a pod.
kube::Request pod_binding(const SeenPod& pod);
kube::Request scheduled_event(const SeenPod& pod, int64_t wall);

}  // namespace berth::bench
