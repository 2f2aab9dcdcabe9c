#include "engine/base/memory/allocator.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <linux/mman.h>
#include <mimalloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/memory/pages_ahead.h"
#include "engine/base/program/cores.h"

namespace berth {
namespace {

template <typename Function>
Function* find_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// Reserving address space costs nothing, but a limit (ulimit -v, strict overcommit) may refuse the
// larger sizes, and a core dump has all of it, as a hole. A million nodes fit. What the process
// needs beyond it has small pages.
constexpr size_t kMostHeap = size_t{1} << 30;
constexpr size_t kLeastHeap = size_t{256} << 20;
// Of the reserved memory, and the size of mimalloc's segments.
constexpr uintptr_t kHeapAlignment = uintptr_t{64} << 20;
constexpr size_t kSegment = size_t{32} << 20;

constexpr size_t kSmallPage = 4096;
constexpr size_t kLargePage = AheadRegion::kPage;

bool is_chosen_by_user() {
  return std::getenv("MIMALLOC_LARGE_OS_PAGES") != nullptr ||
         std::getenv("MIMALLOC_ALLOW_LARGE_OS_PAGES") != nullptr;
}

// Returns address space that has no memory yet, or null if the system refuses.
void* reserve(size_t size) {
  void* region = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return region == MAP_FAILED ? nullptr : region;
}

// The part that mimalloc got.
struct Heap {
  std::byte* begin = nullptr;
  size_t size = 0;
};
Heap heap;

// Gives mimalloc address space with large pages, which it uses before it asks the kernel. (It reads
// its own option for large pages before any code of ours runs.) False if the system refuses.
bool give_large_pages(decltype(mi_manage_os_memory)* manage) {
  for (size_t size = kMostHeap; size >= kLeastHeap; size /= 2) {
    void* region = reserve(size + kHeapAlignment);
    if (region == nullptr) continue;
    const auto at = reinterpret_cast<uintptr_t>(region);
    auto* begin =
        static_cast<std::byte*>(region) + (kHeapAlignment - at % kHeapAlignment) % kHeapAlignment;
    madvise(begin, size, MADV_HUGEPAGE);  // a wish
    heap = {begin, size};
    // Committed memory would not be given back when a large array ends.
    return manage(begin, size, /*is_committed=*/false, /*is_large=*/false, /*is_zero=*/true,
                  /*numa_node=*/-1);
  }
  return false;
}

// Pages that mimalloc gives back, and takes again later, are small.
void keep_pages() {
  auto* const set = find_function<decltype(mi_option_set)>("mi_option_set");
  if (set == nullptr) return;
#if MI_MALLOC_VERSION < 210
  set(mi_option_decommit_delay, std::numeric_limits<int32_t>::max());  // milliseconds
#else
  set(mi_option_purge_delay, -1);
#endif
}

bool large_pages_given = false;

// A part of the address space.
struct Range {
  uintptr_t begin = 0, end = 0;

  bool holds(uintptr_t address) const { return begin <= address && address < end; }
  std::byte* data() const { return static_cast<std::byte*>(start()); }
  void advise(int advice) const { madvise(start(), end - begin, advice); }
  // True if any page has memory.
  bool is_resident() const {
    std::array<unsigned char, kLargePage / kSmallPage> pages{};
    return mincore(start(), std::min(end - begin, kLargePage), pages.data()) == 0 &&
           std::ranges::any_of(pages, [](unsigned char page) { return (page & 1) != 0; });
  }

 private:
  void* start() const { return reinterpret_cast<void*>(begin); }  // NOLINT: an address
};

// The mapping of the process that holds `address`, which is none if that cannot be found out.
Range mapping_of(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  maps >> std::hex;
  Range range;
  char dash = 0;
  while (maps >> range.begin >> dash >> range.end && !range.holds(wanted))
    maps.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  return maps ? range : Range{};
}

// The mapping that holds the heap when the process asks for large pages.
Range first_heap;

// Puts large pages in place of the small ones in `range`, which Linux can do since 6.1. Each of
// them is the process's own then.
void collapse(const Range& range) {
  for (uintptr_t page = range.begin; page + kLargePage <= range.end; page += kLargePage) {
    const Range large{page, page + kLargePage};
    if (!large.is_resident()) continue;
    large.advise(MADV_POPULATE_WRITE);  // copies what another process has as well
    large.advise(MADV_COLLAPSE);
  }
}

}  // namespace

std::string allocator_name() {
  if (auto* const version = find_function<decltype(mi_version)>("mi_version")) {
    const int number = version();
    auto* const has = find_function<decltype(mi_option_is_enabled)>("mi_option_is_enabled");
    const bool large_pages = large_pages_given || (has != nullptr && has(mi_option_large_os_pages));
    return fmt::format("mimalloc {}.{}.{}{}", number / 100, number / 10 % 10, number % 10,
                       large_pages ? ", large pages" : "");
  }
  if (dlsym(RTLD_DEFAULT, "__asan_init") != nullptr) return "AddressSanitizer";
  if (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr) return "ThreadSanitizer";
  return "the C library's";
}

void ask_for_large_pages() {
  auto* const manage = find_function<decltype(mi_manage_os_memory)>("mi_manage_os_memory");
  if (manage == nullptr || is_chosen_by_user()) return;
  first_heap = mapping_of(std::make_unique<char>().get());
  first_heap.advise(MADV_HUGEPAGE);
  collapse(first_heap);
  keep_pages();
  large_pages_given = give_large_pages(manage);
}

void take_heap_after_fork() { collapse(first_heap); }

void prepare_pages_ahead() {
  if (!large_pages_given || usable_cores() == 1) return;
  PagesAhead& pages = PagesAhead::of_process();
  pages.add({heap.begin, heap.size, kSegment});
  if (first_heap.begin != 0) pages.add({first_heap.data(), first_heap.end - first_heap.begin, 0});
  pages.start();
}

}  // namespace berth
