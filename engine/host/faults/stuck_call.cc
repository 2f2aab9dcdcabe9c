#include "engine/host/faults/stuck_call.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "engine/base/io/new_file.h"
#include "engine/host/faults/fault_line.h"
#include "engine/host/faults/fault_reports.h"

namespace berth::host {

void end_stuck(const PluginFunction& function, std::chrono::milliseconds limit) {
  // Of several threads one writes the line, and the others wait for the end.
  static constinit std::atomic<bool> ending = false;
  while (ending.exchange(true)) ::pause();
  FaultLine line;
  line.plugin(function) << " has not returned from " << function.function << " for ";
  const auto milliseconds = static_cast<uint64_t>(limit.count());
  milliseconds % 1000 == 0 ? line << milliseconds / 1000 << " s" : line << milliseconds << " ms";
  line.file(function) << "; it can only be ended with the process";
  line.write();
  remove_temporary_files();
  for (;;) ::syscall(SYS_exit_group, kEndedByPlugin);
}

}  // namespace berth::host
