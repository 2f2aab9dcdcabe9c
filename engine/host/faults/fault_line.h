#pragma once

// The line about a fault that ends the process. Its functions take no lock and allocate nothing, so
// the handler of a signal may use it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/host/faults/in_plugin.h"

namespace berth::host {

// A line of at most 2 KiB; what does not fit is left out.
class FaultLine {
 public:
  // Begins with "berth: error: ".
  FaultLine();

  // Text of ours, as it is.
  FaultLine& operator<<(std::string_view text);
  FaultLine& operator<<(uint64_t number);
  // Text from outside, made printable.
  FaultLine& quote(std::string_view text);
  FaultLine& hexadecimal(uint64_t number);
  // `plugin "Rack"`.
  FaultLine& plugin(const PluginFunction& function);
  // ` in Filter of pod "default/web-1"`, without the pod if it is not known.
  FaultLine& place(const PluginFunction& function);
  // ` of pod "default/web-1" and 3 more`: that of the calling thread; nothing if it is not known.
  FaultLine& pod();
  // ` (/opt/plugins/rack.so)`, nothing if it is not known.
  FaultLine& file(const PluginFunction& function);

  // Writes the line to standard error, with a line break.
  void write();

 private:
  std::array<char, 2048> bytes_;
  size_t size_ = 0;
};

}  // namespace berth::host
