#include "engine/host/calls/hook.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>

#include "engine/base/error.h"
#include "engine/host/calls/checks/code_name.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/calls/hook_invoke.h"
#include "engine/host/faults/floating_point.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/host/instance/text.h"
#include "engine/host/loading/library.h"
#include "engine/host/run/kept.h"
#include "engine/model/columns/catalog.h"

namespace berth::host {
namespace {

// Guards against a count that is garbage. A pod has far fewer terms and constraints than this: an
// API server takes objects of 1.5 MiB at most, and each needs a few columns.
constexpr uint32_t kMostInputs = 1u << 20;

std::string declared_text(berth_string text, const std::string& what) {
  auto copy = copy_text(text);
  if (!copy) throw Error("has a malformed text as " + what);
  return *std::move(copy);
}

// The name of a value of berth_hook.input_types: "u32", "a list of i64".
std::string type_name(uint32_t type) {
  constexpr std::array<std::string_view, 7> kNames = {"", "u8", "u32", "i32", "i64", "u64", "f64"};
  const uint32_t element = type & ~BERTH_LIST_OF;
  if (element == 0 || element >= kNames.size()) return "the unknown type " + std::to_string(type);
  return (type != element ? "a list of " : "") + std::string(kNames[element]);
}

// "12.4 s"; under a second "50 ms".
std::string seconds_text(std::chrono::nanoseconds time) {
  const auto tenths = std::chrono::duration_cast<std::chrono::milliseconds>(time).count() / 100;
  if (tenths < 10)
    return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) +
           " ms";
  const std::string rest = tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10);
  return std::to_string(tenths / 10) + rest + " s";
}

// Shows the watchdog that something is in progress that is not counted as a call.
class WatchedScope {
 public:
  WatchedScope(CallContext& calls, HookId id) : calls_(calls), outer_(calls.enter(id)) {}
  ~WatchedScope() { calls_.leave(outer_); }
  WatchedScope(const WatchedScope&) = delete;
  WatchedScope& operator=(const WatchedScope&) = delete;

 private:
  CallContext& calls_;
  const uint64_t outer_;
};

// A sink that collects the texts of reasons, one per `write`. If a text cannot be copied, a text
// that names the plugin and the fault takes its place.
struct ReasonTexts {
  std::vector<std::string>& texts;
  std::string_view plugin;
  const berth_text_sink sink{sizeof sink, 0, this, write};

  static void write(void* context, berth_string text) noexcept {
    auto& self = *static_cast<ReasonTexts*>(context);
    constexpr size_t kMost = 256;
    if (self.texts.size() == kMost) return;
    auto copy = copy_text(text);
    self.texts.push_back(copy ? *std::move(copy)
                              : "plugin " + in_quotes(self.plugin) + " gave a reason of " +
                                    std::to_string(text.size) + " bytes");
  }
};

}  // namespace

Prepared& Prepared::operator=(Prepared&& other) noexcept {
  if (this == &other) return *this;
  release();
  hook_ = std::exchange(other.hook_, nullptr);
  state_ = std::exchange(other.state_, nullptr);
  passes_ = std::exchange(other.passes_, false);
  narrowed_ = std::exchange(other.narrowed_, false);
  inputs_ = std::exchange(other.inputs_, {});
  return *this;
}

void Prepared::release() noexcept {
  if (state_ != nullptr) hook_->release(std::exchange(state_, nullptr));
}

Hook::Hook(Point point, const Owner& owner, const berth_hook* hook)
    : point_(point),
      plugin_(owner.plugin),
      plugin_name_(owner.name),
      function_{plugin_name_, point_name(point), owner.file, Keeps::kNothing},
      preparing_{plugin_name_, point_name(point), owner.file, Keeps::kStates},
      environment_(owner.environment),
      apart_(owner.apart) {
  if (hook == nullptr) throw Error("has no hook");
  if (!BERTH_HAS(hook, describe)) {
    throw Error("has a hook of " + std::to_string(hook->size) + " bytes; ABI " + host_abi() +
                " has " + std::to_string(sizeof *hook));
  }
  if (const auto problem = reserved_problem(hook->reserved))
    throw Error("has a hook with " + *problem);
  if (hook->input_count > kMostInputs || (hook->inputs == nullptr && hook->input_count != 0)) {
    throw Error("declares " + std::to_string(hook->input_count) + " inputs without naming them");
  }
  depends_ = hook->depends;
  function_.keeps = kept_of(point_, depends_);
  space_ = declared_text(hook->space, "its space");
  for (uint32_t i = 0; i < hook->input_count; ++i) {
    inputs_.push_back(declared_text(hook->inputs[i], "input " + std::to_string(i)));
  }
  const uint32_t* types = BERTH_HAS(hook, input_types) ? hook->input_types : nullptr;
  prepare_ = hook->prepare;
  release_ = hook->release;
  describe_ = hook->describe;
  check_declaration();
  if (types != nullptr) check_types({types, inputs_.size()});
  id_ = environment_->hooks.add(plugin_name_, point_name(point_), function_.file);
}

void Hook::check_declaration() const {
  ModelServices& model = environment_->model;
  if (depends_ > BERTH_DEPENDS_EXTERNAL) {
    throw Error("depends on " + std::to_string(depends_) + ", which is none of BERTH_DEPENDS_");
  }
  const bool nodes = point_ == Point::kFilter || point_ == Point::kScore;
  if (!space_.empty() && (!nodes || !model.is_node_dictionary(space_))) {
    throw Error("has the space " + in_quotes(space_) + ", which is " +
                (nodes ? "no dictionary column of nodes" : "not possible at this point"));
  }
  for (const std::string& input : inputs_) {
    if (!model.knows_column(input)) {
      throw Error("declares the input " + in_quotes(input) + ", which this Berth does not have" +
                  column_meant(input));
    }
    if (point_ != Point::kHints && input.starts_with("event.")) {
      throw Error("declares the input " + in_quotes(input) + ", which only hints have");
    }
  }
  if ((prepare_ == nullptr) != (release_ == nullptr)) {
    throw Error(prepare_ == nullptr ? "has release without prepare"
                                    : "has prepare without release");
  }
}

void Hook::check_types(std::span<const uint32_t> types) const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const model::KnownColumn* column = model::find_known_column(inputs_[i]);
    if (types[i] == 0 || column == nullptr) continue;
    const uint32_t type = column->type | (column->list ? BERTH_LIST_OF : 0);
    if (types[i] == type) continue;
    throw Error("declares the input " + in_quotes(inputs_[i]) + " as " + type_name(types[i]) +
                "; it is " + type_name(type));
  }
}

uint64_t Hook::living_process() const {
  BERTH_ASSERT(is_apart());
  return apart_->living_process();
}

void Hook::require(bool present, std::string_view function) {
  if (!present) throw Error("has no function " + std::string(function));
}

CallError Hook::prepare(CallContext& calls, std::span<const berth_column> pod,
                        Prepared& prepared) const {
  prepared = Prepared();
  if (prepare_ == nullptr) return {};
  const berth_template shown = {sizeof shown, static_cast<uint32_t>(pod.size()), pod.data(),
                                calls.sink()};
  berth_prepared answer = {};
  answer.size = sizeof answer;
  berth_code code = BERTH_ERROR;
  static_cast<void>(environment_->model.take_unknown_column());
  CallError error =
      invoke_in(preparing_, calls, [&] { return code = prepare_(plugin_, &shown, &answer); });
  if (error && error.kind() == CallError::Kind::kReported)
    if (const std::string unknown = environment_->model.take_unknown_column(); !unknown.empty())
      error = CallError(CallError::Kind::kReported, error.text() + "; " + unknown);
  // A state of a call that fails for what the function did besides is released as others are.
  Prepared made;
  made.hook_ = this;
  if (code == BERTH_SUCCESS) made.state_ = answer.state;
  if (error) return error;
  if ((answer.flags & ~BERTH_PREPARED_PASSES) != 0) {
    return broken(calls, "returned the unknown flags " + std::to_string(answer.flags) +
                             " from prepare of " + std::string(point_name(point_)));
  }
  if (const auto problem = reserved_problem(answer.reserved)) {
    return broken(calls,
                  "returned " + *problem + ", from prepare of " + std::string(point_name(point_)));
  }
  made.passes_ = answer.flags != 0;
  if (answer.inputs != nullptr) error = take_inputs(calls, answer, made);
  if (!error) prepared = std::move(made);
  return error;
}

CallError Hook::take_inputs(CallContext& calls, const berth_prepared& answer,
                            Prepared& made) const {
  const std::string from = " from prepare of " + std::string(point_name(point_));
  if (answer.input_count > kMostInputs) {
    return broken(calls, "returned " + std::to_string(answer.input_count) + " inputs" + from +
                             ", expected at most " + std::to_string(kMostInputs));
  }
  made.narrowed_ = true;
  made.inputs_.assign(answer.inputs, answer.inputs + answer.input_count);
  for (size_t i = 0; i < made.inputs_.size(); ++i) {
    const std::string_view id = environment_->model.column_id(made.inputs_[i]);
    if (!id.empty() && covers(id)) continue;
    return broken(
        calls,
        "returned " +
            (id.empty()
                 ? "a column that does not exist (number " + std::to_string(made.inputs_[i]) + ")"
                 : "the column " + in_quotes(id) + ", which its declaration does not cover,") +
            " as input " + std::to_string(i) + from);
  }
  return {};
}

bool Hook::covers(std::string_view column) const {
  return std::any_of(inputs_.begin(), inputs_.end(), [column](std::string_view declared) {
    if (declared == column) return true;
    return declared.ends_with(":*") && column.starts_with(declared.substr(0, declared.size() - 1));
  });
}

CallError Hook::describe(CallContext& calls, berth_call& call, uint32_t reason,
                         std::vector<std::string>& texts) const {
  texts.clear();
  CallError error;
  if (describe_ != nullptr) {
    ReasonTexts out{texts, plugin_name_};
    error = invoke(calls, call, [&] {
      describe_(plugin_, &call, reason, &out.sink);
      return BERTH_SUCCESS;
    });
  }
  if (!error && texts.empty())
    texts.push_back("plugin " + in_quotes(plugin_name_) + " gave no reason");
  return error;
}

CallError Hook::take_posted(CallContext& calls, Together& together, const Posted& posted,
                            berth_call& call, void* answers) const {
  call = {};
  call.count = posted.count;
  return invoke_rows(calls, call, [&] { return together.take(posted, call.error, answers); });
}

void Hook::release(void* state) const noexcept {
  const PluginFunction called = function("release");
  CallContext* calls = environment_->cycle;
  std::string problem;
  try {
    if (calls == nullptr || !calls->watched()) {
      const LifeCycleCall scope(called);
      release_(plugin_, state);
    } else {
      const InPlugin scope(called);
      const WatchedScope watched(*calls, id_);
      release_(plugin_, state);
    }
    problem = restore_floating_point(called.function);
  } catch (...) {
    problem = caught_in(called);
  }
  if (!problem.empty()) environment_->log.write(BERTH_LOG_ERROR, plugin_name_, problem);
}

void Hook::count_error(CallContext& calls) const {
  ++calls.counts(id_).errors;
  calls.log_code(id_, BERTH_ERROR);
}

void Hook::count_broken(CallContext& calls) const {
  ++calls.counts(id_).broken;
  count_error(calls);
}

CallError Hook::broken(CallContext& calls, const std::string& what) const {
  Refusal::forget();
  count_broken(calls);
  return {CallError::Kind::kBroken, "plugin " + in_quotes(plugin_name_) + " " + what};
}

CallError Hook::broken_at(CallContext& calls, const std::string& what, size_t position,
                          size_t count, std::string_view rest) const {
  std::string text = broken(calls, what).text();
  const size_t begin = text.size();
  const std::string place = at_position(position, count);
  text.append(place).append(rest);
  return {CallError::Kind::kBroken, std::move(text), position, begin, place.size()};
}

CallError Hook::check_codes(CallContext& calls, const berth_call& call, std::string_view what,
                            std::span<const uint8_t> codes, CodeSet allowed) const {
  const size_t position = first_outside(codes.first(call.count), allowed, call.mask);
  if (position == kNowhere) return {};
  if (codes[position] == kUnwrittenCode)
    return broken_at(calls, "wrote no " + std::string(what), position, call.count);
  return broken_at(calls, "returned " + std::string(what) + " " + code_word(codes[position]),
                   position, call.count,
                   "; " + std::string(point_name(point_)) + " may return " + code_list(allowed));
}

CallError Hook::reported(CallContext& calls) const {
  count_error(calls);
  return {CallError::Kind::kReported, std::string(calls.error_text())};
}

CallError Hook::failed(CallContext& calls, berth_code code) const {
  if (code == BERTH_ERROR) return reported(calls);
  return broken(calls, "returned code " + code_word(code) + " from a call of " +
                           std::string(point_name(point_)) + "; a call may return " +
                           code_list(code_bit(BERTH_SUCCESS) | code_bit(BERTH_ERROR)));
}

CallError Hook::late_or_refused(const PluginFunction& in, CallContext& calls) const {
  if (Refusal::of(in)) return CallError::misuse(broken(calls, Refusal::text(in)).text());
  count_broken(calls);
  const CallContext::Lateness late = calls.lateness();
  return {CallError::Kind::kLate, "plugin " + in_quotes(plugin_name_) + " took too long in " +
                                      std::string(point_name(point_)) + ": " +
                                      seconds_text(std::chrono::steady_clock::now() - late.since) +
                                      ", where a call may take " + seconds_text(late.allowed)};
}

CallError Hook::used_the_model(CallContext& calls, const TagScope& scope) const {
  const CallError error = broken(
      calls, "called " + std::string(scope.refused()) + " in " + std::string(point_name(point_)) +
                 "; a function with the tag " + scope.tag() + " may not");
  return CallError::misuse(error.text());
}

CallError Hook::threw(CallContext& calls) const {
  count_broken(calls);
  Refusal::forget();
  restore_floating_point(function_.function);
  return {CallError::Kind::kThrew,
          "plugin " + in_quotes(plugin_name_) + " " + caught_in(function_)};
}

}  // namespace berth::host
