#pragma once

// Puts pods into a step, column by column.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "loadgen/load.h"

namespace berth::loadgen {

class StepPods {
 public:
  // Further calls are about this step, which has no pods yet. `namespaces` is how many there are in
  // the whole load.
  void begin(LoadStep& step, size_t namespaces);

  size_t size() const { return step_->pods.size(); }

  // Namespaces have numbers in the whole load; the texts of their names have to stay where they are
  // while the step is used, all others are copied.
  void add(uint32_t template_id, uint32_t namespace_number, std::string_view namespace_name,
           std::string_view name, Nanoseconds planned);
  // Of the pod added last. The keys of a pod ascend, and their texts stay.
  void label(std::string_view key, std::string_view value);
  void controller(const model::Controller& controller);

 private:
  std::string_view keep(std::string_view text);
  void move_texts(size_t wanted);

  LoadStep* step_ = nullptr;
  uint64_t stamp_ = 0;
  std::vector<std::pair<uint64_t, uint32_t>> namespaces_;  // of each: stamp, index in the step
};

}  // namespace berth::loadgen
