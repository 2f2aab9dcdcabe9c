#include "engine/isolation/channel/control.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace berth::isolation {
namespace {

constexpr size_t kMostText = 64 * 1024;

union DescriptorSpace {
  cmsghdr header;
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

void attach(msghdr& packet, DescriptorSpace& space, int descriptor) {
  packet.msg_control = space.bytes.data();
  packet.msg_controllen = space.bytes.size();
  cmsghdr* header = CMSG_FIRSTHDR(&packet);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
}

int attached(msghdr& packet) {
  const cmsghdr* header = CMSG_FIRSTHDR(&packet);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

}  // namespace

bool send_control(int socket, const Control& message, std::string_view text, int descriptor) {
  text = text.substr(0, kMostText);
  std::array<iovec, 2> parts = {{{const_cast<Control*>(&message), sizeof message},
                                 {const_cast<char*>(text.data()), text.size()}}};
  msghdr packet{};
  packet.msg_iov = parts.data();
  packet.msg_iovlen = parts.size();
  DescriptorSpace space{};
  if (descriptor >= 0) attach(packet, space, descriptor);
  for (;;) {
    const ssize_t sent = sendmsg(socket, &packet, MSG_NOSIGNAL);
    if (sent >= 0) return true;
    if (errno != EINTR) return false;
  }
}

bool receive_control(int socket, Control& message, std::string* text, int* descriptor) {
  std::string tail(text != nullptr ? kMostText : 0, '\0');
  std::array<iovec, 2> parts = {{{&message, sizeof message}, {tail.data(), tail.size()}}};
  msghdr packet{};
  packet.msg_iov = parts.data();
  packet.msg_iovlen = parts.size();
  DescriptorSpace space{};
  packet.msg_control = space.bytes.data();
  packet.msg_controllen = space.bytes.size();
  ssize_t got = 0;
  do {
    got = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const int came = got < 0 ? -1 : attached(packet);
  if (descriptor != nullptr) {
    *descriptor = came;
  } else if (came >= 0) {
    close(came);
  }
  if (got < static_cast<ssize_t>(sizeof message)) {
    if (got >= 0) errno = EBADMSG;
    return false;
  }
  if (text != nullptr) *text = tail.substr(0, static_cast<size_t>(got) - sizeof message);
  return true;
}

}  // namespace berth::isolation
