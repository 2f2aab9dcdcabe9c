#include "engine/host/instance/services/waiting_service.h"

#include <exception>

#include "engine/host/instance/bounded_text.h"
#include "engine/host/instance/services/service_thread.h"
#include "engine/host/instance/services/services.h"

namespace berth::host {
namespace {

WaitingServices* waiting_of(const berth_host* host) {
  return HostServices::of(host).environment().waiting->now;
}

// No exception passes through the plugin. `name`: of the function, as refuses_thread() takes it.
template <typename Answer, typename Function>
Answer guarded(const berth_host* host, const char* name, Answer no, Function&& function) noexcept {
  if (refuses_thread(host, name)) return no;
  try {
    WaitingServices* services = waiting_of(host);
    return services != nullptr ? function(*services) : no;
  } catch (const std::exception& failure) {
    const HostServices& of = HostServices::of(host);
    of.environment().log.write(BERTH_LOG_ERROR, of.plugin(), failure.what());
    return no;
  }
}

void each(const berth_host* host, void* context,
          void (*visit)(void* context, uint64_t pod, uint32_t node)) {
  guarded(host, "waiting.each", 0, [&](WaitingServices& services) {
    services.each([&](uint64_t pod, uint32_t node) { visit(context, pod, node); });
    return 0;
  });
}

berth_code allow(const berth_host* host, uint64_t pod) {
  return guarded(
      host, "waiting.allow", berth_code{BERTH_ERROR}, [&](WaitingServices& services) -> berth_code {
        return services.allow(pod, HostServices::of(host).plugin()) ? BERTH_SUCCESS : BERTH_ERROR;
      });
}

berth_code reject(const berth_host* host, uint64_t pod, berth_string reason) {
  return guarded(host, "waiting.reject", berth_code{BERTH_ERROR},
                 [&](WaitingServices& services) -> berth_code {
                   return services.reject(pod, HostServices::of(host).plugin(), bounded(reason))
                              ? BERTH_SUCCESS
                              : BERTH_ERROR;
                 });
}

void activate(const berth_host* host, uint64_t count, const uint64_t* pods) {
  guarded(host, "waiting.activate", 0, [&](WaitingServices& services) {
    services.activate({pods, static_cast<size_t>(count)});
    return 0;
  });
}

}  // namespace

const berth_waiting_service& waiting_service() {
  static constexpr berth_waiting_service kTable = {sizeof kTable, 0, each, allow, reject, activate};
  return kTable;
}

}  // namespace berth::host
