#include "engine/kube/http/sockets.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>

#include "engine/kube/http/endpoint.h"

namespace berth::kube {

void Sockets::own(CURL* easy) {
  set(easy, CURLOPT_SOCKOPTFUNCTION, &Sockets::on_open);
  set(easy, CURLOPT_SOCKOPTDATA, static_cast<void*>(this));
  set(easy, CURLOPT_CLOSESOCKETFUNCTION, &Sockets::on_close);
  set(easy, CURLOPT_CLOSESOCKETDATA, static_cast<void*>(this));
}

int Sockets::on_open(void* self, curl_socket_t socket, curlsocktype) {
  const int limit =
      static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(kSilence).count());
  if (::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof limit) != 0)
    return CURL_SOCKOPT_ERROR;
  static_cast<Sockets*>(self)->open_.push_back(socket);
  return CURL_SOCKOPT_OK;
}

int Sockets::on_close(void* self, curl_socket_t socket) {
  std::erase(static_cast<Sockets*>(self)->open_, socket);
  return ::close(socket);
}

void Sockets::cork(bool on) const {
  const int value = on ? 1 : 0;
  for (const curl_socket_t socket : open_)
    ::setsockopt(socket, IPPROTO_TCP, TCP_CORK, &value, sizeof value);
}

}  // namespace berth::kube
