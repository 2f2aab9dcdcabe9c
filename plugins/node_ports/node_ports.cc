#include "plugins/node_ports/node_ports.h"

#include <algorithm>

namespace berth::plugins {

void PortsPreFilter::pre_filter(const Call& call, sdk::PreFilterResult& result) const {
  if (call.one(wanted_).empty()) result.skip();
}

void PortsFilter::prepare(const sdk::Template& pod, sdk::Preparation& prepared, PortsState& state) {
  const auto wanted = pod.one(wanted_);
  state.wanted.assign(wanted.begin(), wanted.end());
  prepared.keep(used_);
}

// True for the same port and protocol if the addresses are equal or one is 0.0.0.0.
bool PortConflicts::between(uint64_t a, uint64_t b) const {
  if (static_cast<uint32_t>(a) != static_cast<uint32_t>(b)) return false;
  const uint64_t address_a = a >> 32;
  const uint64_t address_b = b >> 32;
  return address_a == address_b || address_a == any_address_ || address_b == any_address_;
}

bool PortConflicts::between(std::span<const uint64_t> some,
                            std::span<const uint64_t> others) const {
  for (const uint64_t one : some)
    for (const uint64_t other : others)
      if (between(one, other)) return true;
  return false;
}

void PortsFilter::filter(const Call& call, std::span<uint8_t> verdicts) const {
  if (!call.ran_pre_filter()) {
    call.error().write("reading \"PreFilterNodePorts\" from cycleState: not found");
    std::fill(verdicts.begin(), verdicts.end(), static_cast<uint8_t>(BERTH_ERROR));
    return;
  }
  const auto used = call[used_];
  const std::vector<uint64_t>& wanted = call.state().wanted;
  for (size_t i = 0; i < verdicts.size(); ++i)
    verdicts[i] = conflicts_.between(used[i], wanted) ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
}

std::string PortsFilter::text(uint64_t port) const {
  const auto address = static_cast<uint32_t>(port >> 32);
  const auto protocol = static_cast<uint32_t>(port >> 16 & 0xffff);
  return sdk::concat(strings_.text(address), ":", strings_.text(protocol), ":", port & 0xffff);
}

void PortsFilter::numbers(const Call& call, sdk::Numbers& numbers) const {
  for (const uint64_t wanted : call.state().wanted)
    for (const uint64_t used : call[used_][0])
      if (conflicts_.between(used, wanted))
        numbers.item(text(wanted)).text("in use", text(used)).pods("pods", call.place(used_), used);
}

uint32_t PortsHints::actions(uint32_t kind) const {
  if (kind == BERTH_ON_NODE) return BERTH_DID_ADD;
  return (kind & BERTH_ON_STORAGE) != 0 ? 0 : BERTH_DID_DELETE;
}

void PortsHints::prepare(const sdk::Template& pod, sdk::Preparation& prepared, PortsState& state) {
  const auto wanted = pod.one(ports_);
  state.wanted.assign(wanted.begin(), wanted.end());
  prepared.keep(ports_);
}

bool PortsHints::hint(const Call& call, const sdk::Event& event) const {
  if (event.on_node()) return true;
  if (event.node() == 0 && event.nominated_node() == 0) return false;
  return conflicts_.between(event.before().one(ports_), call.state().wanted);
}

}  // namespace berth::plugins
