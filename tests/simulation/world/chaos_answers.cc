#include "tests/simulation/world/chaos_answers.h"

#include "berth/abi/base.h"

namespace berth::simulation {
namespace {

std::string_view view(FaultText text) { return {text.data, text.size}; }

// FNV-1a.
uint64_t hash(std::string_view text) {
  uint64_t value = 0xcbf2'9ce4'8422'2325;
  for (const char c : text) value = (value ^ static_cast<uint8_t>(c)) * 0x100'0000'01b3;
  return value;
}

bool chance(uint64_t number, int percent) {
  return below(number, 100) < static_cast<uint64_t>(percent);
}

// Bits of a number that `chance` does not look at.
bool odd(uint64_t number) { return (number & 1) != 0; }

// PostFilter leaves the pod to the next plugin.
uint8_t success_at(FaultPoint point) {
  return point == FaultPoint::kPostFilter ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
}

uint8_t refusal(uint64_t number) {
  return odd(number) ? BERTH_UNSCHEDULABLE : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
}

}  // namespace

ChaosAnswers::ChaosAnswers(uint64_t seed, Dice& dice, const Rates& rates, Marks& marks)
    : seed_(mix(seed + 1)), dice_(dice), rates_(rates), marks_(marks) {
  faults_.self = this;
  faults_.next = [](void* self, FaultPoint point, int64_t* timeout) {
    return static_cast<ChaosAnswers*>(self)->next(point, *timeout);
  };
  faults_.about = [](void* self, FaultPoint point, FaultText pod, FaultText node) {
    return static_cast<const ChaosAnswers*>(self)->about(point, view(pod), view(node));
  };
  faults_.score = [](void* self, FaultText pod, FaultText node) {
    const auto& answers = *static_cast<const ChaosAnswers*>(self);
    const uint64_t number = answers.number(FaultPoint::kScore, view(pod), view(node));
    return static_cast<int64_t>(below(number, 101));
  };
  faults_.told = [](void* self, Told what, uint64_t pod, FaultText node) {
    static_cast<ChaosAnswers*>(self)->ledger_.take(what, pod, view(node));
  };
}

uint8_t ChaosAnswers::next(FaultPoint point, int64_t& timeout) {
  if (healed_) return BERTH_SUCCESS;
  if (dice_.chance(rates_.plugin_errors)) {
    marks_.fails(point);
    return BERTH_ERROR;
  }
  if (point == FaultPoint::kBind) return BERTH_SUCCESS;  // it refuses nobody
  if (dice_.chance(rates_.plugin_refusals))
    return dice_.chance(50) ? BERTH_UNSCHEDULABLE : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
  const bool permit = point == FaultPoint::kPermit;
  if (!permit && point != FaultPoint::kPreBind) return BERTH_SUCCESS;
  if (!dice_.chance(permit ? rates_.permit_waits : rates_.pre_bind_waits)) return BERTH_SUCCESS;
  timeout = dice_.number(0, 20'000) * 1'000'000;
  marks_.hit(permit ? Mark::kPermitWait : Mark::kPreBindWait);
  return BERTH_WAIT;
}

uint64_t ChaosAnswers::number(FaultPoint point, std::string_view pod, std::string_view node) const {
  const uint64_t decision = core_ == nullptr ? 0 : core_->scheduler().decisions().count();
  const uint64_t question = hash(pod) ^ mix(hash(node));
  return draw(seed_ ^ question, decision, static_cast<uint32_t>(point), Purpose::kLoad);
}

uint8_t ChaosAnswers::about(FaultPoint point, std::string_view pod, std::string_view node) const {
  if (healed_) return success_at(point);
  const uint8_t code = node.empty() ? drawn(point, pod) : about_node(pod, node);
  if (code == BERTH_ERROR || (point == FaultPoint::kNormalise && code != BERTH_SUCCESS))
    marks_.fails(point);
  return code;
}

// An answer about the pod alone.
uint8_t ChaosAnswers::drawn(FaultPoint point, std::string_view pod) const {
  const uint64_t error = number(point, pod, "error");
  if (chance(error, rates_.plugin_errors)) {
    // A filter fails at some nodes as often as it fails as a whole.
    if (point == FaultPoint::kFilter && odd(error)) return BERTH_SUCCESS;
    if (point == FaultPoint::kNormalise && odd(error)) return BERTH_SKIP;
    return BERTH_ERROR;
  }
  const uint64_t other = number(point, pod, "refusal");
  if (!chance(other, rates_.plugin_refusals)) return success_at(point);
  switch (point) {
    case FaultPoint::kPreEnqueue:
    case FaultPoint::kPreFilter:
      return refusal(other);
    case FaultPoint::kPostFilter:
      return BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    case FaultPoint::kPreScore:
      return BERTH_SKIP;
    default:
      return success_at(point);
  }
}

// A verdict of Filter.
uint8_t ChaosAnswers::about_node(std::string_view pod, std::string_view node) const {
  const uint64_t error = number(FaultPoint::kFilter, pod, "error");
  const uint64_t here = number(FaultPoint::kFilter, pod, node);
  if (chance(error, rates_.plugin_errors) && odd(error) && chance(here, 40)) return BERTH_ERROR;
  return chance(mix(here), rates_.plugin_refusals) ? refusal(here) : uint8_t{BERTH_SUCCESS};
}

}  // namespace berth::simulation
