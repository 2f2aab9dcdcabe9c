// The services of the clock and of random numbers.

#include "engine/host/run/clock_service.h"

#include "engine/host/instance/services/service_thread.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/run/kept.h"

namespace berth::host {
namespace {

constexpr uint64_t kGolden = 0x9e37'79b9'7f4a'7c15u;

// False, and refused, if what the calling function answers is kept, or if it is none of a hook.
bool allowed(const berth_host* host, const char* service) {
  const PluginFunction* function = running_function();
  if (function != nullptr && function->keeps == Keeps::kNothing) [[likely]]
    return true;
  if (function == nullptr || function->keeps == Keeps::kNoHook) {
    log_refused(host, service, "only functions of hooks may");
  } else {
    Refusal::note(*function, service);
  }
  return false;
}

int64_t now(const berth_host* host) {
  return allowed(host, "clock.now") ? HostServices::of(host).moment().now : 0;
}

uint64_t bits(const berth_host* host, uint64_t stream) {
  if (!allowed(host, "random.bits")) return 0;
  const HostServices& of = HostServices::of(host);
  return random_bits(of.random_state(of.moment()), stream);
}

}  // namespace

const berth_clock_service& clock_service() {
  static constexpr berth_clock_service kTable = {sizeof kTable, 0, now};
  return kTable;
}

const berth_random_service& random_service() {
  static constexpr berth_random_service kTable = {sizeof kTable, 0, bits};
  return kTable;
}

uint64_t random_key(uint64_t seed, std::string_view plugin) {
  uint64_t key = mix(seed + kGolden);
  for (const char c : plugin) key = mix(key ^ (static_cast<unsigned char>(c) + kGolden));
  return key;
}

uint64_t random_bits(uint64_t state, uint64_t stream) {
  return mix(state + (stream + 1) * kGolden);
}

}  // namespace berth::host
