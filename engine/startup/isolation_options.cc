#include "engine/startup/isolation_options.h"

#include <utility>

#include "engine/base/error.h"
#include "engine/base/text/go_duration.h"
#include "engine/base/text/suggestion.h"
#include "engine/startup/memory_amount.h"

namespace berth::startup {
namespace {

using config::IsolatedPlugin;
using config::PluginIsolation;

constexpr std::string_view kAll = "all";

Place option(std::string name) {
  Place place;
  place.field = std::move(name);
  return place;
}

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

// Adds the options to what the file says.
class Adding {
 public:
  explicit Adding(PluginIsolation& to) : to_(to) {}

  void isolate(const std::string& word) {
    const std::string name(word == kAll ? config::kAllPlugins : word);
    if (to_.of(name) != nullptr) return;
    IsolatedPlugin& plugin = to_.plugins.emplace_back();
    plugin.name = name;
    plugin.place = option("--isolate");
  }

  void skip(const std::string& name) {
    if (name == kAll) {
      for (IsolatedPlugin& plugin : all("--isolation-skip"))
        plugin.on_failure = config::OnFailure::kSkip;
      return;
    }
    one(name, "--isolation-skip").on_failure = config::OnFailure::kSkip;
  }

  void allow(const std::string& word) {
    const size_t sign = word.find('=');
    IsolatedPlugin& plugin = one(word.substr(0, sign), "--isolation-allow");
    (word.substr(sign + 1) == "files" ? plugin.files : plugin.network) = true;
  }

  std::vector<IsolatedPlugin>& all(const char* which) {
    if (to_.empty())
      throw Error(option(which),
                  "has no effect, because no plugin runs in a process of its own; --isolate says "
                  "which plugins do");
    return to_.plugins;
  }

 private:
  IsolatedPlugin& one(const std::string& name, const char* which) {
    const IsolatedPlugin* const held = to_.of(name);
    if (held == nullptr)
      throw Error(option(which), "the plugin " + in_quotes(name) +
                                     " does not run in a process of its own; " + advice(name));
    const bool own = held->name == name;
    IsolatedPlugin& plugin = *to_.own(name);
    if (!own) plugin.place = option(which);
    return plugin;
  }

  std::string advice(const std::string& name) const {
    std::vector<std::string> isolated;
    for (const IsolatedPlugin& plugin : to_.plugins) isolated.push_back(plugin.name);
    const std::string meant = nearest_word(name, isolated);
    return meant.empty() ? "--isolate says which plugins do" : "did you mean " + meant + "?";
  }

  PluginIsolation& to_;
};

std::string permission_problem(std::string& word) {
  const size_t sign = word.find('=');
  const std::string what = sign == word.npos ? "" : word.substr(sign + 1);
  if (sign != 0 && (what == "files" || what == "network")) return {};
  return "expected NAME=files or NAME=network, not " + in_quotes(word);
}

std::optional<std::chrono::milliseconds> milliseconds(const std::string& text) {
  constexpr int64_t kPerMillisecond = 1'000'000;
  const std::optional<int64_t> nanoseconds = parse_duration(text);
  if (!nanoseconds || *nanoseconds < kPerMillisecond || *nanoseconds % kPerMillisecond != 0)
    return std::nullopt;
  return std::chrono::milliseconds(*nanoseconds / kPerMillisecond);
}

std::string deadline_problem(std::string& text) {
  if (milliseconds(text)) return {};
  return "expected a duration of whole milliseconds over 0, such as 5s or 200ms, not " +
         in_quotes(text);
}

// Options that name plugins.
void add_lists(CLI::App& command, IsolationOptions& options) {
  command
      .add_option("--isolate", options.plugins,
                  "plugins that run in processes of their own, by name, or all, besides those of "
                  "the configuration's PluginIsolation; can be repeated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  command
      .add_option("--isolation-skip", options.skipped,
                  "isolated plugins, or all of them, without which a decision goes on when their "
                  "process fails; without this option the pod fails. This and the other options of "
                  "isolation win over the configuration")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  command
      .add_option("--isolation-allow", options.allowed,
                  "an isolated plugin that may open files, or use the network; can be repeated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(permission_problem, ""))
      ->option_text("NAME=files|network");
}

}  // namespace

void IsolationOptions::add_to(CLI::App& command) {
  add_lists(command, *this);
  command
      .add_option_function<std::string>(
          "--isolation-deadline",
          [this](const std::string& text) { deadline = milliseconds(text); },
          "how long a call of an isolated plugin may take; then it fails and its process is ended "
          "(5s)")
      ->check(CLI::Validator(deadline_problem, ""))
      ->option_text("DURATION");
  command
      .add_option_function<std::string>(
          "--isolation-memory", [this](const std::string& text) { memory = memory_amount(text); },
          "how much memory the process of each isolated plugin may have; one that wants more is "
          "ended. 0 is no limit (4Gi)")
      ->check(is_memory_amount("for no limit"))
      ->option_text("AMOUNT");
}

PluginIsolation IsolationOptions::added_to(PluginIsolation file) const {
  Adding adding(file);
  for (const std::string& name : plugins) adding.isolate(name);
  for (const std::string& name : skipped) adding.skip(name);
  for (const std::string& word : allowed) adding.allow(word);
  if (deadline)
    for (IsolatedPlugin& plugin : adding.all("--isolation-deadline")) plugin.deadline = *deadline;
  if (memory)
    for (IsolatedPlugin& plugin : adding.all("--isolation-memory")) plugin.memory = *memory;
  return file;
}

}  // namespace berth::startup
