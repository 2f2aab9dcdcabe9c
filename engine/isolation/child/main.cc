// berth-plugin-host: the process of one isolated plugin. Programs of Berth start it; it is of no
// use alone.
//
//   berth-plugin-host PATH [files] [network] [memory=BYTES]
//
// PATH is the plugin's file as messages name it; what is loaded is the sealed copy that comes as a
// descriptor (channel/calls.h). The words say what the process may do (lockdown.h).
//
// The main thread loads the plugin, and then serves the engine's control messages. It runs no code
// of the plugin after that, so it answers even if the plugin hangs; and when the engine is gone,
// the socket ends and so does the process. A thread for each lane calls the plugin.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "engine/base/error.h"
#include "engine/base/program/messages.h"
#include "engine/host/loading/library.h"
#include "engine/isolation/channel/calls.h"
#include "engine/isolation/channel/control.h"
#include "engine/isolation/channel/lane.h"
#include "engine/isolation/child/column_faults.h"
#include "engine/isolation/child/lockdown.h"
#include "engine/isolation/child/memory.h"
#include "engine/isolation/child/serve.h"

namespace berth::isolation {
namespace {

constexpr std::string_view kMemory = "memory=";

uint64_t number_in(std::string_view word) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size())
    throw Error("expected a number, not " + std::string(word));
  return number;
}

Allowed allowed_by(int argc, char** argv) {
  Allowed allowed;
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "files") {
      allowed.files = true;
    } else if (word == "network") {
      allowed.network = true;
    } else if (word.starts_with(kMemory)) {
      allowed.memory = number_in(word.substr(kMemory.size()));
    } else {
      throw Error("the word " + std::string(word) + " is not known");
    }
  }
  return allowed;
}

std::byte* map_lanes() {
  void* memory = mmap(nullptr, kLanesBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      kLanesDescriptor, 0);
  if (memory == MAP_FAILED) throw Error(std::string("cannot map its lanes: ") + strerror(errno));
  close(kLanesDescriptor);
  return static_cast<std::byte*>(memory);
}

// The address, or 0.
uint64_t map_columns(int descriptor, uint64_t size) {
  void* memory = mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  close(descriptor);
  return memory == MAP_FAILED ? 0 : reinterpret_cast<uint64_t>(memory);
}

// A thread that cannot be made lacks memory for its stack.
void start_lane(const host::Library& library, std::byte* lanes, uint64_t number) {
  try {
    std::thread([&library, lanes, number] {
      serve(library, lanes + number * kLaneBytes, static_cast<uint32_t>(number));
    }).detach();
  } catch (const std::system_error&) {
    _exit(kOutOfMemoryStatus);
  }
}

[[noreturn]] void serve_control(const host::Library& library, std::byte* lanes) {
  Control message{};
  for (;;) {
    int descriptor = -1;
    if (!receive_control(kSocketDescriptor, message, nullptr, &descriptor)) _exit(0);
    switch (message.kind) {
      case Control::Kind::kLane:
        start_lane(library, lanes, message.number);
        break;
      case Control::Kind::kMapColumns:
        message.number = map_columns(descriptor, message.size);
        note_column_memory(message.number, message.size);
        if (!send_control(kSocketDescriptor, message)) _exit(0);
        break;
      case Control::Kind::kUnmapColumns:
        forget_column_memory(message.number);
        munmap(reinterpret_cast<void*>(message.number), message.size);
        break;
      default:
        _exit(1);
    }
  }
}

// The loader says nothing of a limit that it met.
std::shared_ptr<const host::Library> load(const char* path) {
  try {
    return host::Library::load(host::SealedFile(kPluginDescriptor, path));
  } catch (const Error&) {
    if (memory_is_spent()) _exit(kOutOfMemoryStatus);
    throw;
  }
}

void run(int argc, char** argv) {
  if (argc < 2 || fcntl(kSocketDescriptor, F_GETFD) < 0)
    throw Error("programs of Berth start this one; it cannot be used alone");
  const Allowed allowed = allowed_by(argc, argv);
  std::byte* lanes = map_lanes();
  end_without_memory();
  end_at_writes_to_columns();
  lock_for_loading(allowed);
  const std::shared_ptr<const host::Library> library = load(argv[1]);
  tzset();  // which reads files; lines of the log have the time of the place
  lock_for_calls(allowed);
  send_control(kSocketDescriptor,
               {Control::Kind::kReady, library->takes_arguments() ? 1u : 0u,
                reinterpret_cast<uint64_t>(lanes), 0},
               library->version());
  serve_control(*library, lanes);
}

}  // namespace
}  // namespace berth::isolation

int main(int argc, char** argv) {
  using namespace berth::isolation;
  berth::set_program_name("berth-plugin-host");
  try {
    run(argc, argv);
  } catch (const berth::Error& error) {
    if (send_control(kSocketDescriptor, {Control::Kind::kFailed, 0, 0, 0}, error.message()))
      _exit(1);
    berth::say(error.what());
  }
  return 1;
}
