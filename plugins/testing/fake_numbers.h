#pragma once

// Collects the numbers that a plugin writes, one text for each item: "cpu: free 3m, wanted 5m".

#include <string>
#include <vector>

#include "berth/abi/numbers.h"
#include "berth/sdk/text.hpp"

namespace berth::plugins::testing {

class FakeNumbers {
 public:
  // `columns`: the ids of the call's columns, by which pods are named. It outlives the object.
  explicit FakeNumbers(const std::vector<std::string>& columns) : columns_(columns) {}
  FakeNumbers(const FakeNumbers&) = delete;
  FakeNumbers& operator=(const FakeNumbers&) = delete;

  const berth_numbers_sink* raw() const { return &raw_; }
  const std::vector<std::string>& items() const { return items_; }

 private:
  static FakeNumbers& of(void* context) { return *static_cast<FakeNumbers*>(context); }
  void add(berth_string name, const std::string& value) {
    std::string& item = items_.back();
    item += sdk::concat(item.back() == ':' ? " " : ", ", sdk::to_view(name), " ", value);
  }

  const std::vector<std::string>& columns_;
  std::vector<std::string> items_;
  const berth_numbers_sink raw_ = {
      sizeof raw_,
      0,
      this,
      [](void* context, berth_string name) {
        of(context).items_.push_back(sdk::concat(sdk::to_view(name), ":"));
      },
      [](void* context, berth_string name, int64_t value, uint32_t unit) {
        const char* units[] = {"", "m", " bytes"};
        of(context).add(name, sdk::concat(value, units[unit]));
      },
      [](void* context, berth_string name, berth_string text) {
        of(context).add(name, std::string(sdk::to_view(text)));
      },
      [](void* context, berth_string name, uint32_t term) {
        of(context).add(name, sdk::concat("term ", term));
      },
      [](void* context, berth_string name, uint32_t column, uint64_t element) {
        of(context).add(name,
                        sdk::concat("pods of ", of(context).columns_.at(column), " ", element));
      }};
};

}  // namespace berth::plugins::testing
