#include "engine/startup/isolation_options.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/isolation/engine/isolation.h"

namespace berth::startup {
namespace {

constexpr std::string_view kAll = "all";

Place option(std::string name) {
  Place place;
  place.field = std::move(name);
  return place;
}

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

// The plugins that the options isolate, each with what holds for it.
class Isolated {
 public:
  Isolated(const host::Discovery& discovery, isolation::Options options)
      : discovery_(discovery), options_(std::move(options)) {}

  void isolate(const std::string& name) {
    if (name == kAll) {
      for (const host::Found& found : discovery_.plugins) by_name_[found.identity.name] = options_;
      return;
    }
    if (discovery_.find(name) == nullptr)
      throw Error(option("--isolate"),
                  "no plugin folder has the plugin " + in_quotes(name) + "; name a plugin, or all");
    by_name_[name] = options_;
  }

  isolation::Options& of(const std::string& name, const char* which) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
      throw Error(option(which), "the plugin " + in_quotes(name) +
                                     " does not run in a process of its own; --isolate says which "
                                     "plugins do");
    return found->second;
  }

  void skip(const std::string& name) {
    if (name == kAll) {
      for (auto& [isolated, options] : by_name_) options.on_failure = isolation::OnFailure::kSkip;
      return;
    }
    of(name, "--isolation-skip").on_failure = isolation::OnFailure::kSkip;
  }

  void allow(const std::string& word) {
    const size_t sign = word.find('=');
    isolation::Options& options = of(word.substr(0, sign), "--isolation-allow");
    (word.substr(sign + 1) == "files" ? options.files : options.network) = true;
  }

  std::map<std::string, isolation::Options> take() { return std::move(by_name_); }

 private:
  const host::Discovery& discovery_;
  const isolation::Options options_;
  std::map<std::string, isolation::Options> by_name_;
};

CLI::Validator is_permission() {
  return CLI::Validator(
      [](std::string& word) -> std::string {
        const size_t sign = word.find('=');
        const std::string what = sign == word.npos ? "" : word.substr(sign + 1);
        if (sign != 0 && (what == "files" || what == "network")) return {};
        return "expected NAME=files or NAME=network, not " + in_quotes(word);
      },
      "");
}

}  // namespace

void IsolationOptions::add_to(CLI::App& command) {
  command
      .add_option("--isolate", plugins,
                  "plugins that run in processes of their own, by name, or all; can be repeated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  command
      .add_option("--isolation-skip", skipped,
                  "isolated plugins, or all of them, without which a decision goes on when their "
                  "process fails; without this option the pod fails")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  command
      .add_option("--isolation-allow", allowed,
                  "an isolated plugin that may open files, or use the network; can be repeated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(is_permission())
      ->option_text("NAME=files|network");
  command
      .add_option("--isolation-deadline", deadline,
                  "milliseconds after which a call of an isolated plugin fails and its process is "
                  "ended (5000)")
      ->check(check::whole_number(1, 29'000))
      ->option_text("MS");
}

void IsolationOptions::check_deadline(int plugin_timeout_seconds) const {
  const int64_t most = int64_t{plugin_timeout_seconds} * 1000;
  if (plugins.empty() || deadline < most) return;
  throw Error(option("--isolation-deadline"),
              std::to_string(deadline) + " ms are not less than the " + std::to_string(most) +
                  " ms of --plugin-timeout, which end the run; choose a shorter deadline");
}

runtime::Plugins::Load IsolationOptions::loader(const host::Discovery& discovery,
                                                const std::filesystem::path& prefix,
                                                host::LoadFrom from) const {
  isolation::Options options;
  options.program = prefix / "lib/berth/berth-plugin-host";
  options.deadline = std::chrono::milliseconds(deadline);
  Isolated isolated(discovery, options);
  for (const std::string& name : plugins) isolated.isolate(name);
  for (const std::string& name : skipped) isolated.skip(name);
  for (const std::string& word : allowed) isolated.allow(word);
  std::map<std::string, isolation::Options> by_name = isolated.take();
  if (by_name.empty()) return {};
  if (!std::filesystem::exists(options.program))
    throw Error(option("--isolate"), "the program " + options.program.string() +
                                         ", in which isolated plugins run, is not there; install "
                                         "Berth as a whole");
  return [by_name = std::move(by_name), from](const std::string& name, host::SealedFile file) {
    const auto found = by_name.find(name);
    if (found == by_name.end())
      return host::Library::load(std::move(file), host::host_revisions(), from);
    return isolation::load_isolated(std::move(file), found->second);
  };
}

}  // namespace berth::startup
