#include "engine/startup/controllers_option.h"

#include <fmt/format.h>

#include <string>

#include "engine/base/error.h"

namespace berth::startup {
namespace {

std::string controllers_problem(const std::string& text) try {
  played::ControllerList::parse(text);
  return {};
} catch (const Error& error) {
  return error.what();
}

}  // namespace

void ControllersOption::add_to(CLI::App& command, const char* clock) {
  command
      .add_option_function<std::string>(
          "--controllers",
          [this](const std::string& text) { list = played::ControllerList::parse(text); },
          fmt::format("controllers that are played, as kube-controller-manager takes them: * for "
                      "all (the default with {}), NAME, -NAME; an empty list is none (with "
                      "--clock=wall)",
                      clock))
      ->check(CLI::Validator(controllers_problem, ""))
      ->option_text("LIST");
}

}  // namespace berth::startup
