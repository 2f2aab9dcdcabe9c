#pragma once

// The measures by which a kubelet decides whether its node is short of something. Source:
// k8s.io/kubernetes pkg/kubelet/eviction v1.36.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::controllers::kubelet {

enum class Signal : uint8_t {
  kMemoryAvailable,
  kAllocatableMemoryAvailable,  // of what pods may use; no setting of its own
  kNodeFsAvailable,
  kNodeFsInodesFree,
  kImageFsAvailable,
  kImageFsInodesFree,
  kContainerFsAvailable,
  kContainerFsInodesFree,
  kPidAvailable,
};
inline constexpr size_t kSignals = 9;

// By signal.
template <typename Value>
class BySignal : public std::array<Value, kSignals> {
 public:
  Value& operator[](Signal signal) { return this->at(static_cast<size_t>(signal)); }
  const Value& operator[](Signal signal) const { return this->at(static_cast<size_t>(signal)); }
};

// The resource that runs out, in the words of messages.
enum class Starved : uint8_t { kMemory, kEphemeralStorage, kInodes, kPids };

// Conditions of the node, in the order of their names.
enum class Pressure : uint8_t { kDisk, kMemory, kPid };
inline constexpr size_t kPressures = 3;

// The uses of a node's disks.
enum class Filesystems : uint8_t {
  kSingle,  // one for everything
  kImages,  // images and writable layers apart from volumes and logs
  kSplit,   // images apart from everything else
};

Starved starved_by(Signal signal);
Pressure pressure_of(Signal signal);
constexpr bool is_memory(Signal signal) {
  return signal == Signal::kMemoryAvailable || signal == Signal::kAllocatableMemoryAvailable;
}

std::string_view name_of(Starved starved);    // "ephemeral-storage"
std::string_view name_of(Pressure pressure);  // "DiskPressure"
// "memory.available", as in settings. Nothing: there is no signal of this name.
std::optional<Signal> signal_named(std::string_view name);

}  // namespace berth::controllers::kubelet
