#pragma once

// Appends pods to the columns of a step.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadgen/play/load.h"

namespace berth::loadgen {

// A pod given by its texts. The views must stay valid during the call only.
struct ArrivingPod {
  uint32_t template_id = 0;
  std::string_view namespace_name;
  std::string_view name;
  std::string_view uid = {};                                         // may be empty
  std::string_view nominated_node = {};                              // may be empty
  std::span<const std::pair<std::string, std::string>> labels = {};  // sorted by key, keys unique
  std::span<const std::string> claims = {};       // in place of the template's; empty: those of it
  const model::Controller* controller = nullptr;  // null: none
  Nanoseconds planned{0};
};

class StepPods {
 public:
  // Starts a new step, which must have no pods. Until the next begin(), only this object adds pods
  // to it. `namespaces` is the number of numbered namespaces in the load.
  void begin(LoadStep& step, size_t namespaces = 0);

  size_t size() const { return step_->pods.size(); }

  // Adds a pod. The text of `namespace_name` must stay valid while the step is used; `name` is
  // copied. A namespace has the same number in the whole load.
  void add(uint32_t template_id, uint32_t namespace_number, std::string_view namespace_name,
           std::string_view name, Nanoseconds planned);
  // Add a label or the controller to the pod added last. Labels are added in ascending order of
  // keys; their texts must stay valid while the step is used.
  void label(std::string_view key, std::string_view value);
  void controller(const model::Controller& controller);
  // Adds a claim of the pod added last, in place of its template's. A pod has all or none of its
  // own. The name is copied.
  void claim(std::string_view name);

  // Adds a pod with namespaces and controllers in any order. All texts are copied.
  void add(const ArrivingPod& pod);

 private:
  std::string_view keep(std::string_view text);
  void make_room(size_t bytes);  // reserves space for texts
  void move_texts(size_t wanted);
  void add_row(uint32_t template_id, uint32_t namespace_index, std::string_view name,
               Nanoseconds planned);
  uint32_t index_of(std::string_view namespace_name);
  uint32_t index_of(const model::Controller& controller);
  void set_controller(size_t index);

  LoadStep* step_ = nullptr;
  bool named_ = false;  // the step has pods added with ArrivingPod
  // of the current step; begin() increments it
  uint64_t stamp_ = 0;
  // Namespaces by number: a stamp, and the index in the step with that stamp.
  std::vector<std::pair<uint64_t, uint32_t>> namespaces_;
  boost::unordered_flat_map<std::string, uint32_t> namespace_indices_, controller_indices_;
};

}  // namespace berth::loadgen
