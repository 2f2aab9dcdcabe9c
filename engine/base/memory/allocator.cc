#include "engine/base/memory/allocator.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mimalloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace berth {
namespace {

template <typename Function>
Function* find_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

bool is_chosen_by_user() {
  return std::getenv("MIMALLOC_LARGE_OS_PAGES") != nullptr ||
         std::getenv("MIMALLOC_ALLOW_LARGE_OS_PAGES") != nullptr;
}

// Asks for large pages in the mapping of the process that holds `address`.
void advise_mapping_of(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  maps >> std::hex;
  uintptr_t begin = 0;
  uintptr_t end = 0;
  for (char dash = 0; maps >> begin >> dash >> end; maps.ignore(4096, '\n'))
    if (begin <= wanted && wanted < end) {
      madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // NOLINT: an address
      return;
    }
}

}  // namespace

std::string allocator_name() {
  if (const auto* version = find_function<decltype(mi_version)>("mi_version")) {
    const int number = version();
    const auto* has = find_function<decltype(mi_option_is_enabled)>("mi_option_is_enabled");
    return fmt::format("mimalloc {}.{}.{}{}", number / 100, number / 10 % 10, number % 10,
                       has != nullptr && has(mi_option_large_os_pages) ? ", large pages" : "");
  }
  if (dlsym(RTLD_DEFAULT, "__asan_init") != nullptr) return "AddressSanitizer";
  if (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr) return "ThreadSanitizer";
  return "the C library's";
}

void ask_for_large_pages() {
  const auto* enable = find_function<decltype(mi_option_enable)>("mi_option_enable");
  if (enable == nullptr || is_chosen_by_user()) return;
  enable(mi_option_large_os_pages);
  advise_mapping_of(std::make_unique<char>().get());
}

}  // namespace berth
