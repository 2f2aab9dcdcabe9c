#include "engine/controllers/kubelet/eviction/signals.h"

namespace berth::controllers::kubelet {
namespace {

struct SignalFacts {
  std::string_view name;
  Starved starved;
  Pressure pressure;
};

// In the order of Signal.
constexpr std::array<SignalFacts, kSignals> kSignalFacts = {{
    {"memory.available", Starved::kMemory, Pressure::kMemory},
    {"allocatableMemory.available", Starved::kMemory, Pressure::kMemory},
    {"nodefs.available", Starved::kEphemeralStorage, Pressure::kDisk},
    {"nodefs.inodesFree", Starved::kInodes, Pressure::kDisk},
    {"imagefs.available", Starved::kEphemeralStorage, Pressure::kDisk},
    {"imagefs.inodesFree", Starved::kInodes, Pressure::kDisk},
    {"containerfs.available", Starved::kEphemeralStorage, Pressure::kDisk},
    {"containerfs.inodesFree", Starved::kInodes, Pressure::kDisk},
    {"pid.available", Starved::kPids, Pressure::kPid},
}};

}  // namespace

Starved starved_by(Signal signal) { return kSignalFacts[static_cast<size_t>(signal)].starved; }

Pressure pressure_of(Signal signal) { return kSignalFacts[static_cast<size_t>(signal)].pressure; }

std::string_view name_of(Starved starved) {
  constexpr std::string_view kNames[] = {"memory", "ephemeral-storage", "inodes", "pids"};
  return kNames[static_cast<size_t>(starved)];
}

std::string_view name_of(Pressure pressure) {
  constexpr std::string_view kNames[] = {"DiskPressure", "MemoryPressure", "PIDPressure"};
  return kNames[static_cast<size_t>(pressure)];
}

std::optional<Signal> signal_named(std::string_view name) {
  for (size_t i = 0; i < kSignals; ++i)
    if (kSignalFacts[i].name == name) return static_cast<Signal>(i);
  return std::nullopt;
}

}  // namespace berth::controllers::kubelet
