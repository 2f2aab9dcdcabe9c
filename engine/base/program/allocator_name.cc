#include "engine/base/program/allocator_name.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace berth {

std::string allocator_name() {
  using Version = int (*)();
  if (auto version = reinterpret_cast<Version>(dlsym(RTLD_DEFAULT, "mi_version"))) {
    int number = version();
    return fmt::format("mimalloc {}.{}.{}", number / 100, number / 10 % 10, number % 10);
  }
  if (dlsym(RTLD_DEFAULT, "__asan_init") != nullptr) return "AddressSanitizer";
  if (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr) return "ThreadSanitizer";
  return "the C library's";
}

}  // namespace berth
