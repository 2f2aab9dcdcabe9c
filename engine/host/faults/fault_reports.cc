#include "engine/host/faults/fault_reports.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

#include "engine/base/io/new_file.h"
#include "engine/host/faults/ended_by_plugin.h"
#include "engine/host/faults/fault_line.h"
#include "engine/host/faults/loaded_code.h"

namespace berth::host {
namespace {

struct Signal {
  int number;
  std::string_view name;
  bool has_address = false;
  struct sigaction before = {};
};

// Those that mean a fault of code.
std::array<Signal, 9> signals = {{
    {SIGSEGV, "SIGSEGV", true},
    {SIGBUS, "SIGBUS", true},
    {SIGILL, "SIGILL"},
    {SIGFPE, "SIGFPE"},
    {SIGABRT, "SIGABRT"},
    {SIGTRAP, "SIGTRAP"},
    {SIGSYS, "SIGSYS"},
    {SIGXCPU, "SIGXCPU"},
    {SIGXFSZ, "SIGXFSZ"},
}};

// The memory of columns: the first address, and the number of bytes.
constinit std::atomic<uintptr_t> columns = 0;
constinit std::atomic<size_t> column_bytes = 0;

bool in_columns(const void* address) {
  return reinterpret_cast<uintptr_t>(address) - columns.load() < column_bytes.load();
}

void describe(FaultLine& line, const Signal& signal, const siginfo_t& info) {
  line << ": " << signal.name;
  if (!signal.has_address || info.si_code <= 0) return;
  line << " at address ";
  line.hexadecimal(reinterpret_cast<uintptr_t>(info.si_addr));
  if (in_columns(info.si_addr)) line << ", in a column, which it may only read";
}

void report(const Signal& signal, const siginfo_t& info, const PluginFunction& function) {
  FaultLine line;
  line.plugin(function) << " crashed";
  line.place(function);
  describe(line, signal, info);
  line.file(function).write();
}

// Reports a crash outside of plugins. A plugin that returned before may have caused it.
void report_afterwards(const Signal& signal, const siginfo_t& info,
                       const PluginFunction& function) {
  FaultLine line;
  line << "crashed outside of plugins";
  describe(line, signal, info);
  line << "; this thread was last in " << function.function;
  line.pod() << " of ";
  line.plugin(function).file(function).write();
}

// False: somebody else sent it.
bool is_of_this_process(const siginfo_t& info) {
  return info.si_code > 0 || info.si_pid == ::getpid();
}

// Returns to the instruction that failed, or to abort(), which then find the former handler.
void on_crash(int number, siginfo_t* info, void* context) {
  for (const Signal& signal : signals) {
    if (signal.number != number) continue;
    ::sigaction(number, &signal.before, nullptr);
    const bool by_itself = is_of_this_process(*info);
    const PluginFunction* function = by_itself ? InPlugin::current() : nullptr;
    if (function == nullptr && by_itself) function = loaded_code_at(program_counter(context));
    if (function == nullptr && by_itself) function = loaded_code_on_stack();
    if (function != nullptr)
      report(signal, *info, *function);
    else if (by_itself && InPlugin::last() != nullptr)
      report_afterwards(signal, *info, *InPlugin::last());
    if (by_itself) remove_temporary_files();
    // A signal that was sent does not come again by itself.
    if (info->si_code <= 0 || number == SIGTRAP || number == SIGSYS || number == SIGXCPU ||
        number == SIGXFSZ)
      ::raise(number);
  }
}

class FaultStack {
 public:
  FaultStack() {
    void* memory =
        ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = kBytes;
    if (::sigaltstack(&stack, nullptr) == 0) memory_ = memory;
  }
  ~FaultStack() {
    if (memory_ == nullptr) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    if (::sigaltstack(&none, nullptr) == 0) ::munmap(memory_, kBytes);
  }

 private:
  static constexpr size_t kBytes = 64 * 1024;
  void* memory_ = nullptr;
};

}  // namespace

void note_columns(std::span<const std::byte> memory) {
  column_bytes.store(0);
  columns.store(reinterpret_cast<uintptr_t>(memory.data()));
  column_bytes.store(memory.size());
}

void use_fault_stack() {
  static thread_local const FaultStack stack;
  static_cast<void>(stack);
}

void report_faults() {
  note_process();
  use_fault_stack();
  for (Signal& signal : signals) {
    struct sigaction action = {};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(signal.number, &action, &signal.before);
    // As nohup does.
    if (signal.before.sa_handler == SIG_IGN) ::sigaction(signal.number, &signal.before, nullptr);
  }
}

}  // namespace berth::host
