#pragma once

// The calls of every extension point, with checks of the values that plugins return. The ABI header
// of each point (berth/abi/*.h) defines the meaning of a call.
//
// Common to all calls: the caller fills `call` except for `size` and `error`, which the call sets.
// `calls` is the context of the calling thread: it counts the call, and its text() holds what the
// plugin wrote, until the next call. Output arrays have at least call.count positions. Positions
// that the mask excludes are not checked and their outputs are unspecified. After a failure all
// outputs are unspecified.
//
// Common to all constructors: `table` is the plugin's for the point and is not read later. They
// throw Error if a required function is null or the hook breaks the contract.
//
// Thread tags are those of berth/abi/base.h: [cycle] is the thread that owns the model, [rows] any
// number of threads, [bind] the binding thread.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/observe.h"
#include "berth/abi/overlay.h"
#include "berth/abi/score.h"
#include "engine/host/calls/hook.h"

namespace berth::host {

// A hook at the point kAt. `kLast` is the last member of its table that the host requires: that of
// ABI 1.0. The class of a point also has kId, the id of its table.
template <Point kAt, typename TableAt, auto kLast>
class HookOf : public Hook {
 public:
  using Table = TableAt;
  static constexpr Point kPoint = kAt;

  static bool is_complete(const Table& table) {
    return table.size >= static_cast<size_t>(reinterpret_cast<const char*>(&(table.*kLast) + 1) -
                                             reinterpret_cast<const char*>(&table));
  }

 protected:
  HookOf(const Owner& owner, const Table& table) : Hook(kAt, owner, table.hook) {}
  ~HookOf() = default;
};

// PreEnqueue. Codes: SUCCESS, UNSCHEDULABLE, UNSCHEDULABLE_AND_UNRESOLVABLE. A refused pod must not
// enter the queue; reasons[i] is defined where codes[i] is a refusal.
class PreEnqueue : public HookOf<Point::kPreEnqueue, berth_pre_enqueue, &berth_pre_enqueue::check> {
 public:
  static constexpr std::string_view kId = BERTH_PRE_ENQUEUE;

  PreEnqueue(const Owner& owner, const berth_pre_enqueue& table);
  // [cycle]
  CallError call(CallContext& calls, berth_call& call, std::span<uint8_t> codes,
                 std::span<uint32_t> reasons) const;

 private:
  decltype(berth_pre_enqueue::check) check_;
};

using QueueKey = std::array<uint8_t, 16>;  // of a plugin that writes no wide keys

// QueueSort: a key per pod, written when the pod enters the queue. Keys are compared bytewise, the
// smallest first.
class QueueSort : public HookOf<Point::kQueueSort, berth_queue_sort, &berth_queue_sort::keys> {
 public:
  static constexpr std::string_view kId = BERTH_QUEUE_SORT;

  QueueSort(const Owner& owner, const berth_queue_sort& table);
  size_t key_bytes() const { return key_bytes_; }  // of each key

  // [cycle] `keys`: key_bytes() for each position. Also an error if the plugin left a key, or eight
  // bytes of one, as they were before the call.
  CallError call(CallContext& calls, berth_call& call, std::span<uint8_t> keys) const;
  // [cycle] The same without that error: `keys` keep what the plugin does not write.
  CallError call_over(CallContext& calls, berth_call& call, std::span<uint8_t> keys) const;

 private:
  CallError call_wide(CallContext& calls, berth_call& call, std::span<uint8_t> keys) const;

  decltype(berth_queue_sort::keys) keys_;
  decltype(berth_queue_sort::wide_keys) wide_keys_;  // null: the plugin has `keys_`; is preferred
  size_t key_bytes_;
};

// Queueing hints, for the pods of one template.
class Hints : public HookOf<Point::kHints, berth_hints, &berth_hints::hint> {
 public:
  static constexpr std::string_view kId = BERTH_HINTS;

  Hints(const Owner& owner, const berth_hints& table);
  // The BERTH_DID_ bits that may help, for one BERTH_ON_ kind. Read once, when the instance is
  // made.
  uint32_t actions(uint32_t kind) const;
  // [cycle] `helps`: 1 if the event may help such pods, which this plugin refused; else 0.
  CallError call(CallContext& calls, berth_call& call, const berth_event& event,
                 uint8_t& helps) const;

  // The BERTH_DID_ bits that there are.
  // BERTH_DID_WHATEVER of a plugin means these.
  static constexpr uint32_t kEveryAction = BERTH_DID_ANYTHING | BERTH_DID_UPDATE_DECLARED_FEATURES;
  static constexpr std::array<uint32_t, 10> kKinds = {
      BERTH_ON_POD_ASSIGNED, BERTH_ON_POD_PENDING,      BERTH_ON_NODE,     BERTH_ON_CLAIM,
      BERTH_ON_VOLUME,       BERTH_ON_STORAGE_CLASS,    BERTH_ON_CSI_NODE, BERTH_ON_CSI_DRIVER,
      BERTH_ON_CSI_CAPACITY, BERTH_ON_VOLUME_ATTACHMENT};

 private:
  std::array<uint32_t, kKinds.size()> actions_{};
  decltype(berth_hints::hint) hint_;
};

// The answer of a PreFilter.
struct PreFilterAnswer {
  berth_code code = BERTH_SUCCESS;       // SUCCESS, SKIP, or a refusal (2, 3 or PENDING)
  uint32_t reason = 0;                   // of a refusal
  bool narrows = false;                  // search only the nodes below
  std::span<const uint32_t> node_names;  // string ids; lifetime "state"
};

// PreFilter, for one pod. Space pods: call.count is 1.
class PreFilter
    : public HookOf<Point::kPreFilter, berth_pre_filter, &berth_pre_filter::pre_filter> {
 public:
  static constexpr std::string_view kId = BERTH_PRE_FILTER;

  PreFilter(const Owner& owner, const berth_pre_filter& table);
  // [cycle] `answer` is unspecified after a failure. Its node names are checked to be string ids.
  CallError call(CallContext& calls, berth_call& call, PreFilterAnswer& answer) const;

 private:
  CallError take_names(CallContext& calls, const berth_pre_filter_result& result,
                       PreFilterAnswer& answer) const;

  decltype(berth_pre_filter::pre_filter) pre_filter_;
};

// Filter, over nodes or a dictionary of nodes.
class Filter : public HookOf<Point::kFilter, berth_filter, &berth_filter::reasons> {
 public:
  static constexpr std::string_view kId = BERTH_FILTER;

  Filter(const Owner& owner, const berth_filter& table);
  // [rows] Verdicts: 0..3. ERROR at a position is an answer, not a failure of the call: the host
  // may have asked for positions that a serial search would not reach. calls.text() holds the
  // texts of all such positions; call again with one position to get its own.
  CallError call(CallContext& calls, berth_call& call, std::span<uint8_t> verdicts) const;
  // [rows] The same for a call of a round. Precondition: together.has(posted).
  CallError take(CallContext& calls, Together& together, const Posted& posted,
                 std::span<uint8_t> verdicts) const;
  // [rows] The reason ids of refused positions, for describe(); other positions get unspecified
  // values. 0 everywhere if the plugin gives no reasons.
  CallError reasons(CallContext& calls, berth_call& call, std::span<uint32_t> reasons) const;
  // [rows] Replaces `items` by the numbers behind the answer of a call with count 1; none if the
  // plugin does not tell them, and after a failure.
  CallError numbers(CallContext& calls, berth_call& call, NumbersSource& source,
                    std::vector<Item>& items) const {
    return write_numbers(numbers_, calls, call, source, items);
  }

 private:
  CallError check(CallContext& calls, const berth_call& call, std::span<uint8_t> verdicts) const;

  decltype(berth_filter::filter) filter_;
  decltype(berth_filter::reasons) reasons_;
  decltype(berth_filter::numbers) numbers_;  // null: there are none
};

// The answer of a PostFilter.
struct NominationAnswer {
  berth_code code = BERTH_UNSCHEDULABLE;  // SUCCESS; UNSCHEDULABLE or 3: nothing helps
  uint32_t node = 0;                      // string id; 0: none
  uint32_t reason = 0;
  bool clears = false;                // the pod loses the nomination that it has
  std::span<const uint64_t> victims;  // pod handles, in the order of eviction; until the next call
};

// PostFilter, over all nodes.
class PostFilter
    : public HookOf<Point::kPostFilter, berth_post_filter, &berth_post_filter::post_filter> {
 public:
  static constexpr std::string_view kId = BERTH_POST_FILTER;

  PostFilter(const Owner& owner, const berth_post_filter& table);
  // [cycle] codes[i]: the code with which position i was refused. `draw`: the decision's random
  // number. After success calls.text(i) are texts for the pod's message.
  CallError call(CallContext& calls, berth_call& call, std::span<const uint8_t> codes,
                 uint64_t draw, NominationAnswer& answer) const;

 private:
  decltype(berth_post_filter::post_filter) post_filter_;
};

// The answer of a PreScore.
struct PreScoreAnswer {
  bool skip = false;     // this plugin does not score the pod
  bool changed = false;  // BERTH_DEPENDS_FEASIBLE: kept raw scores of this template are stale
};

// PreScore, for one pod. Space pods: call.count is 1.
class PreScore : public HookOf<Point::kPreScore, berth_pre_score, &berth_pre_score::pre_score> {
 public:
  static constexpr std::string_view kId = BERTH_PRE_SCORE;

  PreScore(const Owner& owner, const berth_pre_score& table);
  // [cycle] `feasible` may be null unless the hook depends on it.
  CallError call(CallContext& calls, berth_call& call, const berth_feasible* feasible,
                 PreScoreAnswer& answer) const;

 private:
  decltype(berth_pre_score::pre_score) pre_score_;
};

// Score and normalising, over nodes or a dictionary of nodes.
class Score : public HookOf<Point::kScore, berth_score, &berth_score::normalise_own> {
 public:
  static constexpr std::string_view kId = BERTH_SCORE;

  Score(const Owner& owner, const berth_score& table);
  uint32_t normalise() const { return normalise_; }  // one of BERTH_NORMALISE_

  // [rows] One raw score per position. Their range is checked later, by check_extremes().
  CallError call(CallContext& calls, berth_call& call, std::span<int64_t> raw) const;
  // [rows] The same for a call of a round. Precondition: together.has(posted).
  CallError take(CallContext& calls, Together& together, const Posted& posted,
                 std::span<int64_t> raw) const;

  // Checks that the plugin's normalising maps raw scores with these extremes into 0..100 without
  // overflow, so that no pass over the scores is needed. `raw` is only used for the error text.
  // minimum > maximum means that no position was scored. NORMALISE_OWN accepts any extremes.
  CallError check_extremes(CallContext& calls, std::span<const int64_t> raw, int64_t minimum,
                           int64_t maximum) const {
    if (extremes_fit(minimum, maximum)) [[likely]]
      return {};
    return extremes_broken(calls, raw, minimum, maximum);
  }
  // True if check_extremes() succeeds.
  bool extremes_fit(int64_t minimum, int64_t maximum) const;

  // [rows] Calls the plugin's function and checks that its results are in 0..100. `state`: of the
  // template, as for a call. `raw` and `final` have equal lengths; `minimum` and `maximum` are over
  // the scored rows. Requires: normalise() is BERTH_NORMALISE_OWN.
  CallError normalise_own(CallContext& calls, const void* state, std::span<const int64_t> raw,
                          int64_t minimum, int64_t maximum, std::span<int64_t> final) const;
  // [rows] Replaces `items` by the numbers behind the answer of a call with count 1; none if the
  // plugin does not tell them, and after a failure.
  CallError numbers(CallContext& calls, berth_call& call, NumbersSource& source,
                    std::vector<Item>& items) const {
    return write_numbers(numbers_, calls, call, source, items);
  }

 private:
  CallError check(CallContext& calls, const berth_call& call, std::span<int64_t> raw) const;
  CallError extremes_broken(CallContext& calls, std::span<const int64_t> raw, int64_t minimum,
                            int64_t maximum) const;

  uint32_t normalise_;
  decltype(berth_score::score) score_;
  decltype(berth_score::normalise_own) own_;         // null: the plugin has `own_of_pod_`, or none
  decltype(berth_score::normalise_pod) own_of_pod_;  // is preferred
  decltype(berth_score::numbers) numbers_;           // null: there are none
};

// Reserve. Codes: SUCCESS, ERROR or a refusal (2, 3 or PENDING); reasons[i] is defined where
// codes[i] is a refusal.
class Reserve : public HookOf<Point::kReserve, berth_reserve, &berth_reserve::unreserve> {
 public:
  static constexpr std::string_view kId = BERTH_RESERVE;

  Reserve(const Owner& owner, const berth_reserve& table);
  // [cycle]
  CallError call(CallContext& calls, berth_call& call, std::span<uint8_t> codes,
                 std::span<uint32_t> reasons) const;
  // [cycle] Withdraws reservations. Fails only if the plugin throws or is late.
  CallError unreserve(CallContext& calls, berth_call& call) const;
  // Both do nothing about a pod that the plugin's PreFilter skipped.
  bool follows_pre_filter() const { return (flags_ & BERTH_RESERVE_FOLLOWS_PRE_FILTER) != 0; }

 private:
  uint32_t flags_;
  decltype(berth_reserve::reserve) reserve_;
  decltype(berth_reserve::unreserve) unreserve_;
};

// Permit. Codes: SUCCESS, WAIT, ERROR or a refusal. The timeout of a WAIT must not be negative.
class Permit : public HookOf<Point::kPermit, berth_permit, &berth_permit::permit> {
 public:
  static constexpr std::string_view kId = BERTH_PERMIT;

  Permit(const Owner& owner, const berth_permit& table);
  // [cycle]
  CallError call(CallContext& calls, berth_call& call, std::span<uint8_t> codes,
                 std::span<uint32_t> reasons, std::span<int64_t> timeout_nanoseconds) const;

 private:
  decltype(berth_permit::permit) permit_;
};

// PreBind. After a call the context has one text for each position with ERROR, in order, or another
// number of texts, which together are the text of each (berth/abi/bind.h).
class PreBind : public HookOf<Point::kPreBind, berth_pre_bind, &berth_pre_bind::pre_bind> {
 public:
  static constexpr std::string_view kId = BERTH_PRE_BIND;

  PreBind(const Owner& owner, const berth_pre_bind& table);
  // [cycle] Codes: SUCCESS, SKIP, ERROR. SUCCESS everywhere if the plugin does not have the
  // function.
  CallError pre_flight(CallContext& calls, berth_call& call, std::span<uint8_t> codes) const;
  // [bind], or [cycle] as on_cycle() says. Codes: SUCCESS, ERROR, UNSCHEDULABLE,
  // UNSCHEDULABLE_AND_UNRESOLVABLE; WAIT if the plugin
  // has a pre_bind_or_wait, with again_nanoseconds[i], which is not negative.
  CallError call(CallContext& calls, berth_call& call, std::span<uint8_t> codes,
                 std::span<const int64_t> waited_nanoseconds,
                 std::span<int64_t> again_nanoseconds) const;
  // The time for which a pod may wait for the plugin: more than 0, BERTH_PRE_BIND_MAX_SECONDS at
  // most.
  int64_t wait_limit_nanoseconds() const { return wait_limit_nanoseconds_; }

  // Pods that the plugin's PreFilter skipped need no call.
  bool follows_pre_filter() const { return (flags_ & BERTH_PRE_BIND_FOLLOWS_PRE_FILTER) != 0; }
  bool quick() const { return on_cycle() || (flags_ & BERTH_PRE_BIND_QUICK) != 0; }
  // `call` is [cycle].
  bool on_cycle() const { return (flags_ & BERTH_PRE_BIND_ON_CYCLE) != 0; }
  // The plugin may work on a pod together with its neighbours that may, too.
  bool parallel() const { return (flags_ & BERTH_PRE_BIND_PARALLEL) != 0; }

 private:
  template <typename Function>
  CallError invoke_here(CallContext& calls, berth_call& call, Function&& function) const;

  uint32_t flags_;
  decltype(berth_pre_bind::pre_flight) pre_flight_;
  decltype(berth_pre_bind::pre_bind) pre_bind_;
  decltype(berth_pre_bind::pre_bind_or_wait) or_wait_;  // null: pre_bind_ is called
  int64_t wait_limit_nanoseconds_;
};

// Bind. Codes: SUCCESS, SKIP, ERROR. Texts of errors as for PreBind.
class Bind : public HookOf<Point::kBind, berth_bind, &berth_bind::bind> {
 public:
  static constexpr std::string_view kId = BERTH_BIND;

  Bind(const Owner& owner, const berth_bind& table);
  // [bind] Positions that the mask excludes are already bound.
  CallError call(CallContext& calls, berth_call& call, std::span<uint8_t> codes) const;
  // The plugin waits for nothing, so the thread that owns the model may make the call.
  bool quick() const { return (flags_ & BERTH_BIND_QUICK) != 0; }

 private:
  decltype(berth_bind::bind) bind_;
  uint32_t flags_;
};

// PostBind: notifies the plugin of bound pods. The pods stay bound whatever happens.
class PostBind : public HookOf<Point::kPostBind, berth_post_bind, &berth_post_bind::post_bind> {
 public:
  static constexpr std::string_view kId = BERTH_POST_BIND;

  PostBind(const Owner& owner, const berth_post_bind& table);
  // [bind]
  CallError call(CallContext& calls, berth_call& call) const;

 private:
  decltype(berth_post_bind::post_bind) post_bind_;
};

// State of a plugin that follows the pods of one row. Each thread has a scratch of its own.
class OverlayState
    : public HookOf<Point::kOverlayState, berth_overlay_state, &berth_overlay_state::end> {
 public:
  static constexpr std::string_view kId = BERTH_OVERLAY_STATE;

  OverlayState(const Owner& owner, const berth_overlay_state& table);
  // [rows] `base`: a state that the plugin prepared. On success `scratch` is set; pass it to end()
  // once.
  CallError begin(CallContext& calls, const void* base, void*& scratch) const;
  // [rows] `pod` has the pod columns at count 1.
  CallError add_pod(CallContext& calls, void* scratch, berth_call& pod, uint32_t row) const;
  CallError remove_pod(CallContext& calls, void* scratch, berth_call& pod, uint32_t row) const;
  // [rows] Sets the scratch back to `base`, the state that begin() copied.
  CallError reset(CallContext& calls, void* scratch, const void* base) const;
  // [rows] Destroys the scratch, which must not be used afterwards, even if the call fails.
  CallError end(CallContext& calls, void* scratch) const;

 private:
  decltype(berth_overlay_state::begin) begin_;
  decltype(berth_overlay_state::add_pod) add_pod_;
  decltype(berth_overlay_state::remove_pod) remove_pod_;
  decltype(berth_overlay_state::reset) reset_;
  decltype(berth_overlay_state::end) end_;
};

// Observe: tells the plugin which bound pods there are. Calls fail if the plugin throws or is late;
// the pods are what they are whatever happens.
class Observe : public HookOf<Point::kObserve, berth_observe, &berth_observe::node_left> {
 public:
  static constexpr std::string_view kId = BERTH_OBSERVE;

  Observe(const Owner& owner, const berth_observe& table);
  // [cycle]
  CallError bound(CallContext& calls, berth_call& call) const { return tell(calls, call, bound_); }
  CallError left(CallContext& calls, berth_call& call) const { return tell(calls, call, left_); }
  // [cycle] Precondition: the plugin is told.
  CallError changed(CallContext& calls, berth_call& call) const {
    return tell(calls, call, changed_);
  }
  CallError node_left(CallContext& calls, std::span<const uint32_t> nodes) const;
  bool is_told_of_changes() const { return changed_ != nullptr; }
  bool is_told_of_nodes() const { return node_left_ != nullptr; }

 private:
  CallError tell(CallContext& calls, berth_call& call, decltype(berth_observe::bound) of) const;

  decltype(berth_observe::bound) bound_;
  decltype(berth_observe::changed) changed_;  // null: the plugin is not told
  decltype(berth_observe::left) left_;
  decltype(berth_observe::node_left) node_left_;  // the same
};

// The classes of all points.
using HookTypes =
    std::tuple<PreEnqueue, QueueSort, Hints, PreFilter, Filter, PostFilter, PreScore, Score,
               Reserve, Permit, PreBind, Bind, PostBind, OverlayState, Observe>;
static_assert(std::tuple_size_v<HookTypes> == kPointCount);

// Calls visit(std::type_identity<T>()) with the class T of the point.
template <typename Visit>
constexpr void visit_hook_type(Point point, Visit&& visit) {
  [&]<typename... T>(std::type_identity<std::tuple<T...>>) {
    static_cast<void>(((T::kPoint == point && (visit(std::type_identity<T>()), true)) || ...));
  }(std::type_identity<HookTypes>());
}

}  // namespace berth::host
