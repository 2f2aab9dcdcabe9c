#include "engine/host/run/worker_service.h"

#include <exception>

#include "engine/base/assert.h"
#include "engine/host/instance/services/service_thread.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/run/worker.h"

namespace berth::host {
namespace {

static_assert(BERTH_SCRATCH_MAX_BYTES == Scratch::kMostBytes);

uint32_t count(const berth_host* host) {
  return Worker::count(HostServices::of(host).environment().threads);
}

uint32_t index(const berth_host* host) {
  if (running_function() != nullptr) [[likely]]
    return Worker::current();
  log_refused(host, "worker.index", "only threads of the host have a number");
  return BERTH_NO_WORKER;
}

void* scratch(const berth_host* host, uint64_t bytes) {
  const PluginFunction* function = running_function();
  if (function == nullptr || function->keeps == Keeps::kNoHook) {
    log_refused(host, "worker.scratch", "only functions of hooks may");
    return nullptr;
  }
  BERTH_ASSERT(Worker::current() < count(host));
  try {
    return HostServices::of(host).scratch().get(function, ParallelBody::current() != nullptr,
                                                bytes);
  } catch (const std::exception&) {  // there is no memory for the list of blocks
    return nullptr;
  }
}

}  // namespace

const berth_worker_service& worker_service() {
  static constexpr berth_worker_service kTable = {sizeof kTable, 0, count, index, scratch};
  return kTable;
}

}  // namespace berth::host
