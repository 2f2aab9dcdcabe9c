#include "engine/config/read/faults.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/text/number_text.h"
#include "engine/config/config.h"

namespace berth::config {

void Faults::add(Place place, std::string message) {
  ++count_;
  if (kept_.size() < kKept) kept_.emplace_back(std::move(place), std::move(message));
}

void Faults::invalid(Place place, std::string_view value, std::string_view reason) {
  add(std::move(place), "Invalid value: " + std::string(value) + ": " + std::string(reason));
}

void Faults::required(Place place) { add(std::move(place), "Required value"); }

void Faults::duplicate(Place place, std::string_view value) {
  add(std::move(place), "Duplicate value: " + quoted(value));
}

std::vector<Error> Faults::take() {
  std::vector<Error> faults = std::exchange(kept_, {});
  const uint64_t count = std::exchange(count_, 0);
  std::ranges::stable_sort(faults, {}, [](const Error& fault) {
    return std::pair(fault.place().line, fault.place().column);
  });
  if (count > faults.size()) {
    faults.emplace_back("and " + grouped(count - faults.size()) + " more faults");
  }
  return faults;
}

void Faults::throw_if_any() {
  if (!kept_.empty()) throw InvalidConfiguration(take());
}

}  // namespace berth::config
