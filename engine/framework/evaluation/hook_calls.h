#pragma once

// The calls of one Filter or Score hook for the pod of a decision, over ranges of rows or over
// single ones. A hook over a dictionary is called once for all codes, and its answers are expanded
// to rows.

#include <span>
#include <string>
#include <vector>

#include "engine/framework/evaluation/decision_context.h"
#include "engine/framework/evaluation/kernels.h"
#include "engine/framework/evaluation/row_work.h"

namespace berth::framework {

// Point: host::Filter with Answer = uint8_t (a verdict), host::Score with int64_t (a raw score).
// After `begin` any thread may call the other functions, each with its own part, while the model is
// not modified.
template <typename Point, typename Answer>
class HookCalls {
 public:
  HookCalls() = default;
  // The hook and the state outlive the calls. `ran`: BERTH_RAN_ bits. Precondition: preparing the
  // state did not fail.
  HookCalls(const HookAt<Point>& hook, TemplateHook& state, uint32_t ran)
      : hook_(&hook), state_(&state), ran_(ran) {}

  // Brings counts by row up to date. Asks for the answers by code, of a hook over a dictionary.
  // False: it failed, part.error is its text. To be called again after the model was modified.
  [[nodiscard]] bool begin(RowPart& part) {
    hook_->bound.refresh(*state_);
    if (!hook_->bound.over_dictionary()) return true;
    const uint32_t codes = hook_->bound.positions();
    by_code_.resize(codes);
    hook_->bound.slice(*state_, 0, codes, part.columns);
    return call(part.columns, {by_code_.data(), codes}, part);
  }
  // Writes the answers of rows [begin, end) to out[0], out[1] ... False: the hook failed.
  // Precondition: begin is a multiple of 64.
  [[nodiscard]] bool range(model::Row begin, model::Row end, Answer* out, RowPart& part) const {
    const size_t count = end - begin;
    if (hook_->bound.over_dictionary()) {
      expand(codes() + begin, by_code_.data(), out, count);
      return true;
    }
    hook_->bound.slice(*state_, begin, end, part.columns);
    return call(part.columns, {out, count}, part);
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
    if (rows.size() == 1) {
      RowColumns& columns = part.single(hook_->bound);
      hook_->bound.gather_one(*state_, rows[0], columns);
      return call(columns.of_call, {out, 1}, part);
    }
    hook_->bound.gather(*state_, rows, nullptr, part.columns);
    return call(part.columns, {out, rows.size()}, part);
  }

  // Asks about the positions of part.columns, which the caller gathered. False: the hook failed.
  [[nodiscard]] bool gathered(std::span<Answer> out, RowPart& part) const {
    return call(part.columns, out, part);
  }

  const HookAt<Point>& hook() const { return *hook_; }
  TemplateHook& state() const { return *state_; }
  uint32_t ran() const { return ran_; }
  void set_ran(uint32_t ran) { ran_ = ran; }
  size_t bytes() const { return by_code_.capacity() * sizeof(Answer); }

 private:
  const uint32_t* codes() const { return hook_->bound.space_column().template values<uint32_t>(); }
  bool call(const CallColumns& columns, std::span<Answer> out, RowPart& part) const {
    berth_call made = BoundHook::call(columns, out.size(), state_, ran_);
    if (host::CallError error = hook_->point->call(*part.calls, made, out)) {
      part.error = error.text();
      return false;
    }
    return true;
  }

  const HookAt<Point>* hook_ = nullptr;
  TemplateHook* state_ = nullptr;
  uint32_t ran_ = 0;
  std::vector<Answer> by_code_;
};

using FilterCalls = HookCalls<host::Filter, uint8_t>;
using ScoreCalls = HookCalls<host::Score, int64_t>;

}  // namespace berth::framework
