#pragma once

// The answers of the engine's functions, generated from services/services.h.

#include "engine/isolation/answers/host_answers.h"
#include "engine/isolation/services/services.h"

namespace berth::isolation {

namespace answers {

// Arguments of functions: a type for each way in which one travels. Nothing else crosses.
struct Nothing {};

template <typename T>
struct Struct {
  T value;
  Memory memory;
};

template <typename T>
struct Array {
  std::vector<T> values;
  Memory memory;
};

// Texts that a function writes.
struct Texts {
  std::vector<std::string> texts;
  berth_text_sink sink;

  static void write(void* context, berth_string text) {
    auto& texts = static_cast<Texts*>(context)->texts;
    if (text.data == nullptr)
      texts.emplace_back();
    else
      texts.emplace_back(text.data, text.size);
  }
};

// The values that a function gives to a visitor.
template <typename T>
struct Visits;
template <typename... Given>
struct Visits<void (*)(void*, Given...)> {
  uint64_t count = 0;
  Writer values;

  static void visit(void* context, Given... given) {
    auto& self = *static_cast<Visits*>(context);
    ++self.count;
    const auto put = [&](const auto& value) {
      if constexpr (std::is_pointer_v<std::decay_t<decltype(value)>>)
        put_value(self.values, *value);
      else
        put_value(self.values, value);
    };
    (put(given), ...);
  }
};

}  // namespace answers

template <auto kMember, typename = typename Signature<kMember>::Indices>
class Function;
template <auto kMember, size_t... kAt>
class Function<kMember, std::index_sequence<kAt...>> {
 public:
  // Throws BadMessage, and what the function throws.
  static void answer(HostAnswers& asked, Reader& question, Writer& answer) {
    const Table& table = asked.table<Table>();
    Held held{take<kAt>(asked, question)...};
    (take_array<kAt>(held, question), ...);
    const auto call = [&]() -> Answer {
      if constexpr (std::is_void_v<typename Signed::Result>)
        return (table.*kMember)(pass<kAt>(asked, table, held)...), Done();
      else
        return (table.*kMember)(pass<kAt>(asked, table, held)...);
    };
    const Answer result = (is_there<kAt>(held) && ...) ? call() : kFailure<kMember>;
    asked.put_result(answer, result);
    (put<kAt>(answer, held, wrote<kMember>(result)), ...);
    (put_visits<kAt>(answer, held), ...);
  }

 private:
  using Signed = Signature<kMember>;
  using Table = typename Signed::Table;
  using Answer = typename Signed::Answer;
  template <size_t kOne>
  using Parameter = std::tuple_element_t<kOne, typename Signed::Parameters>;
  template <size_t kOne>
  using Behind = std::remove_cv_t<std::remove_pointer_t<Parameter<kOne>>>;
  template <size_t kOne>
  static constexpr Way kWay = Signed::template kWay<kOne>;

  template <size_t kOne>
  static auto take([[maybe_unused]] HostAnswers& asked, [[maybe_unused]] Reader& question) {
    constexpr Way kIt = kWay<kOne>;
    using T = Behind<kOne>;
    if constexpr (kIt == Way::kValue) {
      Memory none;
      return take_value<T>(question, none);
    } else if constexpr (kIt == Way::kWhatIf) {
      return asked.what_if(question).at;
    } else if constexpr (kIt == Way::kObject) {
      return asked.object<T>(question.get<uint32_t>());
    } else if constexpr (kIt == Way::kStruct) {
      answers::Struct<T> held;
      held.value = take_value<T>(question, held.memory);
      return held;
    } else if constexpr (kIt == Way::kArray) {
      return answers::Array<T>();
    } else if constexpr (kIt == Way::kOut) {
      return T();
    } else if constexpr (kIt == Way::kSink) {
      return answers::Texts();
    } else if constexpr (kIt == Way::kVisitor) {
      return answers::Visits<Parameter<kOne>>();
    } else {
      return answers::Nothing();
    }
  }
  using Held =
      std::tuple<decltype(take<kAt>(std::declval<HostAnswers&>(), std::declval<Reader&>()))...>;

  template <size_t kOne>
  static void take_array([[maybe_unused]] Held& held, [[maybe_unused]] Reader& question) {
    if constexpr (kWay<kOne> == Way::kArray) {
      auto& [values, memory] = std::get<kOne>(held);
      const uint64_t count = std::get<length_of<typename Signed::Parameters>()>(held);
      values = take_values<Behind<kOne>>(question, count, memory);
    }
  }

  // Functions but those that say so do not take null for an object.
  template <size_t kOne>
  static bool is_there([[maybe_unused]] const Held& held) {
    if constexpr (kWay<kOne> == Way::kObject && !kMayBeNull<kMember, Parameter<kOne>>)
      return std::get<kOne>(held) != nullptr;
    else
      return true;
  }

  template <size_t kOne>
  static Parameter<kOne> pass([[maybe_unused]] HostAnswers& asked,
                              [[maybe_unused]] const Table& table, [[maybe_unused]] Held& held) {
    constexpr Way kIt = kWay<kOne>;
    auto& argument = std::get<kOne>(held);
    if constexpr (kIt == Way::kHost)
      return asked.host();
    else if constexpr (kIt == Way::kConfig)
      return &asked.table<berth_config>();
    else if constexpr (kIt == Way::kContext)
      return table.context;
    else if constexpr (kIt == Way::kStruct)
      return &argument.value;
    else if constexpr (kIt == Way::kArray)
      return argument.values.data();
    else if constexpr (kIt == Way::kOut)
      return &argument;
    else if constexpr (kIt == Way::kVisitor)
      return &argument.visit;
    else if constexpr (kIt == Way::kVisited)
      return &std::get<kOne + 1>(held);
    else if constexpr (kIt == Way::kSink) {
      argument.sink = {sizeof argument.sink, 0, &argument, answers::Texts::write};
      return &argument.sink;
    } else
      return argument;
  }

  template <size_t kOne>
  static void put([[maybe_unused]] Writer& answer, [[maybe_unused]] const Held& held,
                  [[maybe_unused]] bool written) {
    if constexpr (kWay<kOne> == Way::kOut)
      if (written) put_value(answer, std::get<kOne>(held));
    if constexpr (kWay<kOne> == Way::kSink) {
      const auto& texts = std::get<kOne>(held).texts;
      answer.put(uint64_t{texts.size()});
      for (const std::string& text : texts) answer.text(text);
    }
  }

  template <size_t kOne>
  static void put_visits([[maybe_unused]] Writer& answer, [[maybe_unused]] const Held& held) {
    if constexpr (kWay<kOne> == Way::kVisitor) {
      const auto& visits = std::get<kOne>(held);
      answer.put(visits.count);
      answer.append(visits.values.bytes().data(), visits.values.bytes().size());
    }
  }
};

// The end of a what-if gives back what was laid out for it, so HostAnswers does more than call it.
template <>
inline void Function<&berth_what_if_service::end>::answer(HostAnswers& asked, Reader& question,
                                                          Writer&) {
  asked.end_what_if(question);
}

}  // namespace berth::isolation
