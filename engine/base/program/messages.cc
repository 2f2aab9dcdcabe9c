#include "engine/base/program/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unordered_set>
#include <utility>

#include "engine/base/mutex.h"
#include "engine/base/program/message_scope.h"
#include "engine/base/text/number_text.h"

namespace berth {
namespace {

std::string& name_in_use() {
  static std::string name = "berth";
  return name;
}

// The messages that MessageScope keeps. Messages may come from any thread.
struct Scoped {
  Mutex mutex;
  bool on BERTH_GUARDED_BY(mutex) = false;
  std::vector<MessageScope::Name> names BERTH_GUARDED_BY(mutex);
  std::unordered_set<std::string> said BERTH_GUARDED_BY(mutex);
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

// False: the line was said in the scope. Else gives it the user's names.
bool to_be_said(std::string& line) {
  Scoped& state = scoped();
  const MutexLock lock(state.mutex);
  if (!state.on) return true;
  line = with_names(std::move(line), state.names);
  return state.said.insert(line).second;
}

}  // namespace

MessageScope::MessageScope(std::vector<Name> names) {
  Scoped& state = scoped();
  const MutexLock lock(state.mutex);
  state.on = true;
  state.names = std::move(names);
  state.said.clear();
}

MessageScope::~MessageScope() {
  Scoped& state = scoped();
  const MutexLock lock(state.mutex);
  state.on = false;
}

std::string MessageScope::of_user(const std::string& message) const {
  Scoped& state = scoped();
  const MutexLock lock(state.mutex);
  return with_names(message, state.names);
}

void set_program_name(std::string name) { name_in_use() = std::move(name); }

const std::string& program_name() { return name_in_use(); }

void say(std::string_view message) { say_as(program_name(), message); }

void say_as(std::string_view command, std::string_view message) {
  std::string line = fmt::format("{}: {}\n", command, message);
  if (!to_be_said(line)) return;
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
