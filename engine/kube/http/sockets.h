#pragma once

// The sockets of a network's connections. Internal to this module.

#include <curl/curl.h>

#include <vector>

namespace berth::kube {

// One thread. Its place must not change, and it outlives the connections of the handles.
class Sockets {
 public:
  Sockets() = default;
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  // Connections that the handle opens belong to this, and have their options for silent peers.
  void own(CURL* easy);

  // What is written from hold() to release() leaves at release(), or earlier if it is much. libcurl
  // writes each frame of HTTP/2 by itself, and one packet for each wakes the server for each.
  void hold() const { cork(true); }
  void release() const { cork(false); }

  const std::vector<curl_socket_t>& open() const { return open_; }

 private:
  static int on_open(void* self, curl_socket_t socket, curlsocktype type);
  static int on_close(void* self, curl_socket_t socket);
  void cork(bool on) const;

  std::vector<curl_socket_t> open_;
};

}  // namespace berth::kube
