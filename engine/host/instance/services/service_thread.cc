#include "engine/host/instance/services/service_thread.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "engine/base/mutex.h"
#include "engine/host/calls/tag_scope.h"
#include "engine/host/faults/in_plugin.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/instance/text.h"

namespace berth::host {
namespace {

// Once for each plugin and text.
void log_once(const berth_host* host, const std::string& text) {
  static Mutex mutex;
  static auto& logged = *new std::set<std::string>;
  const HostServices& services = HostServices::of(host);
  {
    const MutexLock lock(mutex);
    if (!logged.insert(services.plugin() + "\n" + text).second) return;
  }
  services.environment().log.write(BERTH_LOG_ERROR, services.plugin(), text);
}

bool is_init(std::string_view function) {
  constexpr std::array<std::string_view, 4> kInit = {"init", "extension", "actions", "destroy"};
  return std::ranges::find(kInit, function) != kInit.end();
}

constexpr std::string_view kOnNoFunction = "on a thread that runs none of its functions";

std::string where_it_runs() {
  const PluginFunction* running = InPlugin::current();
  return running != nullptr ? "in " + std::string(running->function) : std::string(kOnNoFunction);
}

void log_call(const berth_host* host, std::string_view function, std::string_view where,
              std::string_view may) {
  log_once(host,
           "called " + std::string(function) + " " + std::string(where) + "; " + std::string(may));
}

void log_lookup(const berth_host* host, std::string_view service, std::string_view where) {
  log_once(host, "asked for the service " + in_quotes(service.substr(0, 100)) + " " +
                     std::string(where) + "; services are looked up in init");
}

}  // namespace

bool refuses_thread(const berth_host* host, const char* function) {
  if (TagScope::refuses(function)) return true;
  if (InPlugin::current() != nullptr) [[likely]]
    return false;
  log_call(host, function, kOnNoFunction, "only the thread that owns the model may");
  return true;
}

void log_refused(const berth_host* host, std::string_view function, std::string_view may) {
  log_call(host, function, where_it_runs(), may);
}

void log_stray(const berth_host* host, std::string_view function, std::string_view may) {
  log_call(host, function, kOnNoFunction, may);
}

void log_stray_lookup(const berth_host* host, std::string_view service) {
  log_lookup(host, service, kOnNoFunction);
}

bool refuses_lookup(const berth_host* host, std::string_view service) {
  const PluginFunction* running = InPlugin::current();
  if (running != nullptr && is_init(running->function)) return false;
  log_lookup(host, service, where_it_runs());
  return true;
}

}  // namespace berth::host
