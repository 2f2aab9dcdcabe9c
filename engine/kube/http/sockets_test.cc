#include "engine/kube/http/sockets.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "engine/kube/http/endpoint.h"
#include "engine/kube/http/network.h"
#include "engine/kube/http/testing/client.h"
#include "engine/kube/http/testing/test_server.h"

namespace berth::kube {
namespace {

bool is_corked(curl_socket_t socket) {
  int value = 0;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(socket, IPPROTO_TCP, TCP_CORK, &value, &size), 0);
  return value != 0;
}

TEST(Sockets, HoldWhatIsWritten) {
  TestServer server([](Peer& peer, int) { peer.read_request(); });
  Sockets sockets;
  {
    const Easy easy(curl_easy_init());
    sockets.own(easy.get());
    set(easy.get(), CURLOPT_URL, server.url().c_str());
    set(easy.get(), CURLOPT_CONNECT_ONLY, 1L);
    ASSERT_EQ(curl_easy_perform(easy.get()), CURLE_OK);
    ASSERT_EQ(sockets.open().size(), 1u);
    const curl_socket_t socket = sockets.open()[0];
    sockets.hold();
    EXPECT_TRUE(is_corked(socket));
    sockets.release();
    EXPECT_FALSE(is_corked(socket));
  }
  EXPECT_TRUE(sockets.open().empty());
}

}  // namespace
}  // namespace berth::kube
