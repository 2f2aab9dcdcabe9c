#pragma once

// A reply that knows how much its client has not taken yet. A server ends the watch of a client
// that is too slow (Options::watch_backlog); of replies that are not a Backlog it cannot tell.

#include <cstdint>

#include "tests/apiserver/api/exchange.h"

namespace berth::apiserver {

class Backlog : public Reply {
 public:
  // Bytes that were written here and not handed to the client's machine.
  virtual uint64_t waiting() const = 0;
};

}  // namespace berth::apiserver
