// Calls of the extension points Reserve to PostBind, of overlay state, and of Observe.

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/host/calls/hook_invoke.h"

namespace berth::host {
namespace {

constexpr CodeSet kDone = code_bit(BERTH_SUCCESS) | code_bit(BERTH_ERROR);
constexpr CodeSet kDoneOrSkipped = kDone | code_bit(BERTH_SKIP);
constexpr CodeSet kReserveCodes = kDone | code_bit(BERTH_UNSCHEDULABLE) |
                                  code_bit(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE) |
                                  code_bit(BERTH_PENDING);
constexpr CodeSet kPreBindCodes =
    kDone | code_bit(BERTH_UNSCHEDULABLE) | code_bit(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
constexpr CodeSet kPermitCodes = kReserveCodes | code_bit(BERTH_WAIT);

constexpr int64_t kUnwrittenTime = INT64_MIN;
constexpr int64_t kNanoseconds = 1'000'000'000;  // in a second

int64_t wait_limit_of(const berth_pre_bind& table) {
  if (!BERTH_HAS(&table, wait_limit_nanoseconds) || table.wait_limit_nanoseconds == 0)
    return BERTH_PRE_BIND_LIMIT_SECONDS * kNanoseconds;
  if (table.wait_limit_nanoseconds < 0)
    throw Error("has the wait limit " + std::to_string(table.wait_limit_nanoseconds) +
                "; it may not be negative");
  return std::min(table.wait_limit_nanoseconds, BERTH_PRE_BIND_MAX_SECONDS * kNanoseconds);
}

uint32_t known_flags(uint32_t flags, uint32_t known) {
  if ((flags & ~known) != 0) throw Error("has the unknown flags " + std::to_string(flags));
  return flags;
}

uint32_t flags_of(const berth_bind& table) {
  if (BERTH_HAS(&table, reserved2)) {
    if (const auto problem = reserved_problem(table.reserved2, "reserved2"))
      throw Error("has " + *problem);
  }
  return known_flags(BERTH_HAS(&table, flags) ? table.flags : 0, BERTH_BIND_QUICK);
}

}  // namespace

Reserve::Reserve(const Owner& owner, const berth_reserve& table)
    : HookOf(owner, table),
      flags_(known_flags(table.flags, BERTH_RESERVE_FOLLOWS_PRE_FILTER)),
      reserve_(table.reserve),
      unreserve_(table.unreserve) {
  require(reserve_ != nullptr, "reserve");
  require(unreserve_ != nullptr, "unreserve");
}

CallError Reserve::call(CallContext& calls, berth_call& call, std::span<uint8_t> codes,
                        std::span<uint32_t> reasons) const {
  BERTH_ASSERT(codes.size() >= call.count && reasons.size() >= call.count);
  std::fill_n(codes.begin(), call.count, kUnwrittenCode);
  std::fill_n(reasons.begin(), call.count, 0u);
  CallError error = invoke(
      calls, call, [&] { return reserve_(instance(), &call, codes.data(), reasons.data()); });
  if (error) return error;
  log_code(calls, call, codes);
  return check_codes(calls, call, "code", codes, kReserveCodes);
}

CallError Reserve::unreserve(CallContext& calls, berth_call& call) const {
  return invoke(calls, call, [&] { unreserve_(instance(), &call); });
}

Permit::Permit(const Owner& owner, const berth_permit& table)
    : HookOf(owner, table), permit_(table.permit) {
  require(permit_ != nullptr, "permit");
}

CallError Permit::call(CallContext& calls, berth_call& call, std::span<uint8_t> codes,
                       std::span<uint32_t> reasons, std::span<int64_t> timeout_nanoseconds) const {
  BERTH_ASSERT(codes.size() >= call.count && reasons.size() >= call.count &&
               timeout_nanoseconds.size() >= call.count);
  std::fill_n(codes.begin(), call.count, kUnwrittenCode);
  std::fill_n(reasons.begin(), call.count, 0u);
  std::fill_n(timeout_nanoseconds.begin(), call.count, kUnwrittenTime);
  CallError error = invoke(calls, call, [&] {
    return permit_(instance(), &call, codes.data(), reasons.data(), timeout_nanoseconds.data());
  });
  if (!error) {
    log_code(calls, call, codes);
    error = check_codes(calls, call, "code", codes, kPermitCodes);
  }
  for (size_t i = 0; !error && i < call.count; ++i) {
    if (codes[i] != BERTH_WAIT || timeout_nanoseconds[i] >= 0 || !in_mask(call.mask, i)) continue;
    error = timeout_nanoseconds[i] == kUnwrittenTime
                ? broken_at(calls, "wrote no timeout", i, call.count)
                : broken_at(calls, "returned timeout " + std::to_string(timeout_nanoseconds[i]), i,
                            call.count, "; Permit may not return a negative one");
  }
  return error;
}

PreBind::PreBind(const Owner& owner, const berth_pre_bind& table)
    : HookOf(owner, table),
      flags_(known_flags(table.flags, BERTH_PRE_BIND_FOLLOWS_PRE_FILTER | BERTH_PRE_BIND_QUICK |
                                          BERTH_PRE_BIND_ON_CYCLE | BERTH_PRE_BIND_PARALLEL)),
      pre_flight_(table.pre_flight),
      pre_bind_(table.pre_bind),
      or_wait_(BERTH_HAS(&table, pre_bind_or_wait) ? table.pre_bind_or_wait : nullptr),
      wait_limit_nanoseconds_(wait_limit_of(table)) {
  require(pre_bind_ != nullptr || or_wait_ != nullptr, "pre_bind");
}

CallError PreBind::pre_flight(CallContext& calls, berth_call& call,
                              std::span<uint8_t> codes) const {
  BERTH_ASSERT(codes.size() >= call.count);
  if (pre_flight_ == nullptr) {
    std::fill_n(codes.begin(), call.count, uint8_t{BERTH_SUCCESS});
    return {};
  }
  std::fill_n(codes.begin(), call.count, kUnwrittenCode);
  CallError error =
      invoke(calls, call, [&] { return pre_flight_(instance(), &call, codes.data()); });
  if (error) return error;
  return check_codes(calls, call, "code", codes, kDoneOrSkipped);
}

template <typename Function>
CallError PreBind::invoke_here(CallContext& calls, berth_call& call, Function&& function) const {
  return on_cycle() ? invoke(calls, call, function) : invoke_bind(calls, call, function);
}

CallError PreBind::call(CallContext& calls, berth_call& call, std::span<uint8_t> codes,
                        std::span<const int64_t> waited_nanoseconds,
                        std::span<int64_t> again_nanoseconds) const {
  BERTH_ASSERT(codes.size() >= call.count && waited_nanoseconds.size() >= call.count &&
               again_nanoseconds.size() >= call.count);
  std::fill_n(codes.begin(), call.count, kUnwrittenCode);
  if (or_wait_ == nullptr) {
    CallError error =
        invoke_here(calls, call, [&] { return pre_bind_(instance(), &call, codes.data()); });
    if (error) return error;
    log_code(calls, call, codes);
    return check_codes(calls, call, "code", codes, kPreBindCodes);
  }
  std::fill_n(again_nanoseconds.begin(), call.count, 0);
  CallError error = invoke_here(calls, call, [&] {
    return or_wait_(instance(), &call, waited_nanoseconds.data(), codes.data(),
                    again_nanoseconds.data());
  });
  if (!error) {
    log_code(calls, call, codes);
    error = check_codes(calls, call, "code", codes, kPreBindCodes | code_bit(BERTH_WAIT));
  }
  for (size_t i = 0; !error && i < call.count; ++i) {
    if (codes[i] != BERTH_WAIT || again_nanoseconds[i] >= 0 || !in_mask(call.mask, i)) continue;
    error = broken_at(calls, "returned the time " + std::to_string(again_nanoseconds[i]), i,
                      call.count, "; PreBind may not return a negative one");
  }
  return error;
}

Bind::Bind(const Owner& owner, const berth_bind& table)
    : HookOf(owner, table), bind_(table.bind), flags_(flags_of(table)) {
  require(bind_ != nullptr, "bind");
}

CallError Bind::call(CallContext& calls, berth_call& call, std::span<uint8_t> codes) const {
  BERTH_ASSERT(codes.size() >= call.count);
  std::fill_n(codes.begin(), call.count, kUnwrittenCode);
  CallError error =
      invoke_bind(calls, call, [&] { return bind_(instance(), &call, codes.data()); });
  if (error) return error;
  log_code(calls, call, codes);
  return check_codes(calls, call, "code", codes, kDoneOrSkipped);
}

PostBind::PostBind(const Owner& owner, const berth_post_bind& table)
    : HookOf(owner, table), post_bind_(table.post_bind) {
  require(post_bind_ != nullptr, "post_bind");
}

CallError PostBind::call(CallContext& calls, berth_call& call) const {
  return invoke_bind(calls, call, [&] { post_bind_(instance(), &call); });
}

OverlayState::OverlayState(const Owner& owner, const berth_overlay_state& table)
    : HookOf(owner, table),
      begin_(table.begin),
      add_pod_(table.add_pod),
      remove_pod_(table.remove_pod),
      reset_(table.reset),
      end_(table.end) {
  require(begin_ != nullptr, "begin");
  require(add_pod_ != nullptr, "add_pod");
  require(remove_pod_ != nullptr, "remove_pod");
  require(reset_ != nullptr, "reset");
  require(end_ != nullptr, "end");
}

CallError OverlayState::begin(CallContext& calls, const void* base, void*& scratch) const {
  CallError error = invoke_plain(calls, [&] { scratch = begin_(instance(), base); });
  if (!error && scratch == nullptr) return broken(calls, "returned no scratch from begin");
  return error;
}

CallError OverlayState::add_pod(CallContext& calls, void* scratch, berth_call& pod,
                                uint32_t row) const {
  return invoke(calls, pod, [&] { return add_pod_(instance(), scratch, &pod, row); });
}

CallError OverlayState::remove_pod(CallContext& calls, void* scratch, berth_call& pod,
                                   uint32_t row) const {
  return invoke(calls, pod, [&] { return remove_pod_(instance(), scratch, &pod, row); });
}

CallError OverlayState::reset(CallContext& calls, void* scratch, const void* base) const {
  return invoke_plain(calls, [&] { reset_(instance(), scratch, base); });
}

CallError OverlayState::end(CallContext& calls, void* scratch) const {
  return invoke_plain(calls, [&] { end_(instance(), scratch); });
}

Observe::Observe(const Owner& owner, const berth_observe& table)
    : HookOf(owner, table),
      bound_(table.bound),
      changed_(table.changed),
      left_(table.left),
      node_left_(table.node_left) {
  require(bound_ != nullptr, "bound");
  require(left_ != nullptr, "left");
}

CallError Observe::tell(CallContext& calls, berth_call& call,
                        decltype(berth_observe::bound) of) const {
  BERTH_ASSERT(of != nullptr);
  return invoke(calls, call, [&] { of(instance(), &call); });
}

CallError Observe::node_left(CallContext& calls, std::span<const uint32_t> nodes) const {
  BERTH_ASSERT(node_left_ != nullptr);
  return invoke_plain(calls, [&] { node_left_(instance(), nodes.size(), nodes.data()); });
}

}  // namespace berth::host
