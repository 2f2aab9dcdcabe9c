#pragma once

// Pods whose end nobody hears of, because the kubelet of their node is silent.
//
// One thread.

#include <map>
#include <string>
#include <utility>

#include "engine/base/time.h"
#include "engine/model/pods/pod_id.h"
#include "engine/played/deletions.h"

namespace berth::played {

class HeldPods {
 public:
  // `name` is NAMESPACE/NAME. Precondition: the pod is not held.
  void add(model::PodId pod, std::string name, const std::string& node);
  void forget(model::PodId pod);  // nothing happens if it is not held
  bool contains(model::PodId pod) const { return pods_.contains(pod); }
  bool empty() const { return pods_.empty(); }
  // The kubelet of the node answers: its pods leave now.
  void release(const std::string& node, Time now, Deletions& to);

 private:
  std::map<model::PodId, std::string> pods_;  // with their nodes
  std::map<std::string, std::map<model::PodId, std::string>, std::less<>> names_;  // by node
};

}  // namespace berth::played
