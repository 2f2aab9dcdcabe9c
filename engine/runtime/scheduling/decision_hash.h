#pragma once

// One number over all decisions of a run, in order: two runs that print the same number decided the
// same. Over names, never over row numbers, so that it holds across evaluations, threads and
// machines.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/framework/decision/decide.h"

namespace berth::runtime {

class DecisionHash {
 public:
  DecisionHash();
  ~DecisionHash();
  DecisionHash(const DecisionHash&) = delete;
  DecisionHash& operator=(const DecisionHash&) = delete;

  // `node` is empty for a pod that was not placed; then the reasons or the message enter.
  void add(std::string_view namespace_name, std::string_view name, std::string_view node,
           const framework::Decision& decision);
  uint64_t value() const;
  std::string to_string() const;  // sixteen hexadecimal digits

 private:
  static constexpr size_t kBuffer = 2048;

  void text(std::string_view text);
  void number(uint64_t number);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace berth::runtime
