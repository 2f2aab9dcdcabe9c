#include "plugins/coscheduling/coscheduling.h"

#include <algorithm>
#include <charconv>

namespace berth::plugins {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kLatest = (int64_t{1} << 40) - 1;    // of seconds since 1970 in a key
constexpr int64_t kNoNumber = (int64_t{1} << 56) - 1;  // of a group in a key

enum Reason : uint32_t { kNoSize = 1, kWrongSize };

}  // namespace

void GroupReserve::reserve(const Call&, std::span<uint8_t> codes, std::span<uint32_t>) const {
  std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
}

void GroupReserve::unreserve(const Call& call) const noexcept {
  for (size_t i = 0; i < count(call); ++i) {
    const bool given_up = groups_.leaves(pod(call, i));
    if (grouped(call, i) && !given_up)
      groups_.fail(group(call, i), pod(call, i), "another pod of the group failed");
  }
}

void GroupSort::keys(const Call& call, std::span<sdk::SortKey> keys) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    const int64_t number = call[group_][i];
    const int64_t time = number != 0 ? call[group_created_at_][i] : call[created_at_][i];
    put(keys[i], ~call[priority_][i] ^ (int64_t{1} << 31), 4);
    put(keys[i] + 4, time == 0 ? kLatest : std::clamp<int64_t>(time / kSecond, 0, kLatest), 5);
    put(keys[i] + 9, number == 0 ? kNoNumber : number, 7);
  }
}

// The lowest `bytes` of the value, the highest of them first.
void GroupSort::put(uint8_t* out, int64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out[i] = static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * (bytes - 1 - i)));
}

// The group gets its nodes together or not at all, so nodes that its other pods hold are of no use
// now.
void GroupPostFilter::post_filter(const Call& call, std::span<const uint8_t>, uint64_t,
                                  berth_nomination& nomination) const {
  nomination.code = BERTH_UNSCHEDULABLE;
  if (call.one(number_) == 0) return;
  const int64_t size = call.one(min_member_);
  const int64_t missing = size - call.one(placed_);
  if (missing <= 0 || missing * 100 <= size * args_.reject_percentage) return;
  const Groups::Group group{std::string(strings_.text(call.one(namespace_))),
                            std::string(strings_.text(call.one(label_)))};
  groups_.give_up(group, call.one(handle_), "optimistic rejection in PostFilter");
  call.error().write(sdk::concat("PodGroup", ' ', group.first, "/", group.second,
                                 " gets rejected due to Pod ", strings_.text(call.one(name_)),
                                 " is unschedulable even after PostFilter"));
}

void GroupPermit::permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t> reasons,
                         std::span<int64_t> timeouts) const {
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] = BERTH_SUCCESS;
    if (!grouped(call, i)) continue;
    const bool exists = call[number_][i] != 0;
    const int64_t size =
        exists ? std::max<int64_t>(call[group_size_][i], 1) : min_member(call, i, reasons[i]);
    if (size == 0) {
      codes[i] = BERTH_UNSCHEDULABLE;
      continue;
    }
    const Groups::Group of = group(call, i);
    const int64_t have = exists ? call[placed_][i] : groups_.holding(of, pod(call, i));
    if (have >= size) {
      groups_.allow(of, pod(call, i));
      continue;
    }
    groups_.wait(of, pod(call, i));
    codes[i] = BERTH_WAIT;
    const int64_t own = call[timeout_][i];
    const int64_t seconds = own != 0 ? own : args_.permit_waiting_time_seconds;
    timeouts[i] = std::min<int64_t>(seconds, BERTH_PERMIT_MAX_SECONDS) * kSecond;
  }
}

int64_t GroupPermit::min_member(const Call& call, size_t i, uint32_t& reason) const {
  const uint32_t label = call[size_][i];
  if (label == 0) {
    if (args_.min_member == 0) reason = kNoSize;
    return args_.min_member;
  }
  const std::string_view text = strings_.text(label);
  int64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error == std::errc() && end == text.data() + text.size() && size > 0) return size;
  reason = kWrongSize;
  return 0;
}

void GroupPermit::describe(const Call&, uint32_t reason, const sdk::TextSink& sink) const {
  sink.write(reason == kNoSize
                 ? "PodGroup not found, and no size in its place: neither label "
                   "pod-group.scheduling.x-k8s.io/min-available nor argument minMember"
                 : "label pod-group.scheduling.x-k8s.io/min-available is no number from 1 on");
}

uint32_t GroupHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_POD_ASSIGNED) return BERTH_DID_DELETE;
  if (kind == BERTH_ON_POD_PENDING) return BERTH_DID_UPDATE_LABEL;
  return kind == BERTH_ON_NODE ? BERTH_DID_ANYTHING & ~BERTH_DID_DELETE : 0;
}

}  // namespace berth::plugins
