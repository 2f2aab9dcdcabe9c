#pragma once

// The argument of a hook: columns, positions, the template's state, and which of the plugin's
// earlier hooks ran. Valid for the call.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/abi/hook.h"
#include "berth/sdk/input.hpp"
#include "berth/sdk/text.hpp"

namespace berth::sdk {

// The columns that calls get after `prepare` has narrowed them.
struct Narrowing {
  static constexpr uint32_t kLeftOut = UINT32_MAX;
  std::vector<uint32_t> ids;  // column ids, in the order of the call
  // For each declared input its index in the call, or kLeftOut. Empty: calls get the declared
  // columns in their order.
  std::vector<uint32_t> places;
};

// The columns of a call, found by input. Reading a column that was not passed throws Failure.
class Columns {
 public:
  Columns(const berth_column* columns, uint32_t count, const Narrowing* narrowing)
      : columns_(columns),
        count_(count),
        places_(narrowing == nullptr || narrowing->places.empty() ? nullptr
                                                                  : narrowing->places.data()) {}

  template <Element T>
  std::span<const T> operator[](const Input<T>& input) const {
    return flat<T>(declared(input.index()));
  }
  template <Element T>
  std::span<const T> operator[](const OptionalInput<T>& input) const {
    if (!input.found()) internal::fail("an optional input was read that this host does not have");
    return flat<T>(declared(input.index()));
  }
  // True if the host has the column and passed it.
  template <Element T>
  bool has(const OptionalInput<T>& input) const {
    return input.found() && passed(input.index());
  }
  template <Element T>
  Lists<T> operator[](const ListInput<T>& input) const {
    return lists<T>(declared(input.index()));
  }
  template <Element T>
  std::span<const T> operator[](Slot<T> slot) const {
    return flat<T>(at(slot.index));
  }

  // The index of a declared list among the columns of the call.
  template <Element T>
  uint32_t place(const ListInput<T>& input) const {
    return places_ == nullptr ? input.index() : places_[input.index()];
  }

  // Differs whenever a value of the column does; of a column that was not passed 0.
  template <Element T>
  uint64_t generation(const Input<T>& input) const {
    return declared(input.index()).generation;
  }

  // The value, or the list, of a column with one position (pod columns, cluster columns). Throws
  // Failure if the column is empty.
  template <Element T>
  T one(const Input<T>& input) const {
    const auto values = (*this)[input];
    if (values.empty()) internal::fail("a column has no position");
    return values[0];
  }
  template <Element T>
  std::span<const T> one(const ListInput<T>& input) const {
    const auto values = (*this)[input];
    if (values.size() == 0) internal::fail("a column has no position");
    return values[0];
  }

 private:
  const berth_column& declared(uint32_t index) const {
    return at(places_ == nullptr ? index : places_[index]);
  }
  bool passed(uint32_t index) const {
    return (places_ == nullptr ? index : places_[index]) < count_;
  }
  const berth_column& at(uint32_t place) const {
    if (place >= count_)
      internal::fail(
          "an input was read that `prepare` left out: keep() and add() leave out all inputs that "
          "are not named; keep() this one, or keep_all()");
    return columns_[place];
  }

  const berth_column* columns_;
  uint32_t count_;
  const uint32_t* places_;
};

// The pod of a `prepare` call, described by the hook's pod columns.
class Template : public Columns {
 public:
  explicit Template(const berth_template* raw)
      : Columns(raw->columns, raw->column_count, nullptr), raw_(raw) {}
  const berth_template& raw() const { return *raw_; }

 private:
  const berth_template* raw_;
};

// State type of a hook without `prepare`.
struct NoState {};

// The object behind the opaque state pointer that the host stores, and behind the copies that an
// OverlayState makes of it.
template <class State>
struct Prepared {
  Narrowing narrowing;
  State state;
};

template <class State>
class Call : public Columns {
 public:
  explicit Call(const berth_call* raw)
      : Columns(raw->columns, raw->column_count, narrowing(raw)), raw_(raw) {}

  const berth_call& raw() const { return *raw_; }
  size_t size() const { return raw_->count; }
  bool ran_pre_filter() const { return (raw_->ran & BERTH_RAN_PRE_FILTER) != 0; }
  bool ran_pre_score() const { return (raw_->ran & BERTH_RAN_PRE_SCORE) != 0; }
  // True if the host reads the answer for position i.
  bool wanted(size_t i) const {
    return raw_->mask == nullptr || (raw_->mask[i / 64] >> (i % 64) & 1) != 0;
  }
  // Takes the text of a BERTH_ERROR that is written to an output array.
  TextSink error() const { return TextSink(raw_->error); }

  // Columns with the indices of this call's; null: there are none, and reading one throws Failure.
  Columns same_columns(const berth_column* columns) const {
    return Columns(columns, columns == nullptr ? 0 : raw_->column_count, narrowing(raw_));
  }

  // Requires that the hook has a state. For a filter with an OverlayState: the copy that followed
  // the changes of the row.
  const State& state() const {
    if (raw_->state == nullptr) internal::fail("the hook was called without its prepared state");
    return static_cast<const Prepared<State>*>(raw_->state)->state;
  }

 private:
  static const Narrowing* narrowing(const berth_call* raw) {
    if constexpr (std::is_same_v<State, NoState>) {
      return nullptr;
    } else {
      return raw->state == nullptr ? nullptr
                                   : &static_cast<const Prepared<State>*>(raw->state)->narrowing;
    }
  }

  const berth_call* raw_;
};

}  // namespace berth::sdk
