#include "engine/isolation/child/services.h"

#include <mutex>
#include <string>
#include <unordered_set>

#include "engine/host/instance/services/services.h"
#include "engine/isolation/child/stub.h"

namespace berth::isolation {

// Texts of string ids are valid as long as the ids, so they stay.
berth_string lasting(std::string_view text) {
  static std::mutex mutex;
  static std::unordered_set<std::string> texts;
  const std::lock_guard lock(mutex);
  return abi_text(*texts.emplace(text).first);
}

PluginHost::PluginHost()
    : host_{sizeof host_,
            BERTH_ABI_MAJOR,
            BERTH_ABI_MINOR,
            this,
            service,
            abi_text(host::host_name()),
            {}},
      log_(asking_table<berth_log_service>()) {
  log_.level = BERTH_LOG_INFO;
}

const void* PluginHost::service(const berth_host* host, berth_string id) {
  constexpr auto kStray = static_cast<uint32_t>(Ask::kService);
  if (PluginLane::current() == nullptr) {
    StrayCalls::note(kStray, {id.data, id.size});
    return nullptr;
  }
  return on_lane(kStray, static_cast<const void*>(nullptr), [&](PluginLane& lane) -> const void* {
    Writer message;
    message.text(id);
    Reader answer = lane.ask(Ask::kService, message);
    if (answer.get<uint32_t>() == 0) return nullptr;
    auto& self = *static_cast<PluginHost*>(host->context);
    self.log_.level = answer.get<uint32_t>();
    const std::string_view name(id.data, id.size);
    return name == BERTH_LOG_SERVICE ? &self.log_ : service_table(name);
  });
}

}  // namespace berth::isolation
