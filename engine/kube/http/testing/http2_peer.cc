#include "engine/kube/http/testing/http2_peer.h"

namespace berth::kube {
namespace {

enum Type : uint8_t { kData = 0, kHeaders = 1, kReset = 3, kSettings = 4, kPing = 6, kGoAway = 7 };
constexpr uint8_t kEndStream = 1, kAck = 1, kEndHeaders = 4;
constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr size_t kFrameHead = 9;

std::string number_of(uint32_t value, int bytes) {
  std::string to;
  for (int byte = bytes - 1; byte >= 0; --byte) to += static_cast<char>(value >> (8 * byte));
  return to;
}

uint32_t number_in(std::string_view text) {
  uint32_t value = 0;
  for (const char c : text) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

}  // namespace

struct Http2Peer::Frame {
  bool read = false;
  uint8_t type = 0, flags = 0;
  uint32_t stream = 0;
  std::string payload;
};

Http2Peer::Http2Peer(Peer& peer) : peer_(peer) {
  if (peer_.read(kPreface.size()) == kPreface) write_frame(kSettings, 0, 0, "");
}

Http2Request Http2Peer::next(uint32_t* reset) {
  Http2Request request;
  for (;;) {
    const Frame frame = read_frame();
    if (!frame.read) return {};
    if (frame.type == kReset && reset != nullptr) {
      *reset = frame.stream;
      return {};
    }
    if (frame.type == kSettings && (frame.flags & kAck) == 0) write_frame(kSettings, kAck, 0, "");
    if (frame.type == kPing && (frame.flags & kAck) == 0)
      write_frame(kPing, kAck, 0, frame.payload);
    if (frame.type == kData) request.body += frame.payload;
    if (frame.type != kData && frame.type != kHeaders) continue;
    request.stream = frame.stream;
    if ((frame.flags & kEndStream) != 0) return request;
  }
}

void Http2Peer::begin_answer(uint32_t stream) {
  constexpr std::string_view kStatus200 = "\x88";  // of HPACK's table
  write_frame(kHeaders, kEndHeaders, stream, kStatus200);
}

void Http2Peer::write_body(uint32_t stream, std::string_view part, bool end) {
  write_frame(kData, end ? kEndStream : 0, stream, part);
}

void Http2Peer::answer(uint32_t stream, std::string_view body) {
  begin_answer(stream);
  write_body(stream, body, true);
}

void Http2Peer::refuse(uint32_t stream) {
  constexpr uint32_t kRefusedStream = 7;
  write_frame(kReset, 0, stream, number_of(kRefusedStream, 4));
}

void Http2Peer::go_away(uint32_t last) {
  write_frame(kGoAway, 0, 0, number_of(last, 4) + number_of(0, 4));
}

Http2Peer::Frame Http2Peer::read_frame() {
  const std::string head = peer_.read(kFrameHead);
  if (head.size() < kFrameHead) return {};
  const std::string_view view = head;
  Frame frame{true, static_cast<uint8_t>(head[3]), static_cast<uint8_t>(head[4]),
              number_in(view.substr(5)), peer_.read(number_in(view.substr(0, 3)))};
  return frame;
}

void Http2Peer::write_frame(uint8_t type, uint8_t flags, uint32_t stream,
                            std::string_view payload) {
  std::string frame = number_of(static_cast<uint32_t>(payload.size()), 3);
  frame += static_cast<char>(type);
  frame += static_cast<char>(flags);
  peer_.write(frame + number_of(stream, 4) + std::string(payload));
}

}  // namespace berth::kube
