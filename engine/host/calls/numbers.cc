#include "engine/host/calls/numbers.h"

#include "engine/host/calls/hook_invoke.h"
#include "engine/host/instance/text.h"

namespace berth::host {

NumbersSink::NumbersSink(NumbersSource& source, std::vector<Item>& items)
    : raw_{sizeof raw_, 0, this, item, number, text, term, pods}, source_(source), items_(items) {
  items_.clear();
}

bool NumbersSink::room() {
  if (++written_ <= kMostFacts) return true;
  fault_ = "wrote more than " + std::to_string(kMostFacts) + " numbers about one answer";
  return false;
}

void NumbersSink::item(void* context, berth_string name) noexcept {
  NumbersSink& self = of(context);
  if (self.room()) self.items_.push_back({copy_text(name).value_or(""), {}});
}

Fact* NumbersSink::add(berth_string name, Fact::Kind kind) {
  if (items_.empty() || !room()) return nullptr;
  Fact& made = items_.back().facts.emplace_back();
  made.name = copy_text(name).value_or("");
  made.kind = kind;
  return &made;
}

void NumbersSink::number(void* context, berth_string name, int64_t value, uint32_t unit) noexcept {
  NumbersSink& self = of(context);
  Fact* made = self.add(name, Fact::Kind::kNumber);
  if (made == nullptr) return;
  if (unit > BERTH_UNIT_BYTES)
    self.fault_ = "wrote a number of the unknown unit " + std::to_string(unit);
  made->number = value;
  made->unit = unit;
}

void NumbersSink::text(void* context, berth_string name, berth_string text) noexcept {
  if (Fact* made = of(context).add(name, Fact::Kind::kText))
    made->text = copy_text(text).value_or("");
}

void NumbersSink::term(void* context, berth_string name, uint32_t term) noexcept {
  NumbersSink& self = of(context);
  Fact* made = self.add(name, Fact::Kind::kText);
  if (made == nullptr) return;
  made->text = self.source_.term(term);
  if (made->text.empty())
    self.fault_ = "wrote the term " + std::to_string(term) + ", which does not exist";
}

void NumbersSink::pods(void* context, berth_string name, uint32_t column,
                       uint64_t element) noexcept {
  NumbersSink& self = of(context);
  if (Fact* made = self.add(name, Fact::Kind::kPods))
    made->pods = self.source_.pods(column, element);
}

CallError Hook::write_numbers(NumbersFunction numbers, CallContext& calls, berth_call& call,
                              NumbersSource& source, std::vector<Item>& items) const {
  items.clear();
  if (numbers == nullptr) return {};
  NumbersSink sink(source, items);
  CallError error = invoke(calls, call, [&] { return numbers(plugin_, &call, sink.raw()); });
  if (!error && !sink.fault().empty()) error = broken(calls, sink.fault());
  if (error) items.clear();
  return error;
}

}  // namespace berth::host
