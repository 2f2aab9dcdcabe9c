#pragma once

// Streams over unix sockets: one side listens at a path, the other connects to it.

#include <functional>
#include <optional>
#include <string>

#include "engine/base/io/io.h"

namespace berth {

// The path of "unix:PATH"; nothing for any other name.
std::optional<std::string> unix_socket_path(const std::string& name);

// Connects to a listening socket. `name` is what errors call it. Throws Error, which tells a socket
// whose program has ended from one that was never made.
Descriptor connect_unix_socket(const std::string& path, const std::string& name);

// Listens at a path for one connection during its own lifetime. Only the user that runs the program
// may connect: the socket has mode 0600, and its directory must not let other users replace it.
class UnixListener {
 public:
  // Replaces a socket whose program ended without removing it. Throws Error if anything else is at
  // the path, or if other users may write to its directory. `name` is what errors call the socket.
  UnixListener(std::string path, std::string name);
  ~UnixListener();  // removes the socket
  UnixListener(const UnixListener&) = delete;
  UnixListener& operator=(const UnixListener&) = delete;

  // Waits for the first connection. Calls `stop` a few times a second, and returns nothing once it
  // returns true. Throws Error if the system call fails. Call it once.
  std::optional<Descriptor> accept(const std::function<bool()>& stop);

 private:
  std::string path_;
  std::string name_;
  Descriptor descriptor_;
};

}  // namespace berth
