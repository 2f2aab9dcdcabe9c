#pragma once

// The functions of services in a plugin's process, generated from services/services.h: each asks
// the engine.

#include <algorithm>
#include <cstring>
#include <exception>

#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"
#include "engine/isolation/child/plugin_lane.h"
#include "engine/isolation/child/stray_calls.h"
#include "engine/isolation/services/services.h"

namespace berth::isolation {

// Calls function(lane), where the thread serves a lane; else the answer is `no`, and the engine
// hears of a stray call of that number. A message that cannot be sent, because it is too long or
// memory is short, counts as a failure of the service.
template <typename Answer, typename Function>
Answer on_lane(uint32_t stray, Answer no, Function&& function) noexcept {
  PluginLane* lane = PluginLane::current();
  if (lane == nullptr) {
    StrayCalls::note(stray);
    return no;
  }
  try {
    return function(*lane);
  } catch (const std::exception& failure) {
    say(printable(failure.what()));
    return no;
  }
}

inline berth_string abi_text(std::string_view text) { return {text.data(), text.size()}; }

// Writes the texts of an answer to a plugin's sink, if it has one.
inline void write_texts(Reader& answer, const berth_text_sink* sink) {
  const auto count = answer.get<uint64_t>();
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view text = answer.text();
    if (sink != nullptr && BERTH_HAS(sink, write) && sink->write != nullptr)
      sink->write(sink->context, abi_text(text));
  }
}

// A copy of a text, once for each, for the life of the process.
berth_string lasting(std::string_view text);

namespace stubs {

// A plugin's growable struct in the size of this build; what the plugin's does not have is zero. A
// null pointer gives a struct of size 0, which the engine refuses.
template <typename T>
T grown(const T* given) {
  T whole = {};
  if (given != nullptr) std::memcpy(&whole, given, std::min<size_t>(given->size, sizeof whole));
  return whole;
}

// A value of an answer. Its texts and arrays live until the call ends.
template <typename T>
T kept(PluginLane& lane, Reader& answer) {
  if constexpr (std::is_same_v<T, berth_string>)
    return abi_text(lane.keep(answer.text()));
  else
    return take_value<T>(answer, lane.memory());
}

// Null, or the object and its number.
template <typename T>
const T* object_of(PluginLane& lane, Reader& answer) {
  const auto number = answer.get<uint32_t>();
  if (number == 0) return nullptr;
  auto* object = reinterpret_cast<T*>(lane.memory().take(sizeof(T)));
  *object = kept<T>(lane, answer);
  lane.know(object, number);
  return object;
}

template <typename Result>
Result result_of([[maybe_unused]] PluginLane& lane, [[maybe_unused]] Reader& answer) {
  if constexpr (std::is_same_v<Result, Done>) {
    return {};
  } else if constexpr (std::is_same_v<Result, berth_string>) {
    return lasting(answer.text());
  } else if constexpr (std::is_pointer_v<Result>) {
    using T = std::remove_cv_t<std::remove_pointer_t<Result>>;
    if constexpr (kObjectKind<T> != 0)
      return object_of<T>(lane, answer);
    else
      return reinterpret_cast<Result>(answer.get<uint64_t>());
  } else {
    return answer.get<Result>();
  }
}

// Calls `visitor` with what the engine's function gave it, when all of that was read: it may ask.
template <typename... Given>
void visit(PluginLane& lane, Reader& answer, void* context, void (*visitor)(void*, Given...)) {
  std::vector<std::tuple<std::remove_cv_t<std::remove_pointer_t<Given>>...>> all;
  const auto count = answer.get<uint64_t>();
  for (uint64_t i = 0; i < count; ++i)
    all.push_back({kept<std::remove_cv_t<std::remove_pointer_t<Given>>>(lane, answer)...});
  const auto passed = []<typename T>(const auto& value) -> T {
    if constexpr (std::is_pointer_v<T>)
      return &value;
    else
      return value;
  };
  for (const auto& one : all)
    std::apply(
        [&](const auto&... values) {
          visitor(context, passed.template operator()<Given>(values)...);
        },
        one);
}

}  // namespace stubs

template <auto kMember, typename = typename Signature<kMember>::Parameters>
struct Stub;
template <auto kMember, typename... A>
struct Stub<kMember, std::tuple<A...>> {
  using Signed = Signature<kMember>;
  using Result = typename Signed::Result;
  using Answer = typename Signed::Answer;
  using Given = std::tuple<A...>;

  // A member of the table.
  static Result call(A... arguments) noexcept {
    const Given given(arguments...);
    return static_cast<Result>(
        on_lane(static_cast<uint32_t>(kAsk<kMember>), kFailure<kMember>,
                [&](PluginLane& lane) { return ask(lane, given, typename Signed::Indices()); }));
  }

 private:
  template <size_t... kAt>
  static Answer ask(PluginLane& lane, const Given& given, std::index_sequence<kAt...>) {
    Writer question;
    if (!(put<kAt>(lane, question, given) && ...)) return kFailure<kMember>;
    (put_array<kAt>(question, given), ...);
    Reader answer = lane.ask(kAsk<kMember>, question);
    const Answer result = stubs::result_of<Answer>(lane, answer);
    (take<kAt>(lane, answer, given, wrote<kMember>(result)), ...);
    (visit<kAt>(lane, answer, given), ...);
    return result;
  }

  // False: the plugin passed an object that it did not get in this call.
  template <size_t kAt>
  static bool put(PluginLane& lane, Writer& question, const Given& given) {
    constexpr Way kWay = Signed::template kWay<kAt>;
    const auto& argument = std::get<kAt>(given);
    if constexpr (kWay == Way::kValue) {
      put_value(question, argument);
    } else if constexpr (kWay == Way::kWhatIf) {
      // The berth_what_if of a plugin is the number under which the engine knows it.
      question.put(reinterpret_cast<uint64_t>(argument));
    } else if constexpr (kWay == Way::kObject) {
      const uint32_t number = lane.number_of(argument);
      if (argument != nullptr && number == 0) return false;
      question.put(number);
    } else if constexpr (kWay == Way::kStruct) {
      put_value(question, stubs::grown(argument));
    }
    return true;
  }

  // Behind the other arguments, of which one is its length.
  template <size_t kAt>
  static void put_array(Writer& question, const Given& given) {
    if constexpr (Signed::template kWay<kAt> == Way::kArray)
      put_values(question, std::get<kAt>(given), std::get<length_of<Given>()>(given));
  }

  template <size_t kAt>
  static void take(PluginLane& lane, Reader& answer, const Given& given, bool written) {
    constexpr Way kWay = Signed::template kWay<kAt>;
    const auto& argument = std::get<kAt>(given);
    if constexpr (kWay == Way::kSink) write_texts(answer, argument);
    if constexpr (kWay == Way::kOut)
      if (written)
        *argument =
            stubs::kept<std::remove_pointer_t<std::decay_t<decltype(argument)>>>(lane, answer);
  }

  template <size_t kAt>
  static void visit(PluginLane& lane, Reader& answer, const Given& given) {
    if constexpr (Signed::template kWay<kAt> == Way::kVisitor)
      stubs::visit(lane, answer, std::get<kAt - 1>(given), std::get<kAt>(given));
  }
};

// A table whose functions ask. Members that the process has itself are null.
template <typename Table>
constexpr Table asking_table() {
  Table table = {};
  table.size = sizeof table;
  [&]<auto... kMembers>(Functions<kMembers...>) {
    ((table.*kMembers = &Stub<kMembers>::call), ...);
  }
  (typename Described<Table>::Asks());
  return table;
}
template <typename Table>
inline constexpr Table kAsking = asking_table<Table>();

}  // namespace berth::isolation
