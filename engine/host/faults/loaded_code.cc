#include "engine/host/faults/loaded_code.h"

#include <link.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>

#include "engine/base/mutex.h"

namespace berth::host {
namespace {

struct Code {
  uintptr_t begin = 0, end = 0;
  std::string plugin, file;
  PluginFunction owner;
};

constinit std::array<std::atomic<const Code*>, 4096> all{};
constinit std::atomic<size_t> files_known = 0;

struct SoughtFile {
  const char* name;
  Code& found;
};

int take_if_named(dl_phdr_info* object, size_t, void* context) {
  auto& search = *static_cast<SoughtFile*>(context);
  if (object->dlpi_name == nullptr || std::string_view(object->dlpi_name) != search.name) return 0;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (size_t i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    begin = std::min<uintptr_t>(begin, object->dlpi_addr + part.p_vaddr);
    end = std::max<uintptr_t>(end, object->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  search.found.begin = begin;
  search.found.end = end;
  return 1;
}

}  // namespace

void note_loaded_code(const char* loader_name, const PluginFunction& owner) {
  static Mutex mutex;
  const MutexLock lock(mutex);
  const size_t index = files_known.load();
  if (index == all.size()) return;
  auto code = std::make_unique<Code>();
  SoughtFile search{loader_name, *code};
  if (::dl_iterate_phdr(take_if_named, &search) == 0) return;
  code->plugin = owner.plugin;
  code->file = owner.file;
  code->owner = {code->plugin, "code outside of a call", code->file};
  all[index].store(code.release());
  files_known.store(index + 1);
}

const PluginFunction* loaded_code_at(uintptr_t address) {
  for (size_t i = 0; i < files_known.load(); ++i) {
    const Code* code = all[i].load();
    if (address >= code->begin && address < code->end) return &code->owner;
  }
  return nullptr;
}

const PluginFunction* loaded_code_on_stack() {
  const PluginFunction* found = nullptr;
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* result) {
        auto& owner = *static_cast<const PluginFunction**>(result);
        owner = loaded_code_at(_Unwind_GetIP(frame));
        return owner == nullptr ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &found);
  return found;
}

uintptr_t program_counter(const void* context) {
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(machine.pc);
#else
  static_cast<void>(machine);
  return 0;
#endif
}

}  // namespace berth::host
