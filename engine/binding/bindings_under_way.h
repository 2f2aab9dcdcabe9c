#pragma once

// Bindings that the server took and has not answered. Their pods count on their nodes, as those of
// PreBindWaits do.
//
//   server takes it    -> add
//   the pod's update
//   tells of the node  -> see: it is bound; the answer is awaited for PostBind alone
//   answer             -> take
//   the pod ends, or
//   runs elsewhere     -> take, and a later answer finds nothing
//
// One thread.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/framework/hooks/profile.h"
#include "engine/model/pods/pod_id.h"

namespace berth::binding {

class BindingsUnderWay {
 public:
  struct UnderWay {
    model::PodId pod;
    framework::Profile* profile = nullptr;
    std::string_view bound_by;  // see Completion
    Time begun{};               // when Bind was asked; 0 where nobody times points
    bool seen = false;          // its update came
  };

  // Precondition: neither the number nor the pod is under way.
  void add(uint64_t number, UnderWay binding);
  // Precondition: contains(pod).
  void see(model::PodId pod);
  // Nothing: the binding was answered before, or its pod left.
  std::optional<UnderWay> take(uint64_t number);
  std::optional<UnderWay> take(model::PodId pod);

  bool contains(model::PodId pod) const;
  bool contains(uint64_t number) const { return by_number_.contains(number); }
  // Pods whose update did not come, in no particular order.
  std::vector<model::PodId> unseen() const;
  size_t size() const { return by_number_.size(); }

 private:
  boost::unordered_flat_map<uint64_t, UnderWay> by_number_;
  boost::unordered_flat_map<uint32_t, uint64_t> numbers_;  // by index of the pod
};

}  // namespace berth::binding
