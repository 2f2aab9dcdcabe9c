#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace berth::config {

// The text in double quotes, with escapes where it needs them, as messages name things.
std::string quoted(std::string_view text);

// Collects what is wrong with a configuration. Keeps the first `kKept` faults and counts the rest.
class Faults {
 public:
  static constexpr size_t kKept = 100;

  void add(Place place, std::string message);

  // What kube-scheduler says of a field whose value is not allowed. `value` is quoted already if it
  // is text.
  void invalid(Place place, std::string_view value, std::string_view reason);
  void required(Place place);
  void duplicate(Place place, std::string_view value);

  // Throws InvalidConfiguration with all of them, in the order of the file, if there is any.
  void throw_if_any();

  // The same, without throwing. Empties this.
  std::vector<Error> take();

 private:
  std::vector<Error> kept_;
  uint64_t count_ = 0;
};

}  // namespace berth::config
