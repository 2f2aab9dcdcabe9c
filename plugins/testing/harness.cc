#include "plugins/testing/harness.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>

#include "berth/sdk/text.hpp"
#include "plugins/testing/fake_numbers.h"

namespace berth::plugins::testing {

using sdk::to_abi;
using sdk::to_view;

void PrintTo(const Verdict& verdict, std::ostream* out) {
  *out << verdict.code;
  for (const std::string& reason : verdict.reasons) *out << " \"" << reason << '"';
}

struct Harness::Shape {
  std::vector<size_t> positions;
  std::vector<uint64_t> mask;  // empty: no mask
};

// One hook, prepared for one template, and calls of it.
class Harness::Prepared {
 public:
  Prepared(Harness& harness, const berth_hook& hook, const Columns& columns,
           std::string_view default_space)
      : harness_(harness), hook_(hook), columns_(columns), space_(to_view(hook.space)) {
    if (space_.empty()) space_ = default_space;
    if (space_ == "node.taints") space_ = "taint_set.";
    for (uint32_t i = 0; i < hook.input_count; ++i) inputs_.emplace_back(to_view(hook.inputs[i]));
    if (hook.prepare != nullptr) prepare();
    harness.inputs_ = inputs_;
    harness.passed_ = (prepared_.flags & BERTH_PREPARED_PASSES) != 0;
  }
  ~Prepared() {
    if (hook_.release != nullptr) hook_.release(harness_.plugin_, prepared_.state);
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const berth_hook& hook() const { return hook_; }

  // Number of positions of the hook's space.
  size_t size() const { return size_of(space_); }
  size_t size_of(std::string_view table) const {
    std::optional<size_t> size;
    for (const auto& [id, values] : columns_) {
      if (!id.starts_with(table)) continue;
      if (size && *size != values.count()) throw std::logic_error("columns of different lengths");
      size = values.count();
    }
    return size.value_or(1);
  }

  // Calls `function(call)` for these positions.
  template <class Function>
  auto at(const Shape& shape, uint32_t ran, Function&& function) const {
    std::vector<Values> kept;
    kept.reserve(inputs_.size());
    std::vector<berth_column> passed;
    for (const std::string& id : inputs_) {
      if (id.ends_with(":*")) {
        passed.push_back({});
        continue;
      }
      const Values& values = find(id);
      kept.push_back(id.starts_with(space_) ? values.gathered(shape.positions) : values);
      passed.push_back(kept.back().column());
    }
    berth_call call = call_over(passed);
    call.ran = ran;
    call.count = shape.positions.size();
    call.mask = shape.mask.empty() ? nullptr : shape.mask.data();
    return function(&call);
  }

  // A call over one position of these columns.
  berth_call call_over(const std::vector<berth_column>& columns) const {
    berth_call call{};
    call.size = sizeof(call);
    call.count = 1;
    call.columns = columns.data();
    call.column_count = static_cast<uint32_t>(columns.size());
    call.state = prepared_.state;
    call.error = &harness_.sink_;
    return call;
  }

  // The columns of calls, in order, from those that there are; the others have null data. One
  // element more, so that the address is not null.
  std::vector<berth_column> view(const Columns& columns) const {
    std::vector<berth_column> viewed(inputs_.size() + 1);
    for (size_t i = 0; i < inputs_.size(); ++i)
      if (const auto found = columns.find(inputs_[i]); found != columns.end())
        viewed[i] = found->second.column();
    return viewed;
  }

  // Calls for all positions at once, and in several other shapes that must give the same answers.
  template <class Answer, class Function>
  std::vector<Answer> everywhere(uint32_t ran, Function&& function) const {
    Shape all;
    all.positions.resize(size());
    std::iota(all.positions.begin(), all.positions.end(), size_t{0});
    const auto run = [&](const Shape& shape) {
      return at(shape, ran, [&](const berth_call* call) {
        std::vector<Answer> answers(call->count + 1, Answer{77});
        harness_.check(function(call, answers.data()));
        if (answers.back() != Answer{77}) throw std::logic_error("wrote behind its last position");
        answers.pop_back();
        return answers;
      });
    };
    const std::vector<Answer> answers = run(all);
    Shape backwards = all;
    std::reverse(backwards.positions.begin(), backwards.positions.end());
    std::vector<Answer> reversed = run(backwards);
    std::reverse(reversed.begin(), reversed.end());
    if (reversed != answers) throw std::logic_error("answers depend on the order of positions");
    for (size_t i = 0; i < answers.size(); ++i) {
      if (run({{i}, {}}) != std::vector<Answer>{answers[i]})
        throw std::logic_error("an answer depends on other positions");
      Shape masked = all;
      masked.mask.assign(answers.size() / 64 + 1, 0);
      masked.mask[i / 64] = uint64_t{1} << (i % 64);
      if (run(masked)[i] != answers[i]) throw std::logic_error("an answer depends on the mask");
    }
    return answers;
  }

 private:
  void prepare() {
    std::vector<berth_column> pod;
    for (const std::string& id : inputs_)
      pod.push_back(id.starts_with("pod.") ? find(id).column() : berth_column{});
    const berth_template shown = {sizeof(shown), static_cast<uint32_t>(pod.size()), pod.data(),
                                  &harness_.sink_};
    prepared_.size = sizeof(prepared_);
    harness_.check(hook_.prepare(harness_.plugin_, &shown, &prepared_));
    if (prepared_.inputs == nullptr) return;
    const std::vector<std::string> declared = std::move(inputs_);
    inputs_.clear();
    for (uint32_t i = 0; i < prepared_.input_count; ++i) {
      const std::string& id = harness_.host_.column_text(prepared_.inputs[i]);
      if (!covers(declared, id)) throw std::logic_error("not declared: " + id);
      inputs_.push_back(id);
    }
  }
  static bool covers(const std::vector<std::string>& declared, std::string_view id) {
    return std::any_of(declared.begin(), declared.end(), [&](const std::string& one) {
      return one == id || (one.ends_with(":*") && id.starts_with(one.substr(0, one.size() - 1)));
    });
  }
  const Values& find(const std::string& id) const {
    const auto found = columns_.find(id);
    if (found == columns_.end()) throw std::logic_error("the test gives no column " + id);
    return found->second;
  }

  Harness& harness_;
  const berth_hook& hook_;
  const Columns& columns_;
  std::string_view space_;
  std::vector<std::string> inputs_;
  berth_prepared prepared_{};
};

Harness::Harness(FakeHost& host, std::string_view arguments) : host_(host) {
  sink_ = {sizeof(sink_), 0, this, [](void* context, berth_string text) {
             static_cast<Harness*>(context)->error_ = to_view(text);
           }};
  plugin_ = descriptor().create();
  if (plugin_ == nullptr) throw std::runtime_error("create returned null");
  Rules rules;
  for (const std::string& name : host.run.rules)
    if (const RuleInfo* info = find_rule(name)) rules.set(info->rule, true);
  FakeConfig config(arguments, rules);
  const berth_code code = descriptor().init(plugin_, host.raw(), config.raw(), &sink_);
  if (code == BERTH_SUCCESS && config.errors().empty()) return;
  descriptor().destroy(plugin_);
  throw std::runtime_error(code == BERTH_SUCCESS ? config.errors().front() : error_);
}

Harness::~Harness() {
  pre_scored_.reset();
  descriptor().destroy(plugin_);
}

const berth_plugin_descriptor& Harness::descriptor() { return *berth_plugin_entry_v1(); }

std::vector<std::string> Harness::validate(std::string_view arguments, const Rules& rules) {
  FakeConfig config(arguments, rules);
  if (descriptor().validate == nullptr) return {"takes no arguments"};
  if (descriptor().validate(config.raw()) != BERTH_SUCCESS)
    throw std::logic_error("validate failed");
  std::vector<std::string> found = config.errors();
  for (const std::string& path : config.unknown()) found.push_back(path + ": unknown field");
  return found;
}

const void* Harness::extension(std::string_view point) const {
  return descriptor().extension(plugin_, to_abi(point));
}

void Harness::check(berth_code code) const {
  if (code != BERTH_SUCCESS) throw std::runtime_error(error_);
}

std::vector<std::string> Harness::describe(const Prepared& prepared, uint32_t reason,
                                           size_t position, uint32_t ran) {
  std::vector<std::string> texts;
  const berth_text_sink sink = {
      sizeof(sink), 0, &texts, [](void* context, berth_string text) {
        static_cast<std::vector<std::string>*>(context)->emplace_back(to_view(text));
      }};
  prepared.at({{position}, {}}, ran, [&](const berth_call* call) {
    prepared.hook().describe(plugin_, call, reason, &sink);
  });
  return texts;
}

std::vector<Verdict> Harness::pre_enqueue(const Columns& columns) {
  const auto& point = *table<berth_pre_enqueue>(BERTH_PRE_ENQUEUE);
  const Prepared prepared(*this, *point.hook, columns, "pod.");
  std::vector<uint32_t> reasons(prepared.size());
  const auto codes = prepared.everywhere<uint8_t>(0, [&](const berth_call* call, uint8_t* out) {
    return point.check(plugin_, call, out, reasons.data());
  });
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < codes.size(); ++i) {
    verdicts.push_back({codes[i], {}});
    if (codes[i] == BERTH_SUCCESS) continue;
    prepared.at({{i}, {}}, 0, [&](const berth_call* call) {
      uint8_t code = 0;
      return point.check(plugin_, call, &code, &reasons[i]);
    });
    verdicts[i].reasons = describe(prepared, reasons[i], i, 0);
  }
  return verdicts;
}

std::vector<std::string> Harness::queue_keys(const Columns& columns) {
  const auto& point = *table<berth_queue_sort>(BERTH_QUEUE_SORT);
  const Prepared prepared(*this, *point.hook, columns, "pod.");
  std::vector<std::string> keys;
  for (size_t i = 0; i < prepared.size(); ++i)
    prepared.at({{i}, {}}, 0, [&](const berth_call* call) {
      uint8_t key[1][16];
      check(point.keys(plugin_, call, key));
      keys.emplace_back(reinterpret_cast<const char*>(key[0]), 16);
    });
  return keys;
}

uint32_t Harness::actions(uint32_t kind) {
  return table<berth_hints>(BERTH_HINTS)->actions(plugin_, kind);
}

bool Harness::hint(const Columns& columns, const HintEvent& event) {
  const auto& point = *table<berth_hints>(BERTH_HINTS);
  const Prepared prepared(*this, *point.hook, columns, "");
  if ((actions(event.kind) & event.action) == 0)
    throw std::logic_error("the plugin does not want such an event");
  const Columns none;
  const std::vector<berth_column> before = prepared.view(event.before ? *event.before : none);
  const std::vector<berth_column> after = prepared.view(event.after ? *event.after : none);
  const berth_event shown = {sizeof(shown),
                             event.kind,
                             event.action,
                             event.node,
                             event.nominated_node,
                             event.self,
                             event.self ? 7u : 8u,
                             event.before ? before.data() : nullptr,
                             event.after ? after.data() : nullptr,
                             event.object_before,
                             event.object_after};
  std::vector<berth_column> passed = prepared.view(columns);
  passed.pop_back();
  const berth_call call = prepared.call_over(passed);
  uint8_t queue = 77;
  check(point.hint(plugin_, &call, &shown, &queue));
  if (queue > 1) throw std::logic_error("a hint that is neither 0 nor 1");
  return queue != 0;
}

PreFilterAnswer Harness::pre_filter(const Columns& columns) {
  const auto& point = *table<berth_pre_filter>(BERTH_PRE_FILTER);
  const Prepared prepared(*this, *point.hook, columns, "pod.");
  berth_pre_filter_result result{};
  result.size = sizeof(result);
  prepared.at({{0}, {}}, 0,
              [&](const berth_call* call) { check(point.pre_filter(plugin_, call, &result)); });
  PreFilterAnswer answer;
  answer.code = result.code;
  answer.narrows = result.narrows != 0;
  answer.node_names.assign(result.node_names, result.node_names + result.node_name_count);
  if (result.code != BERTH_SUCCESS && result.code != BERTH_SKIP)
    answer.reasons = describe(prepared, result.reason, 0, 0);
  return answer;
}

std::vector<Verdict> Harness::filter(const Columns& columns, uint32_t ran) {
  const auto& point = *table<berth_filter>(BERTH_FILTER);
  const Prepared prepared(*this, *point.hook, columns, "node.");
  error_.clear();
  const auto codes = prepared.everywhere<uint8_t>(
      ran, [&](const berth_call* call, uint8_t* out) { return point.filter(plugin_, call, out); });
  std::vector<uint32_t> reasons;
  if (codes.empty() || *std::max_element(codes.begin(), codes.end()) > BERTH_ERROR)
    reasons = prepared.everywhere<uint32_t>(ran, [&](const berth_call* call, uint32_t* out) {
      return point.reasons(plugin_, call, out);
    });
  std::map<uint32_t, std::vector<std::string>> texts;  // by reason
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < codes.size(); ++i) {
    verdicts.push_back({codes[i], {}});
    if (passed_ && codes[i] != BERTH_SUCCESS)
      throw std::logic_error("said that it passes, and refuses");
    if (codes[i] <= BERTH_ERROR) continue;
    verdicts[i].reasons = describe(prepared, reasons[i], i, ran);
    if (prepared.hook().space.size != 0 || (reasons[i] & BERTH_REASON_OF_POSITION) != 0) continue;
    const auto [text, fresh] = texts.emplace(reasons[i], verdicts[i].reasons);
    if (!fresh && text->second != verdicts[i].reasons)
      throw std::logic_error("one reason with two texts");
  }
  return verdicts;
}

berth_code Harness::pre_score(const Columns& columns, const std::vector<uint8_t>& feasible) {
  const auto& point = *table<berth_pre_score>(BERTH_PRE_SCORE);
  pre_scored_ = std::make_unique<Prepared>(*this, *point.hook, columns, "pod.");
  const Prepared& prepared = *pre_scored_;
  const size_t rows = feasible.empty() ? prepared.size_of("node.") : feasible.size();
  std::vector<uint64_t> bits((rows + 63) / 64);
  berth_feasible set{};
  set.size = sizeof(set);
  for (size_t row = 0; row < rows; ++row) {
    if (!feasible.empty() && feasible[row] == 0) continue;
    bits[row / 64] |= uint64_t{1} << row % 64;
    ++set.feasible;
  }
  set.rows = bits.data();
  set.row_count = rows;
  set.generation = ++generation_;
  const bool follows = point.hook->depends == BERTH_DEPENDS_FEASIBLE;
  berth_pre_score_result result{};
  result.size = sizeof(result);
  prepared.at({{0}, {}}, 0, [&](const berth_call* call) {
    check(point.pre_score(plugin_, call, follows ? &set : nullptr, &result));
  });
  changed_ = result.changed != 0;
  return result.code;
}

std::vector<int64_t> Harness::score(const Columns& columns, uint32_t ran) {
  const auto& point = *table<berth_score>(BERTH_SCORE);
  const Prepared prepared(*this, *point.hook, columns, "node.");
  const auto raw = prepared.everywhere<int64_t>(
      ran, [&](const berth_call* call, int64_t* out) { return point.score(plugin_, call, out); });
  if (passed_ && std::any_of(raw.begin(), raw.end(), [](int64_t one) { return one != 0; }))
    throw std::logic_error("said that it scores 0 everywhere, and does not");
  return raw;
}

template <class Table>
std::vector<std::vector<std::string>> Harness::numbers(const Table& point, const Columns& columns,
                                                       uint32_t ran) {
  const Prepared prepared(*this, *point.hook, columns, "node.");
  std::vector<std::vector<std::string>> all;
  for (size_t i = 0; i < prepared.size(); ++i) {
    FakeNumbers numbers(inputs_);
    prepared.at({{i}, {}}, ran, [&](const berth_call* call) {
      check(point.numbers(plugin_, call, numbers.raw()));
    });
    all.push_back(numbers.items());
  }
  return all;
}

std::vector<std::vector<std::string>> Harness::filter_numbers(const Columns& columns) {
  return numbers(*table<berth_filter>(BERTH_FILTER), columns, BERTH_RAN_PRE_FILTER);
}

std::vector<std::vector<std::string>> Harness::score_numbers(const Columns& columns) {
  return numbers(*table<berth_score>(BERTH_SCORE), columns, BERTH_RAN_PRE_SCORE);
}

std::vector<uint8_t> Harness::bind(const Columns& columns, const uint64_t* mask) {
  const auto& point = *table<berth_bind>(BERTH_BIND);
  const Prepared prepared(*this, *point.hook, columns, "");
  Shape all;
  all.positions.resize(columns.at("pod.handle").count());
  std::iota(all.positions.begin(), all.positions.end(), size_t{0});
  if (mask != nullptr) all.mask.assign(mask, mask + all.positions.size() / 64 + 1);
  return prepared.at(all, 0, [&](const berth_call* call) {
    std::vector<uint8_t> codes(call->count, 77);
    check(point.bind(plugin_, call, codes.data()));
    return codes;
  });
}

template <class Function>
auto Harness::at_placements(const Prepared& prepared, const Columns& columns, Function&& function) {
  Shape all;
  all.positions.resize(columns.at("pod.handle").count());
  std::iota(all.positions.begin(), all.positions.end(), size_t{0});
  return prepared.at(all, 0, function);
}

std::vector<uint8_t> Harness::reserve(const Columns& columns) {
  const auto& point = *table<berth_reserve>(BERTH_RESERVE);
  const Prepared prepared(*this, *point.hook, columns, "");
  return at_placements(prepared, columns, [&](const berth_call* call) {
    std::vector<uint8_t> codes(call->count, 77);
    std::vector<uint32_t> reasons(call->count);
    check(point.reserve(plugin_, call, codes.data(), reasons.data()));
    return codes;
  });
}

void Harness::unreserve(const Columns& columns) {
  const auto& point = *table<berth_reserve>(BERTH_RESERVE);
  const Prepared prepared(*this, *point.hook, columns, "");
  at_placements(prepared, columns, [&](const berth_call* call) { point.unreserve(plugin_, call); });
}

std::vector<uint8_t> Harness::pre_flight(const Columns& columns) {
  const auto& point = *table<berth_pre_bind>(BERTH_PRE_BIND);
  const Prepared prepared(*this, *point.hook, columns, "");
  return at_placements(prepared, columns, [&](const berth_call* call) {
    std::vector<uint8_t> codes(call->count, 77);
    check(point.pre_flight(plugin_, call, codes.data()));
    return codes;
  });
}

std::vector<uint8_t> Harness::pre_bind(const Columns& columns, int64_t waited) {
  const auto& point = *table<berth_pre_bind>(BERTH_PRE_BIND);
  const Prepared prepared(*this, *point.hook, columns, "");
  error_.clear();
  return at_placements(prepared, columns, [&](const berth_call* call) {
    std::vector<uint8_t> codes(call->count, 77);
    const std::vector<int64_t> all(call->count, waited);
    std::vector<int64_t> again(call->count);
    check(point.pre_bind_or_wait(plugin_, call, all.data(), codes.data(), again.data()));
    return codes;
  });
}

std::vector<PermitAnswer> Harness::permit(const Columns& columns) {
  const auto& point = *table<berth_permit>(BERTH_PERMIT);
  const Prepared prepared(*this, *point.hook, columns, "");
  return at_placements(prepared, columns, [&](const berth_call* call) {
    std::vector<uint8_t> codes(call->count, 77);
    std::vector<uint32_t> reasons(call->count);
    std::vector<int64_t> timeouts(call->count);
    check(point.permit(plugin_, call, codes.data(), reasons.data(), timeouts.data()));
    std::vector<PermitAnswer> answers;
    for (size_t i = 0; i < codes.size(); ++i) {
      answers.push_back({codes[i], {}, timeouts[i]});
      if (codes[i] == BERTH_UNSCHEDULABLE || codes[i] == BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE)
        answers[i].reasons = describe(prepared, reasons[i], i, 0);
    }
    return answers;
  });
}

}  // namespace berth::plugins::testing
