#include "engine/base/program/allocator.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mimalloc.h>

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

void use_large_pages() {
  using SetDefault = void (*)(mi_option_t, bool);
  if (auto set = reinterpret_cast<SetDefault>(dlsym(RTLD_DEFAULT, "mi_option_set_enabled_default")))
    set(mi_option_large_os_pages, true);
}

}  // namespace berth
