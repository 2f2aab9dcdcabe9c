#pragma once

// The extension points that decide which nodes can run a pod. Derive from a class, declare inputs,
// override the function. The C contracts are in berth/abi/filter.h.

#include <algorithm>
#include <span>

#include "berth/abi/filter.h"
#include "berth/sdk/points/prepare.hpp"
#include "berth/sdk/services/numbers.hpp"

namespace berth::sdk {

// State: what prepare() fills in for a template. Leave it out if there is nothing to prepare.
template <class State = NoState>
class Filter : public HookOf<Point::kFilter, State> {
 public:
  using typename HookOf<Point::kFilter, State>::Call;

  const void* table() final {
    table_ = {sizeof(table_), 0, this->complete(), filter_hook, reasons_hook, numbers_hook};
    return &table_;
  }

 protected:
  // [rows] Writes one verdict per position.
  virtual void filter(const Call& call, std::span<uint8_t> verdicts) const = 0;
  // [rows] Writes one reason per refused position. Default: the hook's first reason.
  virtual void reasons(const Call&, std::span<uint32_t> reasons) const {
    std::fill(reasons.begin(), reasons.end(), 1);
  }
  // [rows] Writes the numbers behind the verdict on position 0, for people. Default: none.
  virtual void numbers(const Call&, Numbers&) const {}

 private:
  static const Filter& of(berth_plugin* plugin) {
    return static_cast<Filter&>(HookOf<Point::kFilter, State>::of(plugin));
  }
  static berth_code filter_hook(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
    return guarded(call->error, [&] { of(plugin).filter(Call(call), {verdicts, call->count}); });
  }
  static berth_code reasons_hook(berth_plugin* plugin, const berth_call* call, uint32_t* reasons) {
    return guarded(call->error, [&] { of(plugin).reasons(Call(call), {reasons, call->count}); });
  }
  static berth_code numbers_hook(berth_plugin* plugin, const berth_call* call,
                                 const berth_numbers_sink* sink) {
    return guarded(call->error, [&] {
      Numbers out(sink);
      of(plugin).numbers(Call(call), out);
    });
  }

  berth_filter table_{};
};

// The answer of a PreFilter. Default: continue, search all nodes.
class PreFilterResult {
 public:
  explicit PreFilterResult(berth_pre_filter_result* raw) : raw_(raw) {}

  // The host does not call the plugin's Filter for this pod.
  void skip() { raw_->code = BERTH_SKIP; }
  // Refuses the pod. `code`: UNSCHEDULABLE, UNSCHEDULABLE_AND_UNRESOLVABLE or PENDING. `reason`: an
  // id that describe() knows.
  void refuse(berth_code code, uint32_t reason) {
    raw_->code = code;
    raw_->reason = reason;
  }
  // Searches only the nodes with these names (string ids). The span must be part of the template's
  // state.
  void narrow(std::span<const uint32_t> node_names) {
    raw_->narrows = 1;
    raw_->node_names = node_names.data();
    raw_->node_name_count = node_names.size();
  }

 private:
  berth_pre_filter_result* raw_;
};

// Called once per pod before its filters: may refuse the pod, narrow the search, or skip the
// filter.
template <class State = NoState>
class PreFilter : public HookOf<Point::kPreFilter, State> {
 public:
  using typename HookOf<Point::kPreFilter, State>::Call;

  const void* table() final {
    table_ = {sizeof(table_), 0, this->complete(), pre_filter_hook};
    return &table_;
  }

 protected:
  // [cycle] Leave `result` unchanged to continue with all nodes.
  virtual void pre_filter(const Call& call, PreFilterResult& result) const = 0;

 private:
  static berth_code pre_filter_hook(berth_plugin* plugin, const berth_call* call,
                                    berth_pre_filter_result* result) {
    return guarded(call->error, [&] {
      const auto& self = static_cast<PreFilter&>(HookOf<Point::kPreFilter, State>::of(plugin));
      PreFilterResult view(result);
      self.pre_filter(Call(call), view);
    });
  }

  berth_pre_filter table_{};
};

// Called if no node can run the pod.
template <class State = NoState>
class PostFilter : public HookOf<Point::kPostFilter, State> {
 public:
  using typename HookOf<Point::kPostFilter, State>::Call;

  const void* table() final {
    table_ = {sizeof(table_), 0, this->complete(), post_filter_hook};
    return &table_;
  }

 protected:
  // [cycle] codes[i]: the code with which position i was refused. `draw`: a random number of this
  // decision. Texts written to call.error() are added to the pod's message. The array of victims
  // must stay until the next call.
  virtual void post_filter(const Call& call, std::span<const uint8_t> codes, uint64_t draw,
                           berth_nomination& nomination) const = 0;

 private:
  static berth_code post_filter_hook(berth_plugin* plugin, const berth_call* call,
                                     const uint8_t* codes, uint64_t draw,
                                     berth_nomination* nomination) {
    return guarded(call->error, [&] {
      const auto& self = static_cast<PostFilter&>(HookOf<Point::kPostFilter, State>::of(plugin));
      self.post_filter(Call(call), {codes, call->count}, draw, *nomination);
    });
  }

  berth_post_filter table_{};
};

}  // namespace berth::sdk
