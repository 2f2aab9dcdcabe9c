#pragma once

// Which nodes can run a pod. Derive, declare inputs, override.

#include <algorithm>
#include <span>

#include "berth/abi/filter.h"
#include "berth/sdk/prepare.hpp"

namespace berth::sdk {

// State: what prepare() fills in for a template; leave it out where there is nothing to prepare.
template <class State = NoState>
class Filter : public HookOf<Point::kFilter, State> {
 public:
  using typename HookOf<Point::kFilter, State>::Call;

  const void* table() final {
    table_ = {sizeof(table_), 0, this->complete(), filter_hook, reasons_hook};
    return &table_;
  }

 protected:
  // [rows] One verdict a position.
  virtual void filter(const Call& call, std::span<uint8_t> verdicts) const = 0;
  // [rows] One reason for each position that was refused. As it is: the hook's first.
  virtual void reasons(const Call&, std::span<uint32_t> reasons) const {
    std::fill(reasons.begin(), reasons.end(), 1);
  }

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

  berth_filter table_{};
};

// What PreFilter says of a pod.
class PreFilterResult {
 public:
  explicit PreFilterResult(berth_pre_filter_result* raw) : raw_(raw) {}

  void skip() { raw_->code = BERTH_SKIP; }
  void refuse(berth_code code, uint32_t reason) {
    raw_->code = code;
    raw_->reason = reason;
  }
  // Only these nodes, by the string ids of their names, are searched. They stand in the template's
  // state.
  void narrow(std::span<const uint32_t> node_names) {
    raw_->narrows = 1;
    raw_->node_names = node_names.data();
    raw_->node_name_count = node_names.size();
  }

 private:
  berth_pre_filter_result* raw_;
};

template <class State = NoState>
class PreFilter : public HookOf<Point::kPreFilter, State> {
 public:
  using typename HookOf<Point::kPreFilter, State>::Call;

  const void* table() final {
    table_ = {sizeof(table_), 0, this->complete(), pre_filter_hook};
    return &table_;
  }

 protected:
  // [cycle] `result` comes as "go on, all nodes".
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

// No node can run the pod: what now?
template <class State = NoState>
class PostFilter : public HookOf<Point::kPostFilter, State> {
 public:
  using typename HookOf<Point::kPostFilter, State>::Call;

  const void* table() final {
    table_ = {sizeof(table_), 0, this->complete(), post_filter_hook};
    return &table_;
  }

 protected:
  // [cycle] codes[i]: why position i was refused. What `nomination` points to stands in the state.
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
