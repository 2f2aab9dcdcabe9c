#pragma once

// The functions of a plugin's descriptor (berth/abi/plugin.h), wherever they run: in this process,
// or in one of the plugin's own (engine/isolation). Lifetimes, threads and meanings are those of
// the descriptor. Exceptions pass through, and the caller catches them.

#include <cstdint>
#include <memory>

#include "berth/abi/plugin.h"
#include "engine/host/calls/together.h"

namespace berth::host {

class PluginCode {
 public:
  virtual ~PluginCode() = default;

  // False: the plugin has no `validate`, which must not be called then.
  virtual bool takes_arguments() const = 0;
  virtual berth_code validate(const berth_config* config) const = 0;
  virtual berth_plugin* create() const = 0;
  virtual berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                          const berth_text_sink* error) const = 0;
  virtual const void* extension(berth_plugin* plugin, berth_string id) const = 0;
  virtual void destroy(berth_plugin* plugin) const = 0;

  // True if the code runs in a process of its own.
  virtual bool is_apart() const { return false; }
  // Only then: a number for the process, another for each that was started; 0: it has ended, and
  // the next call starts another one.
  virtual uint64_t living_process() const { return 0; }
  // Only then: calls that go to the process together.
  virtual std::unique_ptr<ProcessCalls> calls_together() const { return nullptr; }
};

}  // namespace berth::host
