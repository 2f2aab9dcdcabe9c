#include "plugins/coscheduling/coscheduling.h"

#include <algorithm>
#include <charconv>

namespace berth::plugins {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

enum Reason : uint32_t { kNoSize = 1, kWrongSize };

}  // namespace

void GroupReserve::reserve(const Call&, std::span<uint8_t> codes, std::span<uint32_t>) const {
  std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
}

void GroupReserve::unreserve(const Call& call) const noexcept {
  for (size_t i = 0; i < count(call); ++i)
    if (grouped(call, i)) groups_.fail(group(call, i), pod(call, i));
}

void GroupPermit::permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t> reasons,
                         std::span<int64_t> timeouts) const {
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] = BERTH_SUCCESS;
    if (!grouped(call, i)) continue;
    const int64_t size = min_member(call, i, reasons[i]);
    if (size == 0) {
      codes[i] = BERTH_UNSCHEDULABLE;
    } else if (!groups_.complete(group(call, i), pod(call, i), size)) {
      codes[i] = BERTH_WAIT;
      timeouts[i] = args_.permit_waiting_time_seconds * kSecond;
    }
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
                 ? "the pod's group has no size: neither label "
                   "pod-group.scheduling.x-k8s.io/min-available nor argument minMember"
                 : "label pod-group.scheduling.x-k8s.io/min-available is no number from 1 on");
}

uint32_t GroupHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_POD_ASSIGNED) return BERTH_DID_DELETE;
  if (kind == BERTH_ON_POD_PENDING) return BERTH_DID_UPDATE_LABEL;
  return kind == BERTH_ON_NODE ? BERTH_DID_ANYTHING & ~BERTH_DID_DELETE : 0;
}

}  // namespace berth::plugins
