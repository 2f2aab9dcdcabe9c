#pragma once

#include <array>
#include <cstdint>

namespace berth::queue {

// What a QueueSort plugin answers for a pod: compared bytewise, smallest first.
using SortKey = std::array<uint8_t, 16>;

}  // namespace berth::queue
