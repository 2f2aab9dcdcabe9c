// A process that isolated plugins might have become: it starts as berth-plugin-host does, and
// answers every call with garbage. The name of the plugin's file says which.

#include <sys/mman.h>
#include <unistd.h>

#include <string_view>

#include "engine/isolation/channel/calls.h"
#include "engine/isolation/channel/control.h"
#include "engine/isolation/channel/lane.h"
#include "engine/isolation/services/services.h"

namespace {

using namespace berth::isolation;

void answer(LaneWords& words, std::string_view which) {
  LaneWords::Up& up = words.up[0];
  up = {static_cast<uint32_t>(Ask::kEnd), 0};
  if (which == "long") up.size = UINT32_MAX;
  if (which == "short") up.size = 3;
  if (which == "unknown") up.kind = 4711;
  if (which == "unasked") up = {static_cast<uint32_t>(kAsk<&berth_what_if_service::filter>), 8};
  // Whatever the engine laid out here is no concern of its own any more.
  words.down_offset = words.down_size = UINT32_MAX;
  post(words.to_engine);
}

}  // namespace

int main(int, char** argv) {
  void* memory = mmap(nullptr, kLanesBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      kLanesDescriptor, 0);
  if (memory == MAP_FAILED) return 1;
  std::string_view which = argv[1];
  which.remove_prefix(which.rfind('/') + 1);
  auto& words = *static_cast<LaneWords*>(memory);
  send_control(kSocketDescriptor,
               {Control::Kind::kReady, 0, reinterpret_cast<uint64_t>(memory), 0});
  Control message{};
  Spin spin(kPluginSpin);
  for (uint32_t seen = 0; receive_control(kSocketDescriptor, message, nullptr, nullptr); ++seen) {
    wait(words.to_plugin, seen, spin, std::chrono::minutes(1));
    answer(words, which);
  }
  return 0;
}
