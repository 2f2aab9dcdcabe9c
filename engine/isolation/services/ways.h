#pragma once

// The way in which a function of a service crosses between the processes, deduced from its type.
//
// A call of the plugin becomes a question: the values of the parameters in their order. The engine
// calls the function and answers with the result and with what the function wrote. Both sides
// generate their half from the same ways (child/stub.h, answers/function.h).

#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "berth/abi/config.h"
#include "berth/abi/host.h"
#include "engine/isolation/channel/message.h"
#include "engine/isolation/services/arrays.h"

namespace berth::isolation {

enum class Way : uint8_t {
  kHost,     // the instance's host: does not cross
  kConfig,   // the arguments of the plugin: do not cross
  kContext,  // of the table itself: does not cross
  kValue,    // a number or a text
  kWhatIf,   // the number of a what-if
  kObject,   // the number of an object; 0: null
  kStruct,   // a growable struct of the plugin, with its arrays
  kArray,    // of numbers, or of structs that do not grow; its length is the function's uint64_t
  kOut,      // a number, a text or a struct that the function writes if its result says so
  kSink,     // texts that the function writes
  kVisitor,  // a function that is called with what the function gives it...
  kVisited,  // ...and its context: does not cross
};

namespace ways {

template <typename T>
struct Visitor : std::false_type {};
template <typename... Given>
struct Visitor<void (*)(void*, Given...)> : std::true_type {};

template <typename T>
concept Growable = requires(T value) {
  value.size;
};

}  // namespace ways

// The way of the parameter at kAt of a function with these parameters.
template <size_t kAt, typename Parameters>
constexpr Way way_of() {
  using T = std::tuple_element_t<kAt, Parameters>;
  using Behind = std::remove_cv_t<std::remove_pointer_t<T>>;
  if constexpr (ways::Visitor<T>::value)
    return Way::kVisitor;
  else if constexpr (!std::is_pointer_v<T>)
    return Way::kValue;
  else if constexpr (std::is_same_v<T, const berth_host*>)
    return Way::kHost;
  else if constexpr (std::is_same_v<T, const berth_config*>)
    return Way::kConfig;
  else if constexpr (std::is_same_v<T, berth_what_if*>)
    return Way::kWhatIf;
  else if constexpr (std::is_same_v<T, const berth_text_sink*>)
    return Way::kSink;
  else if constexpr (std::is_same_v<T, void*>) {
    if constexpr (kAt + 1 < std::tuple_size_v<Parameters>)
      if constexpr (way_of<kAt + 1, Parameters>() == Way::kVisitor) return Way::kVisited;
    return Way::kContext;
  } else if constexpr (!std::is_const_v<std::remove_pointer_t<T>>)
    return Way::kOut;
  else if constexpr (kObjectKind<Behind> != 0)
    return Way::kObject;
  else if constexpr (ways::Growable<Behind>)
    return Way::kStruct;
  else
    return Way::kArray;
}

// The index of the parameter that is the length of the arrays.
template <typename Parameters, size_t kAt = 0>
constexpr size_t length_of() {
  if constexpr (std::is_same_v<std::tuple_element_t<kAt, Parameters>, uint64_t>)
    return kAt;
  else
    return length_of<Parameters, kAt + 1>();
}

// The answer of a function without a result: nothing crosses.
struct Done {};

template <auto kMember, typename = decltype(kMember)>
struct Signature;
template <auto kMember, typename Table_, typename Result_, typename... A>
struct Signature<kMember, Result_ (*Table_::*)(A...)> {
  using Table = Table_;
  using Result = Result_;
  using Answer = std::conditional_t<std::is_void_v<Result>, Done, Result>;
  using Parameters = std::tuple<A...>;
  using Indices = std::index_sequence_for<A...>;

  template <size_t kAt>
  static constexpr Way kWay = way_of<kAt, Parameters>();
};

template <auto... kMembers>
struct Functions {};

template <auto... kA, auto... kB>
Functions<kA..., kB...> operator+(Functions<kA...>, Functions<kB...>);

namespace ways {

template <auto kA, auto kB>
constexpr bool same() {
  if constexpr (std::is_same_v<decltype(kA), decltype(kB)>) return kA == kB;
  return false;
}
template <auto kMember, auto... kMembers>
constexpr uint32_t index_in(Functions<kMembers...>) {
  uint32_t index = 0;
  static_cast<void>(((same<kMember, kMembers>() || (++index, false)) || ...));
  return index;
}

template <typename Result>
constexpr Result failure() {
  if constexpr (std::is_same_v<Result, berth_code>)
    return BERTH_ERROR;
  else
    return Result{};
}

}  // namespace ways

// The result of a function that fails or finds nothing. It wrote nothing to its `out` then.
template <auto kMember>
inline constexpr typename Signature<kMember>::Answer kFailure =
    ways::failure<typename Signature<kMember>::Answer>();

// True if the function wrote to its `out`.
template <auto kMember>
constexpr bool wrote(const typename Signature<kMember>::Answer& result) {
  if constexpr (std::is_class_v<typename Signature<kMember>::Answer>)
    return true;
  else
    return result != kFailure<kMember>;
}

// A `next_` function takes null for the first object. All others answer that they fail.
template <auto kMember, typename Object>
inline constexpr bool kMayBeNull = std::is_same_v<typename Signature<kMember>::Result, Object>;

// A number, a text, or a struct and its arrays. Pointers cross as null: those of another process
// say nothing, and they differ between two that are made of the same.
template <typename T>
void put_value(Writer& out, const T& value) {
  if constexpr (std::is_same_v<T, berth_string>) {
    out.text(value);
  } else if constexpr (std::is_class_v<T>) {
    T flat = value;
    visit_arrays(flat, [](auto*& array, auto& count, uint64_t = 1) {
      if (array == nullptr) count = 0;
      array = nullptr;
    });
    out.put(flat);
    T whole = value;
    visit_arrays(whole, [&](auto* array, auto count, uint64_t each = 1) {
      if (array != nullptr) out.append(array, count * each * sizeof *array);
    });
  } else {
    out.put(value);
  }
}

// The same from a message. Arrays are in `memory`; a text is in the message.
template <typename T>
T take_value(Reader& in, Memory& memory) {
  if constexpr (std::is_same_v<T, berth_string>) {
    const std::string_view text = in.text();
    return {text.data(), text.size()};
  } else {
    T value = in.get<T>();
    if constexpr (std::is_class_v<T>)
      visit_arrays(value, [&]<typename E>(const E*& array, auto& count, uint64_t each = 1) {
        array = in.array<E>(count * each, memory);
      });
    return value;
  }
}

// Arrays of both. Their length crosses elsewhere.
template <typename T>
void put_values(Writer& out, const T* values, uint64_t count) {
  if constexpr (std::is_class_v<T>)
    for (uint64_t i = 0; i < count; ++i) put_value(out, values[i]);
  else
    out.append(values, count * sizeof(T));
}
template <typename T>
std::vector<T> take_values(Reader& in, uint64_t count, Memory& memory) {
  if constexpr (!std::is_class_v<T>) return in.values<T>(count);
  std::vector<T> values;
  // Ends with the message, at the latest.
  for (uint64_t i = 0; i < count; ++i) values.push_back(take_value<T>(in, memory));
  return values;
}

}  // namespace berth::isolation
