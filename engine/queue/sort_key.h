#pragma once

#include <array>
#include <cstdint>

namespace berth::queue {

// A pod's place in the active queue, by its QueueSort plugin. Keys compare bytewise (memcmp), and
// the pod with the smallest key is popped first. Of a longer key this is the beginning, and
// KeyTails has the rest; a shorter one ends with zeros.
using SortKey = std::array<uint8_t, 16>;

}  // namespace berth::queue
