#include "engine/startup/isolation.h"

#include <utility>

#include "engine/base/text/go_duration.h"
#include "engine/base/text/suggestion.h"
#include "engine/isolation/parent/isolation.h"

namespace berth::startup {
namespace {

using config::IsolatedPlugin;

// Translates an entry into the options of a process and of its calls.
isolation::Options options_of(const IsolatedPlugin& plugin, const std::filesystem::path& program,
                              CallClock clock) {
  isolation::Options options;
  options.program = program;
  options.starts_at_once = clock == CallClock::kStandsStill;
  options.on_failure = plugin.on_failure == config::OnFailure::kSkip ? isolation::OnFailure::kSkip
                                                                     : isolation::OnFailure::kPod;
  options.files = plugin.files;
  options.network = plugin.network;
  options.deadline = plugin.deadline;
  options.memory = static_cast<uint64_t>(plugin.memory);
  return options;
}

}  // namespace

std::string isolation_failure() { return isolation::first_failure(); }

std::vector<Error> isolation_faults(const config::PluginIsolation& isolation,
                                    const host::Discovery& discovery,
                                    std::chrono::milliseconds call_limit) {
  std::vector<Error> faults;
  for (const IsolatedPlugin& plugin : isolation.plugins) {
    if (plugin.name != config::kAllPlugins && discovery.find(plugin.name) == nullptr) {
      const std::string meant = nearest_word(plugin.name, discovery.names());
      faults.emplace_back(plugin.place, "no plugin folder has the plugin \"" + plugin.name + '"' +
                                            (meant.empty() ? "" : "; did you mean " + meant + "?"));
    }
    if (plugin.deadline >= call_limit)
      faults.emplace_back(plugin.place, "the deadline of " + go_duration(plugin.deadline) +
                                            " is not shorter than the " + go_duration(call_limit) +
                                            " after which a call ends the run (--plugin-timeout); "
                                            "choose a shorter one");
  }
  return faults;
}

runtime::Plugins::Load isolated_loader(config::PluginIsolation isolation,
                                       const std::filesystem::path& prefix, host::LoadFrom from,
                                       CallClock clock) {
  std::filesystem::path program = prefix / "lib/berth/berth-plugin-host";
  if (!std::filesystem::exists(program))
    throw Error(isolation.plugins.front().place,
                "the program " + program.string() +
                    ", in which isolated plugins run, is not there; install Berth as a whole");
  return [isolation = std::move(isolation), program = std::move(program), from, clock](
             const std::string& name, host::SealedFile file) {
    const IsolatedPlugin* const plugin = isolation.of(name);
    if (plugin == nullptr)
      return host::Library::load(std::move(file), host::host_revisions(), from);
    return isolation::load_isolated(std::move(file), options_of(*plugin, program, clock));
  };
}

}  // namespace berth::startup
