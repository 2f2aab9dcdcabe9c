#include "engine/isolation/child/memory.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "engine/isolation/channel/calls.h"

namespace berth::isolation {
namespace {

// mimalloc's functions of this name and type. The plugin's malloc and operator new call mimalloc,
// since it is the allocator of the program.
using OnError = void (*)(int error, void* context);
using Register = void (*)(OnError function, void* context);

// Also called for requests that no machine could meet (EOVERFLOW): those fail and change nothing.
void on_error(int error, void*) {
  if (error == ENOMEM) ::syscall(SYS_exit_group, kOutOfMemoryStatus);
}

}  // namespace

void end_without_memory() {
  if (const auto set = reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "mi_register_error")))
    set(on_error, nullptr);
}

bool memory_is_spent() {
  constexpr size_t kLittle = 1 << 20;
  void* memory = mmap(nullptr, kLittle, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return true;
  munmap(memory, kLittle);
  return false;
}

}  // namespace berth::isolation
