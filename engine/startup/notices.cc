#include "engine/startup/notices.h"

#include <fmt/format.h>

#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"
#include "engine/startup/rules_options.h"

namespace berth::startup {
namespace {

void name_once(const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return;
  say(printable(fmt::format("{}: {}", what, fmt::join(names, ", "))));
}

void name_all(const config::Configuration& configuration,
              const std::vector<std::string>& args_without_effect,
              const std::vector<std::string>& disables_nothing) {
  say_notices(configuration.notices);
  name_once("accepted and without effect here", configuration.without_effect);
  name_once("arguments of plugins that take none", args_without_effect);
  for (const std::string& entry : disables_nothing) say(entry);
}

}  // namespace

void name_what_is_not_done(const config::Configuration& configuration,
                           const runtime::Assembly& assembly) {
  name_all(configuration, assembly.without_effect, assembly.disables_nothing);
  for (const std::string& sentence : assembly.unread_epochs) say(printable(sentence));
}

void name_what_is_not_done(const config::Configuration& configuration,
                           const runtime::Findings& findings) {
  name_all(configuration, findings.without_effect, findings.disables_nothing);
}

}  // namespace berth::startup
