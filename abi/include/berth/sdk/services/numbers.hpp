#pragma once

// The numbers behind an answer, for people. The C contract is in berth/abi/numbers.h.

#include <string_view>

#include "berth/abi/numbers.h"
#include "berth/sdk/column.hpp"
#include "berth/sdk/input.hpp"
#include "berth/sdk/text.hpp"

namespace berth::sdk {

// Receives items and their facts. Valid for the call.
class Numbers {
 public:
  explicit Numbers(const berth_numbers_sink* sink) : sink_(sink) {}

  Numbers& item(std::string_view name) {
    sink_->item(sink_->context, to_abi(name));
    return *this;
  }
  // Facts of the item that was begun last. `unit`: one of BERTH_UNIT_.
  Numbers& number(std::string_view name, int64_t value, uint32_t unit = BERTH_UNIT_ONE) {
    sink_->number(sink_->context, to_abi(name), value, unit);
    return *this;
  }
  Numbers& text(std::string_view name, std::string_view text) {
    sink_->text(sink_->context, to_abi(name), to_abi(text));
    return *this;
  }
  Numbers& term(std::string_view name, uint32_t term) {
    sink_->term(sink_->context, to_abi(name), term);
    return *this;
  }
  // The pods behind a column of the call: node.count:* or node.carried:*.
  template <Element T>
  Numbers& pods(std::string_view name, Slot<T> column) {
    sink_->pods(sink_->context, to_abi(name), column.index, 0);
    return *this;
  }
  // The pods of the node that have the element of a list. `column`: its index in the call.
  Numbers& pods(std::string_view name, uint32_t column, uint64_t element) {
    sink_->pods(sink_->context, to_abi(name), column, element);
    return *this;
  }

 private:
  const berth_numbers_sink* sink_;
};

}  // namespace berth::sdk
