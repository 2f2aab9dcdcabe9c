#include "engine/base/program/messages.h"

#include "engine/base/program/message_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "engine/base/text/number_text.h"

namespace berth {
namespace {

std::string& name_in_use() {
  static std::string name = "berth";
  return name;
}

// What MessageScope keeps. Messages may come from any thread.
struct Scoped {
  std::mutex mutex;
  bool on = false;
  std::vector<MessageScope::Name> names;
  std::unordered_set<std::string> said;
};

Scoped& scoped() {
  static Scoped state;
  return state;
}

std::string with_names(std::string message, const std::vector<MessageScope::Name>& names) {
  for (const MessageScope::Name& name : names)
    for (size_t at = 0; (at = message.find(name.made, at)) != std::string::npos;
         at += name.given.size())
      message.replace(at, name.made.size(), name.given);
  return message;
}

}  // namespace

MessageScope::MessageScope(std::vector<Name> names) {
  const std::lock_guard lock(scoped().mutex);
  scoped().on = true;
  scoped().names = std::move(names);
  scoped().said.clear();
}

MessageScope::~MessageScope() {
  const std::lock_guard lock(scoped().mutex);
  scoped().on = false;
}

std::string MessageScope::of_user(const std::string& message) const {
  const std::lock_guard lock(scoped().mutex);
  return with_names(message, scoped().names);
}

void set_program_name(std::string name) { name_in_use() = std::move(name); }

const std::string& program_name() { return name_in_use(); }

void say(std::string_view message) { say_as(program_name(), message); }

void say_as(std::string_view command, std::string_view message) {
  std::string line = fmt::format("{}: {}\n", command, message);
  {
    const std::lock_guard lock(scoped().mutex);
    if (scoped().on) {
      line = with_names(std::move(line), scoped().names);
      if (!scoped().said.insert(line).second) return;
    }
  }
  // A reader of standard error that is gone is no reason to end in another way.
  std::fputs(line.c_str(), stderr);
}

void say_faults(const Diagnostics& faults, size_t most) {
  const size_t shown = std::min(most, faults.kept().size());
  for (size_t i = 0; i < shown; ++i) say(faults.kept()[i].what());
  if (const uint64_t more = faults.count() - shown; more != 0)
    say(fmt::format("and {} more fault{}", grouped(more), more == 1 ? "" : "s"));
}

}  // namespace berth
