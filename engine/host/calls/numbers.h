#pragma once

// The numbers that a plugin writes about one of its answers, for people. berth/abi/numbers.h is the
// plugin's side.

#include <cstdint>
#include <string>
#include <vector>

#include "berth/abi/numbers.h"

namespace berth::host {

// Pods that a value stands for: how many, and the names of some.
struct SomePods {
  uint64_t count = 0;
  std::vector<std::string> names;
};

struct Fact {
  enum class Kind : uint8_t { kNumber, kText, kPods };

  std::string name;
  Kind kind = Kind::kNumber;
  int64_t number = 0;              // kNumber
  uint32_t unit = BERTH_UNIT_ONE;  // kNumber: one of BERTH_UNIT_
  std::string text;                // kText
  SomePods pods;                   // kPods
};

// One thing that a hook compares.
struct Item {
  std::string name;
  std::vector<Fact> facts;
};

// Knows what a plugin's numbers refer to.
class NumbersSource {
 public:
  virtual ~NumbersSource() = default;
  virtual std::string term(uint32_t term) = 0;  // in words; empty: there is no such term
  // `column`: an index of the call's columns, which may be any number.
  virtual SomePods pods(uint32_t column, uint64_t element) = 0;
};

// Collects what a plugin writes into `items`. Both outlive it.
class NumbersSink {
 public:
  NumbersSink(NumbersSource& source, std::vector<Item>& items);
  NumbersSink(const NumbersSink&) = delete;
  NumbersSink& operator=(const NumbersSink&) = delete;

  const berth_numbers_sink* raw() const { return &raw_; }
  // The first thing that is wrong with the written items, as the rest of a sentence that begins
  // with the plugin's name; empty if nothing is wrong.
  const std::string& fault() const { return fault_; }

 private:
  static constexpr size_t kMostFacts = 10'000;  // items included

  static NumbersSink& of(void* context) { return *static_cast<NumbersSink*>(context); }
  static void item(void* context, berth_string name) noexcept;
  static void number(void* context, berth_string name, int64_t value, uint32_t unit) noexcept;
  static void text(void* context, berth_string name, berth_string text) noexcept;
  static void term(void* context, berth_string name, uint32_t term) noexcept;
  static void pods(void* context, berth_string name, uint32_t column, uint64_t element) noexcept;
  bool room();
  Fact* add(berth_string name, Fact::Kind kind);  // null: it is dropped

  berth_numbers_sink raw_;
  NumbersSource& source_;
  std::vector<Item>& items_;
  size_t written_ = 0;
  std::string fault_;
};

}  // namespace berth::host
