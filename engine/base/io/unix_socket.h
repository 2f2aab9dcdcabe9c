#pragma once

// Streams over unix sockets: one side listens at a path, the other connects to it.

#include <functional>
#include <optional>
#include <string>

#include "engine/base/io/io.h"

namespace berth {

// "unix:PATH" names a socket. The path; nothing if the name is no such.
std::optional<std::string> unix_socket_path(const std::string& name);

// Connects to the socket that somebody listens at. `name` is what errors call it. Throws Error.
Descriptor connect_unix_socket(const std::string& path, const std::string& name);

// Listens at a path for one connection, as long as it lives. Only this user may connect: the socket
// is made so, in a directory where nobody else can put another in its place.
class UnixListener {
 public:
  // Throws Error: if something is at the path already, or others may write to its directory.
  UnixListener(std::string path, std::string name);
  ~UnixListener();  // takes the socket from the path
  UnixListener(const UnixListener&) = delete;
  UnixListener& operator=(const UnixListener&) = delete;

  // Waits for the first who connects; asks a few times a second whether to stop. Nothing if so.
  // Throws Error.
  std::optional<Descriptor> accept(const std::function<bool()>& stop);

 private:
  std::string path_;
  std::string name_;
  Descriptor descriptor_;
};

}  // namespace berth
