#pragma once

// Control messages between the engine and a plugin's process, over a SOCK_SEQPACKET socket.

#include <string>
#include <string_view>

#include "engine/isolation/channel/calls.h"

namespace berth::isolation {

// Sends a message, with a text and a descriptor if there is one (-1: none). False: the other side
// is gone.
bool send_control(int socket, const Control& message, std::string_view text = {},
                  int descriptor = -1);

// Receives one. False: the other side is gone, the socket's time is over (errno is EAGAIN), or the
// message is malformed. `text` and `descriptor` may be null: then what comes is dropped. A
// descriptor belongs to the caller; -1: none came.
bool receive_control(int socket, Control& message, std::string* text, int* descriptor);

}  // namespace berth::isolation
