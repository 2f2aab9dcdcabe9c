#include "engine/validator/trial/guarded.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <deque>

#include "engine/base/error.h"
#include "engine/host/faults/fault_line.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/model/columns/column.h"

namespace berth::validator {
namespace {

constexpr size_t kPage = 4096;

// The handler's knowledge of an array. Entries are used again after their memory is unmapped.
struct Array {
  uintptr_t begin = 0, end = 0;   // of the mapping, with its guards; 0: the entry is free
  uintptr_t data = 0, bytes = 0;  // of the values
  bool output = false;
  bool over = false;   // the call is over
  bool stops = false;  // nobody has touched it yet
  std::array<char, 96> name{};
};

std::array<Array, 8192> arrays;
struct sigaction former;
Interlude interlude = nullptr;

Array* array_at(uintptr_t address) {
  for (Array& array : arrays)
    if (address >= array.begin && address < array.end) return &array;
  return nullptr;
}

bool was_write([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kWrite = 2;  // of the processor's code for a page fault
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
#else
  return false;
#endif
}

void say_where(host::FaultLine& line, const Array& array, uintptr_t address) {
  const std::string_view name(array.name.data());
  const uintptr_t end = array.data + array.bytes;
  if (address < array.data) {
    line << static_cast<uint64_t>(array.data - address) << " bytes before the beginning of ";
  } else if (address >= end) {
    line << "byte " << static_cast<uint64_t>(address - end) << " behind the end of ";
  } else {
    line << "byte " << static_cast<uint64_t>(address - array.data) << " of ";
  }
  line.quote(name);
  line << ", which has " << static_cast<uint64_t>(array.bytes) << " bytes";
  if (array.over) line << ", after the call that it was passed to";
}

// True if the address is between the guards.
bool inside(const Array& array, uintptr_t address) {
  return address >= array.begin + kPage && address < array.end - kPage;
}

// The instruction that touched the array is tried again afterwards.
void stop(Array& array) {
  array.stops = false;
  ::mprotect(reinterpret_cast<void*>(array.begin + kPage), array.end - array.begin - 2 * kPage,
             PROT_READ);
  if (interlude != nullptr) interlude();
}

// The plugin's function that touched the array goes no further.
void on_fault(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  Array* array = array_at(address);
  const host::PluginFunction* function = host::InPlugin::current();
  if (array != nullptr && array->stops && inside(*array, address)) return stop(*array);
  if (array == nullptr || function == nullptr) {
    ::sigaction(number, &former, nullptr);
    return;  // to the instruction, which faults again
  }
  host::FaultLine line;
  line.plugin(*function) << (was_write(context) ? " wrote " : " read ");
  say_where(line, *array, address);
  line.place(*function);
  line.write();
  for (;;) ::syscall(SYS_exit_group, 70);
}

uintptr_t up(uintptr_t value, size_t to) { return (value + to - 1) / to * to; }
uintptr_t down(uintptr_t value, size_t to) { return value / to * to; }

void set_protection(const Array& array, int protection) {
  void* begin = reinterpret_cast<void*>(array.begin + kPage);
  if (::mprotect(begin, array.end - array.begin - 2 * kPage, protection) != 0)
    throw Error("cannot protect the memory of a call");
}

void unmap(Array& array) {
  ::munmap(reinterpret_cast<void*>(array.begin), array.end - array.begin);
  array = Array{};
}

// Sets of arrays whose call is over, the oldest first.
std::deque<std::vector<size_t>> over;
constexpr size_t kMostOver = 64;

size_t free_entry() {
  static size_t next = 0;
  for (size_t tried = 0; tried < arrays.size(); ++tried) {
    next = (next + 1) % arrays.size();
    if (arrays[next].begin == 0) return next;
  }
  throw Error("a call has too many arrays to guard them");
}

// Memory for `bytes` between two guards. `behind`: readable bytes behind it.
Array map_array(size_t bytes, size_t alignment, size_t behind, GuardOptions::Side side) {
  const size_t inner = up(up(bytes, alignment) + behind + alignment, kPage);
  void* memory = ::mmap(nullptr, inner + 2 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error("cannot map memory for the arrays of a call");
  Array made;
  made.begin = reinterpret_cast<uintptr_t>(memory);
  made.end = made.begin + inner + 2 * kPage;
  made.data = side == GuardOptions::Side::kBefore
                  ? made.begin + kPage
                  : down(made.end - kPage - behind - bytes, alignment);
  made.bytes = bytes;
  set_protection(made, PROT_READ | PROT_WRITE);
  return made;
}

}  // namespace

void watch_guards() {
  static const bool watched = [] {
    host::use_fault_stack();
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    return ::sigaction(SIGSEGV, &action, &former) == 0;
  }();
  if (!watched) throw Error("cannot watch the memory of calls");
}

void* Guarded::add(std::string_view name, const void* data, size_t bytes, size_t alignment,
                   size_t behind, bool output) {
  const size_t number = free_entry();
  Array& array = arrays[number];
  array = map_array(bytes, alignment, behind, options_.side);
  array.output = output;
  name.copy(array.name.data(), array.name.size() - 1);
  void* inner = reinterpret_cast<void*>(array.begin + kPage);
  std::memset(inner, options_.padding, array.end - array.begin - 2 * kPage);
  if (data != nullptr && bytes != 0) std::memcpy(reinterpret_cast<void*>(array.data), data, bytes);
  arrays_.push_back(number);
  return reinterpret_cast<void*>(array.data);
}

void Guarded::take(std::vector<berth_column>& columns, const std::vector<std::string>& names) {
  constexpr size_t kAlignment = 64, kReadable = 64;  // berth/abi/column.h
  const auto copy = [&](const std::string& name, const void* data, size_t bytes) {
    return add(name, data, bytes, kAlignment, kReadable, false);
  };
  for (size_t i = 0; i < columns.size(); ++i) {
    berth_column& column = columns[i];
    if (column.data == nullptr) continue;
    const std::string name = "column " + names[i];
    size_t elements = column.count;
    if (column.starts != nullptr) {
      elements = 0;
      for (uint64_t k = 0; k < column.count; ++k)
        elements = std::max<size_t>(elements, size_t{column.starts[k]} + column.sizes[k]);
      const size_t bytes = column.count * sizeof(uint32_t);
      column.starts = static_cast<uint32_t*>(copy("starts of " + name, column.starts, bytes));
      column.sizes = static_cast<uint32_t*>(copy("sizes of " + name, column.sizes, bytes));
    }
    if (column.validity != nullptr)
      column.validity = static_cast<uint64_t*>(
          copy("validity of " + name, column.validity, up(column.count, 64) / 8));
    column.data = copy(name, column.data, elements * model::element_size(column.type));
  }
}

void Guarded::protect() {
  for (const size_t number : arrays_) {
    Array& array = arrays[number];
    if (array.output) continue;
    if (options_.read_only) set_protection(array, PROT_READ);
    if (!options_.stops) continue;
    set_protection(array, PROT_NONE);
    array.stops = true;
  }
}

void set_interlude(Interlude made) { interlude = made; }

Guarded::~Guarded() {
  if (!options_.ends_with_call) {
    for (const size_t number : arrays_) unmap(arrays[number]);
    return;
  }
  for (const size_t number : arrays_) {
    set_protection(arrays[number], PROT_NONE);
    arrays[number].over = true;
  }
  over.push_back(std::move(arrays_));
  if (over.size() <= kMostOver) return;
  for (const size_t number : over.front()) unmap(arrays[number]);
  over.pop_front();
}

}  // namespace berth::validator
