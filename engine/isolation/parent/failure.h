#pragma once

// The failure of a plugin's process during a call, and what becomes of it.

#include <stdexcept>
#include <string>

#include "berth/abi/base.h"
#include "engine/host/faults/in_plugin.h"

namespace berth::isolation {

// Costs the pod, not the run. The text says what happened, as the rest of a sentence.
class ProcessFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The process ended too often, and is not started again yet. Its plugin's log has it once.
class ProcessPauses : public ProcessFailure {
 public:
  using ProcessFailure::ProcessFailure;
};

// The failure as a text that stands alone.
inline std::string process_text(const ProcessFailure& failure) {
  return std::string("the plugin's process ") + failure.what();
}

// ` in a call of Filter of pod "default/web-1"`: what the calling thread does, as far as it is
// known, or nothing.
inline std::string place_of_call() {
  const host::PluginFunction* function = host::InPlugin::current();
  if (function == nullptr) return {};
  std::string place = " in a call of " + std::string(function->function);
  const host::AboutPod* pod = host::AboutPod::current();
  if (pod == nullptr) return place;
  place.append(" of pod \"").append(pod->namespace_name()).append("/").append(pod->name()) += '"';
  if (pod->others() != 0) place += " and " + std::to_string(pod->others()) + " more";
  return place;
}

// Runs a call. If the process fails, the call fails with a text. `sink` may be null.
template <typename Function>
berth_code guarded(const berth_text_sink* sink, Function&& function) {
  try {
    return function();
  } catch (const ProcessFailure& failure) {
    const std::string text = process_text(failure);
    if (sink != nullptr) sink->write(sink->context, {text.data(), text.size()});
    return BERTH_ERROR;
  }
}

// The same for functions without a code and for texts about answers: the host catches the
// exception.
template <typename Function>
auto unguarded(Function&& function) {
  try {
    return function();
  } catch (const ProcessFailure& failure) {
    throw std::runtime_error(process_text(failure));
  }
}

}  // namespace berth::isolation
