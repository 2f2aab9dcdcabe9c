#pragma once

// The calls of one Filter or Score hook for the pod of a decision, over ranges of rows or over
// single ones. A hook over a dictionary is called once for all codes, and its answers are expanded
// to rows.
//
// A call of a plugin in a process of its own can be posted in a round (host/calls/together.h): the
// function that makes the same call within the round takes the answers then.

#include <algorithm>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/decision_context.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {

// Point: host::Filter with Answer = uint8_t (a verdict), host::Score with int64_t (a raw score).
// After `begin` any thread may call the other functions, each with its own part, while the model is
// not modified; and `begin`, too, if no column of the state lags.
template <typename Point, typename Answer>
class HookCalls {
 public:
  HookCalls() = default;
  // The hook and the state outlive the calls. `ran`: BERTH_RAN_ bits. Precondition of all other
  // functions that call the hook: preparing the state did not fail.
  HookCalls(const HookAt<Point>& hook, TemplateHook& state, uint32_t ran)
      : hook_(&hook), state_(&state), ran_(ran) {}

  // True if the post_ functions post anything: the plugin runs in a process of its own.
  bool is_apart() const { return hook_->point->is_apart() && !hook_->bound.over_dictionary(); }
  // Post the calls that range(), single() and gathered() make, in a round of part.together.
  // Precondition: is_apart(), and that of the function.
  void post_range(model::Row begin, model::Row end, RowPart& part) const {
    hook_->bound.slice(*state_, begin, end, part.columns);
    post_gathered(end - begin, part);
  }
  void post_single(std::span<const model::Row> rows, RowPart& part) const {
    hook_->bound.gather(*state_, rows, nullptr, part.columns);
    post_gathered(rows.size(), part);
  }
  void post_gathered(size_t count, RowPart& part) const {
    posted_ = hook_->point->post(part.together, BoundHook::call(part.columns, count, state_, ran_));
  }

  // Brings counts by row up to date. Asks for the answers by code, of a hook over a dictionary.
  // False: it failed, part.error is its text. To be called again after the model was modified.
  [[nodiscard]] bool begin(RowPart& part) {
    BERTH_ASSERT(!state_->failed);
    hook_->bound.refresh(*state_);
    if (!hook_->bound.over_dictionary()) return true;
    const uint32_t codes = hook_->bound.positions();
    by_code_.resize(codes);
    hook_->bound.slice(*state_, 0, codes, part.columns);
    return call(part.columns, {by_code_.data(), codes}, part, [this](size_t code) {
      return hook_->bound.code_text(static_cast<uint32_t>(code));
    });
  }
  // True if begin() found that all answers are 0: the filter refuses no row, or each row has a
  // score of 0. Precondition: begin() returned true.
  bool answers_zero() const {
    return hook_->bound.over_dictionary() &&
           std::ranges::all_of(by_code_, [](Answer answer) { return answer == 0; });
  }
  // Writes the answers of rows [begin, end) to out[0], out[1] ... False: the hook failed.
  // Precondition: begin is a multiple of 64.
  [[nodiscard]] bool range(model::Row begin, model::Row end, Answer* out, RowPart& part) const {
    const size_t count = end - begin;
    if (hook_->bound.over_dictionary()) {
      expand(codes() + begin, by_code_.data(), out, count);
      return true;
    }
    const auto node_at = [this, begin](size_t position) {
      return hook_->bound.node_text(begin + static_cast<model::Row>(position));
    };
    if (part.together.has(posted_, count)) return take({out, count}, part, node_at);
    hook_->bound.slice(*state_, begin, end, part.columns);
    return call(part.columns, {out, count}, part, node_at);
  }
  // Writes the answers of rows [begin, end) to by_row[begin] and on, on the threads of `work`.
  // False: the hook failed, work.error() is its text. The same precondition; no error is left in
  // `work`.
  [[nodiscard]] bool rows(model::Row begin, model::Row end, Answer* by_row, RowWork& work) const {
    work.over_rows(begin, end, [&](model::Row from, model::Row to, RowPart& part) {
      static_cast<void>(range(from, to, by_row + from, part));  // the error is looked for below
    });
    return work.error().empty();
  }
  // Writes the answers of these rows, which need not be neighbours. False: the hook failed.
  [[nodiscard]] bool single(std::span<const model::Row> rows, Answer* out, RowPart& part) const {
    if (hook_->bound.over_dictionary()) {
      for (size_t i = 0; i < rows.size(); ++i) out[i] = by_code_[codes()[rows[i]]];
      return true;
    }
    const auto node_at = [this, rows](size_t position) {
      return hook_->bound.node_text(rows[position]);
    };
    if (part.together.has(posted_, rows.size())) return take({out, rows.size()}, part, node_at);
    if (rows.size() == 1) {
      RowColumns& columns = part.single(hook_->bound);
      hook_->bound.gather_one(*state_, rows[0], columns);
      return call(columns.of_call, {out, 1}, part, node_at);
    }
    hook_->bound.gather(*state_, rows, nullptr, part.columns);
    return call(part.columns, {out, rows.size()}, part, node_at);
  }

  // Asks about the positions of part.columns, which the caller gathered. False: the hook failed.
  [[nodiscard]] bool gathered(std::span<Answer> out, RowPart& part) const {
    if (part.together.has(posted_, out.size())) return take(out, part, AnyPosition());
    return call(part.columns, out, part, AnyPosition());
  }

  const HookAt<Point>& hook() const { return *hook_; }
  TemplateHook& state() const { return *state_; }
  uint32_t ran() const { return ran_; }
  void set_ran(uint32_t ran) { ran_ = ran; }
  size_t bytes() const { return by_code_.capacity() * sizeof(Answer); }

 private:
  const uint32_t* codes() const { return hook_->bound.space_column().template values<uint32_t>(); }
  // Of calls whose errors nobody reads: whoever makes them asks again in another way.
  struct AnyPosition {};

  // Takes the answers of the call that was posted. `text_at`: a position for people, `node "a"`.
  template <typename TextAt>
  bool take(std::span<Answer> out, RowPart& part, const TextAt& text_at) const {
    const host::Posted posted = std::exchange(posted_, {});
    return succeeded(hook_->point->take(*part.calls, part.together, posted, out), part, text_at);
  }
  template <typename TextAt>
  bool call(const CallColumns& columns, std::span<Answer> out, RowPart& part,
            const TextAt& text_at) const {
    berth_call made = BoundHook::call(columns, out.size(), state_, ran_);
    return succeeded(hook_->point->call(*part.calls, made, out), part, text_at);
  }
  // If not, the text is in part.error.
  template <typename TextAt>
  bool succeeded(const host::CallError& error, RowPart& part, const TextAt& text_at) const {
    if (!error) [[likely]]
      return true;
    if constexpr (std::is_same_v<TextAt, AnyPosition>) {
      part.error = error.text();
    } else {
      part.error = error.text_about(text_at);
    }
    return false;
  }

  const HookAt<Point>* hook_ = nullptr;
  TemplateHook* state_ = nullptr;
  uint32_t ran_ = 0;
  std::vector<Answer> by_code_;
  mutable host::Posted posted_;  // of the thread that posted it
};

using FilterCalls = HookCalls<host::Filter, uint8_t>;
using ScoreCalls = HookCalls<host::Score, int64_t>;

}  // namespace berth::framework
