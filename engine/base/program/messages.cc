#include "engine/base/program/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "engine/base/text/number_text.h"

namespace berth {
namespace {

std::string& name_in_use() {
  static std::string name = "berth";
  return name;
}

}  // namespace

void set_program_name(std::string name) { name_in_use() = std::move(name); }

const std::string& program_name() { return name_in_use(); }

void say(std::string_view message) { say_as(program_name(), message); }

void say_as(std::string_view command, std::string_view message) {
  // A reader of standard error that is gone is no reason to end in another way.
  std::fputs(fmt::format("{}: {}\n", command, message).c_str(), stderr);
}

void say_faults(const Diagnostics& faults, size_t most) {
  const size_t shown = std::min(most, faults.kept().size());
  for (size_t i = 0; i < shown; ++i) say(faults.kept()[i].what());
  if (const uint64_t more = faults.count() - shown; more != 0)
    say(fmt::format("and {} more fault{}", grouped(more), more == 1 ? "" : "s"));
}

}  // namespace berth
