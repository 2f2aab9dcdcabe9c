#pragma once

// Puts pods into a step, column by column.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadgen/play/load.h"

namespace berth::loadgen {

// A pod with texts of its own; the views need to live as long as the call that takes it.
struct ArrivingPod {
  uint32_t template_id = 0;
  std::string_view namespace_name;
  std::string_view name;
  std::string_view uid = {};                                         // may be empty
  std::string_view nominated_node = {};                              // may be empty
  std::span<const std::pair<std::string, std::string>> labels = {};  // sorted by key, keys unique
  const model::Controller* controller = nullptr;                     // null: none
  Nanoseconds planned{0};
};

class StepPods {
 public:
  // Further calls are about this step, which has no pods yet, and to which nobody else adds any.
  // `namespaces` is how many have numbers in the whole load.
  void begin(LoadStep& step, size_t namespaces = 0);

  size_t size() const { return step_->pods.size(); }

  // Namespaces have numbers in the whole load; the texts of their names have to stay where they are
  // while the step is used, all others are copied.
  void add(uint32_t template_id, uint32_t namespace_number, std::string_view namespace_name,
           std::string_view name, Nanoseconds planned);
  // Of the pod added last. The keys of a pod ascend, and their texts stay.
  void label(std::string_view key, std::string_view value);
  void controller(const model::Controller& controller);

  // The same for pods in any order of namespaces and controllers: all texts are copied.
  void add(const ArrivingPod& pod);

 private:
  std::string_view keep(std::string_view text);
  void make_room(size_t bytes);  // for texts
  void move_texts(size_t wanted);
  void add_row(uint32_t template_id, uint32_t namespace_index, std::string_view name,
               Nanoseconds planned);
  uint32_t index_of(std::string_view namespace_name);
  uint32_t index_of(const model::Controller& controller);
  void set_controller(size_t index);

  LoadStep* step_ = nullptr;
  bool named_ = false;  // the step has pods that came with the names of their namespaces
  uint64_t stamp_ = 0;
  std::vector<std::pair<uint64_t, uint32_t>> namespaces_;  // of each: stamp, index in the step
  boost::unordered_flat_map<std::string, uint32_t> namespace_indices_, controller_indices_;
};

}  // namespace berth::loadgen
