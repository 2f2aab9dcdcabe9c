#pragma once

// The nodes of a zone that wait for a NoExecute taint. Source: k8s.io/kubernetes
// pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/base/time.h"
#include "engine/controllers/nodes/token_bucket.h"

namespace berth::controllers {

class TaintQueue {
 public:
  explicit TaintQueue(float rate) : bucket_(rate) {}

  // Appends the node. Nothing if it was added before and not removed since, even if its turn came.
  void add(Time now, const std::string& node);
  void remove(const std::string& node);

  // From now on so many nodes per second have their turn. Another rate than before: one has it at
  // once, unless no node could have had it at the old rate now. A rate of 0 admits none.
  void set_rate(Time now, float rate);

  // No node has its turn before this time; nothing: none has as things are.
  std::optional<Time> next() const;
  // Calls `taint` with the nodes whose turn it is: in the order in which they came, and by name
  // among those that came at one time. If it returns false the node has another turn 50 ms later.
  void run(Time now, const std::function<bool(const std::string&)>& taint);

 private:
  TokenBucket bucket_;
  std::set<std::pair<Time, std::string>> waiting_;
  // When its turn may be, of each node in waiting_; nothing: it had its turn.
  std::unordered_map<std::string, std::optional<Time>> added_;
};

}  // namespace berth::controllers
