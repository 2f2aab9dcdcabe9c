#include "engine/isolation/child/column_faults.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>

#include "engine/base/sanitized.h"
#include "engine/isolation/channel/calls.h"

namespace berth::isolation {
namespace {

struct Region {
  std::atomic<uint64_t> address{0};  // 0: free
  std::atomic<uint64_t> size{0};
};
constinit std::array<Region, 64> regions;

bool in_column_memory(uint64_t address) {
  return std::ranges::any_of(regions, [address](const Region& region) {
    return region.address != 0 && address - region.address < region.size;
  });
}

// The former action is back while it runs (SA_RESETHAND): what it does not end fails again.
void on_fault(int, siginfo_t* info, void*) {
  if (info->si_code > 0 && in_column_memory(reinterpret_cast<uint64_t>(info->si_addr)))
    ::syscall(SYS_exit_group, kWroteToColumnStatus);
}

}  // namespace

void end_at_writes_to_columns() {
  if (kSanitized) return;
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGSEGV, &action, nullptr);
}

void note_column_memory(uint64_t address, size_t size) {
  const auto free = std::ranges::find_if(regions, [](auto& region) { return region.address == 0; });
  if (address == 0 || free == regions.end()) return;
  free->size = size;
  free->address = address;
}

void forget_column_memory(uint64_t address) {
  for (Region& region : regions)
    if (region.address == address) region.address = 0;
}

}  // namespace berth::isolation
