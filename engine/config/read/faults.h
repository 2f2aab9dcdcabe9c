#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"

namespace berth::config {

using document::quoted;

// Collects the errors of a configuration. Keeps the first `kKept` and counts the rest.
class Faults {
 public:
  static constexpr size_t kKept = 100;

  void add(Place place, std::string message);

  // Add an error in the words of kube-scheduler's validation: a value that is not allowed, a
  // required field that is missing, a value that occurs twice. A text `value` is already quoted.
  void invalid(Place place, std::string_view value, std::string_view reason);
  void required(Place place);
  void duplicate(Place place, std::string_view value);

  // If there is any error, throws InvalidConfiguration with all of them in file order.
  void throw_if_any();

  // Returns the errors in file order and empties this object.
  std::vector<Error> take();

 private:
  std::vector<Error> kept_;
  uint64_t count_ = 0;
};

}  // namespace berth::config
