#pragma once

// The functions of an isolated plugin's tables, generated from channel/tables.h. Each lays out its
// arguments, makes the call, and copies what came back to where the host expects it. The host
// checks it there, as it does for any plugin.

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/isolation/channel/tables.h"
#include "engine/isolation/tables/calls.h"
#include "engine/isolation/tables/structs.h"

namespace berth::isolation {

// Answers of a function that is skipped: the elements of an array, or the code of a struct.
template <auto kMember>
inline constexpr auto kSkipped = nullptr;
template <>
inline constexpr auto kSkipped<&berth_filter::filter> = uint8_t{BERTH_SUCCESS};
template <>
inline constexpr auto kSkipped<&berth_score::score> = int64_t{BERTH_NOT_SCORED};
template <>
inline constexpr auto kSkipped<&berth_score::normalise_own> = int64_t{0};
template <>
inline constexpr auto kSkipped<&berth_score::normalise_pod> = int64_t{0};
template <>
inline constexpr auto kSkipped<&berth_pre_filter::pre_filter> = berth_code{BERTH_SKIP};
template <>
inline constexpr auto kSkipped<&berth_pre_score::pre_score> = berth_code{BERTH_SKIP};

// Elements of a function's arrays for each position.
template <auto kMember>
uint64_t elements_each(berth_plugin*) {
  return 1;
}
template <>
inline uint64_t elements_each<&berth_queue_sort::wide_keys>(berth_plugin* plugin) {
  return of(plugin).table<berth_queue_sort>(Point::kQueueSort).wide_key_bytes;
}

template <Point kPoint, auto kMember, typename = typename Signature<kMember>::Parameters,
          typename = typename Signature<kMember>::Indices>
class Passed;
template <Point kPoint, auto kMember, typename... A, size_t... kAt>
class Passed<kPoint, kMember, std::tuple<A...>, std::index_sequence<kAt...>> {
 public:
  using Result = typename Signature<kMember>::Result;

  // A member of the table.
  static Result call(A... arguments) {
    const Given given(arguments...);
    constexpr bool kMaySkip = !std::is_null_pointer_v<std::decay_t<decltype(kSkipped<kMember>)>>;
    if constexpr (kMaySkip)
      return guarded(
          std::get<0>(given), sink(given), [&] { return pass(given); },
          [&] {
            (skip<kAt>(given), ...);
            return BERTH_SUCCESS;
          });
    else if constexpr (std::is_same_v<Result, berth_code>)
      return guarded(sink(given), [&] { return pass(given); });
    else
      return unguarded([&] { return pass(given); });
  }

 private:
  static_assert(sizeof...(A) <= std::extent_v<decltype(Request::arguments)>);
  using Given = std::tuple<A...>;
  template <typename T>
  static constexpr bool kHas = (std::is_same_v<A, T> || ...);
  template <size_t kOne>
  using Parameter = std::tuple_element_t<kOne, Given>;
  template <size_t kOne>
  using Behind = std::remove_pointer_t<Parameter<kOne>>;
  // Arrays have elements without members: numbers, and keys of the queue.
  template <size_t kOne>
  static constexpr bool kIsArray = std::is_pointer_v<Parameter<kOne>> &&
                                   !std::is_class_v<Behind<kOne>> && !std::is_void_v<Behind<kOne>>;
  template <size_t kOne>
  static constexpr bool kIsOutput = kIsArray<kOne> && !std::is_const_v<Behind<kOne>>;
  // A struct that the function gets, or that it fills (structs.h).
  template <size_t kOne>
  static constexpr bool kIsGiven = requires(const Parameter<kOne>& argument, InstanceCall& made) {
    put_struct(made, berth_call(), *argument);
  };
  template <size_t kOne>
  static constexpr bool kIsFilled = requires(const Parameter<kOne>& argument, InstanceCall& made,
                                             Reader& result) {
    take_struct(made, berth_call(), result, *argument);
  };

  // Takes the texts of the plugin; null: they are dropped.
  static const berth_text_sink* sink(const Given& given) {
    if constexpr (kHas<const berth_text_sink*>)
      return std::get<const berth_text_sink*>(given);
    else if constexpr (kHas<const berth_call*> && std::is_same_v<Result, berth_code>)
      return std::get<const berth_call*>(given)->error;
    else
      return nullptr;
  }
  // A scratch is the state of a call about it.
  static const State* state(const Given& given) {
    if constexpr (kHas<void*>)
      return static_cast<const State*>(std::get<void*>(given));
    else if constexpr (kHas<const berth_call*>)
      return state_of(std::get<const berth_call*>(given));
    else
      return nullptr;
  }
  // Elements of the arrays.
  static uint64_t count([[maybe_unused]] const Given& given) {
    if constexpr (kHas<const berth_event*>)
      return 1;
    else if constexpr (kHas<const berth_call*>)
      return std::get<const berth_call*>(given)->count *
             elements_each<kMember>(std::get<berth_plugin*>(given));
    else
      return std::get<uint64_t>(given);
  }

  static Result pass(const Given& given) {
    InstanceCall made(of(std::get<0>(given)), kPoint, state(given));
    const std::array<const void*, sizeof...(kAt)> there = {put<kAt>(made, given)...};
    [[maybe_unused]] Ended ended = made.run(kCall<kMember>, sink(given));
    (take<kAt>(made, there[kAt], given, ended.result), ...);
    if constexpr (std::is_same_v<Result, berth_code>)
      return ended.code;
    else if constexpr (!std::is_void_v<Result>)
      return parsed(made.lane(), [&] { return ended.result.get<Result>(); });
  }

  // Lays out an argument. Returns an array that the plugin fills; it begins with what is in the
  // host's, which sees what the plugin did not write.
  template <size_t kOne>
  static const void* put(InstanceCall& made, const Given& given) {
    using T = Parameter<kOne>;
    const T& argument = std::get<kOne>(given);
    if constexpr (std::is_same_v<T, const berth_call*>) {
      made.put(*argument);
      if constexpr (kHas<void*>) made.request().call.state = nullptr;
    } else if constexpr (std::is_same_v<T, const berth_numbers_sink*>) {
      made.answers().set_numbers(argument);
    } else if constexpr (std::is_same_v<T, void*>) {
      made.request().arguments[kOne] = made.state_there();
    } else if constexpr (kIsArray<kOne>) {
      return made.put_array(kOne, argument, count(given));
    } else if constexpr (kIsGiven<kOne>) {
      if (argument != nullptr)
        made.request().arguments[kOne] =
            made.lane().address(put_struct(made, *std::get<const berth_call*>(given), *argument));
    } else if constexpr (!std::is_pointer_v<T>) {
      made.request().arguments[kOne] = static_cast<uint64_t>(argument);
    } else {
      static_assert(std::is_same_v<T, berth_plugin*> || std::is_same_v<T, const berth_text_sink*> ||
                        kIsFilled<kOne>,
                    "this function is passed by hand (tables.cc)");
    }
    return nullptr;
  }

  template <size_t kOne>
  static void take([[maybe_unused]] InstanceCall& made, [[maybe_unused]] const void* there,
                   [[maybe_unused]] const Given& given, [[maybe_unused]] Reader& result) {
    if constexpr (kIsFilled<kOne>)
      parsed(made.lane(), [&] {
        take_struct(made, *std::get<const berth_call*>(given), result, *std::get<kOne>(given));
      });
    if constexpr (kIsOutput<kOne>)
      if (const uint64_t elements = count(given); elements != 0)
        std::memcpy(std::get<kOne>(given), there, elements * sizeof(Behind<kOne>));
  }

  template <size_t kOne>
  static void skip([[maybe_unused]] const Given& given) {
    if constexpr (kIsOutput<kOne>)
      std::fill_n(std::get<kOne>(given), count(given), kSkipped<kMember>);
    if constexpr (kIsFilled<kOne>) std::get<kOne>(given)->code = kSkipped<kMember>;
  }
};

}  // namespace berth::isolation
