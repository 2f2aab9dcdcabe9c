#include "engine/host/instance/validate.h"

#include "engine/host/calls/checks/guard.h"
#include "engine/host/faults/floating_point.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/host/instance/text.h"

namespace berth::host {

std::vector<Error> validate(const Library& library, const Arguments& arguments) {
  if (!library.takes_arguments()) return {};
  ConfigTree tree(arguments);
  berth_code code = BERTH_SUCCESS;
  std::string failure;
  const PluginFunction function = library.function("validate");
  try {
    const LifeCycleCall scope(function);
    code = library.code().validate(tree.config());
  } catch (...) {
    failure = caught_in(function);
  }
  if (failure.empty()) failure = restore_floating_point(function.function);
  std::vector<Error> errors = failure.empty() ? tree.errors() : tree.reported();
  if (failure.empty() && code != BERTH_SUCCESS && errors.empty()) {
    failure = "refused its arguments without a message (code " + std::to_string(code) + ")";
  }
  if (!failure.empty()) {
    errors.emplace_back(tree.place(0), "plugin " + in_quotes(library.name()) + " " + failure);
  }
  return errors;
}

}  // namespace berth::host
