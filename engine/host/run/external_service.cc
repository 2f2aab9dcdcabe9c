#include "engine/host/run/external_service.h"

#include <exception>
#include <string>

#include "engine/host/instance/services/service_thread.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/instance/text.h"
#include "engine/host/run/external.h"

namespace berth::host {
namespace {

static_assert(BERTH_EXTERNAL_MAX_EPOCHS == InstanceEpochs::kMost);

// 0: `problem` says why.
uint32_t number_of(const HostServices& of, std::string_view name, std::string& problem) {
  std::string id = "cluster.epoch:";
  const uint32_t column = of.environment().model.cluster().find_column(id.append(name));
  const uint32_t number = column == 0 ? 0 : of.epochs()->name(column);
  if (number == 0)
    problem =
        "the epoch " + in_quotes(name) + " was refused: " +
        (column == 0 ? "it needs a name"
                     : "an instance has " + std::to_string(InstanceEpochs::kMost) + " at most");
  return number;
}

uint32_t epoch(const berth_host* host, berth_string name) noexcept {
  const PluginFunction* running = InPlugin::current();
  if (running == nullptr || running->keeps != Keeps::kNoHook) {
    log_refused(host, "external.epoch", "epochs are named in init");
    return 0;
  }
  const HostServices& of = HostServices::of(host);
  std::string problem;
  try {
    const uint32_t number = number_of(of, readable(name), problem);
    if (number != 0) return number;
  } catch (const std::exception& failure) {
    problem = failure.what();
  }
  of.environment().log.write(BERTH_LOG_ERROR, of.plugin(), problem);
  return 0;
}

void raise(const berth_host* host, uint32_t epoch) {
  if (HostServices::of(host).epochs()->raise(epoch)) [[likely]]
    return;
  log_refused(host, "external.raise", "the epoch must be one of the instance");
}

void wake(const berth_host* host) { HostServices::of(host).epochs()->wake(); }

}  // namespace

const berth_external_service& external_service() {
  static constexpr berth_external_service kTable = {sizeof kTable, 0, epoch, raise, wake};
  return kTable;
}

}  // namespace berth::host
