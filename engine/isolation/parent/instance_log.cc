// The lines of the log about the process of a plugin.

#include <string>

#include "engine/host/instance/services/services.h"
#include "engine/isolation/parent/instance.h"

namespace berth::isolation {

void IsolatedInstance::log(const std::string& text, uint32_t level) const {
  const host::HostServices& services = host::HostServices::of(services_.host);
  host::LogServices& log = services.environment().log;
  if (level <= log.level()) log.write(level, services.plugin(), text);
}

void IsolatedInstance::log_ending(const IsolatedPlugin::Ending& ending, const char* then) const {
  if (ending.what.empty() || services_.host == nullptr) return;
  const std::string kind = "the plugin's process " + ending.what;
  if (plugin_.is_first(kind)) log(kind + ending.place + then);
}

void IsolatedInstance::log_started(const IsolatedPlugin::Ending& before) const {
  if (before.in_a_row == 0) return log_ending(before, "; another one was started");
  log("the plugin's process was started again, after " + std::to_string(before.in_a_row) +
          " had ended in a row",
      BERTH_LOG_INFO);
}

void IsolatedInstance::log_skipped(const ProcessFailure& failure) const {
  if (dynamic_cast<const ProcessPauses*>(&failure) != nullptr) return;  // process() logs it
  const std::string what = process_text(failure), then = "; the plugin is skipped for this call";
  if (plugin_.is_first(what + then)) log(what + place_of_call() + then);
  plugin_.note_skipped();
}

void IsolatedInstance::log_repeated() const {
  if (services_.host == nullptr) return;
  for (const auto& [kind, times] : plugin_.take_repeated())
    log(kind + " (" + std::to_string(times) + (times == 1 ? " more time)" : " more times)"));
}

}  // namespace berth::isolation
