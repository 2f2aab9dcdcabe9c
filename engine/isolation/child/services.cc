#include "engine/isolation/child/services.h"

#include <exception>
#include <mutex>
#include <string>
#include <unordered_set>

#include "engine/host/instance/bounded_text.h"
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

PluginHost::PluginHost(std::string_view plugin)
    : plugin_(plugin),
      host_{sizeof host_,
            BERTH_ABI_MAJOR,
            BERTH_ABI_MINOR,
            this,
            service,
            abi_text(host::host_name()),
            {}},
      log_(asking_table<berth_log_service>()) {
  log_.level = BERTH_LOG_INFO;
  log_.write = write_log;
  log_.shows = shows_log;
}

// The level is that of the last look-up of a service.
void PluginHost::write_log(const berth_host* host, uint32_t level, berth_string text) {
  if (PluginLane::current() != nullptr)
    return Stub<&berth_log_service::write>::call(host, level, text);
  const auto& self = *static_cast<PluginHost*>(host->context);
  if (level > self.log_.level) return;
  try {
    host::standard_log().write(level, self.plugin_, host::bounded(text));
  } catch (const std::exception&) {  // no memory for a message
  }
}

uint32_t PluginHost::shows_log(const berth_host* host, uint32_t level) {
  if (PluginLane::current() != nullptr) return Stub<&berth_log_service::shows>::call(host, level);
  return level <= static_cast<PluginHost*>(host->context)->log_.level ? 1 : 0;
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
