#include "tests/apiserver/net/http/http1.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <charconv>
#include <utility>

#include "engine/base/assert.h"
#include "tests/apiserver/net/http/request_target.h"

namespace berth::apiserver {
namespace {

// Received ahead of the answer that is in progress.
constexpr size_t kMostAhead = 64 << 10;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::string status_line(int status) {
  return "HTTP/1.1 " + std::to_string(status) + " " + reason_of(status) + "\r\n";
}

bool expects_continue(const Request& request) {
  const auto field = request.headers.find("expect");
  return field != request.headers.end() && field->second == "100-continue";
}

}  // namespace

Http1Session::~Http1Session() {
  if (reply_) reply_->leave();
}

void Http1Session::receive(std::string_view bytes) {
  BERTH_ASSERT(!finished());
  if (closes_) return;
  input_.append(bytes);
  read_requests();
}

void Http1Session::read_requests() {
  while (!reply_ && !closes_ && !input_.empty() && read_request()) {
  }
}

// Returns false if the next request is not complete.
bool Http1Session::read_request() {
  if (!parser_) parser_.emplace(host_.options());
  const std::string_view bytes = input_.bytes();
  RequestParser::ErrorCode error;
  input_.consume(parser_->put(boost::asio::const_buffer(bytes.data(), bytes.size()), error));
  if (error && error != boost::beast::http::error::need_more) {
    refuse(status_of(error));
  } else if (parser_->is_done()) {
    hand_on();
    return true;
  } else if (input_.size() > host_.options().header_bytes) {
    refuse(431);  // fields between chunks and behind them, which the parser does not limit
  } else if (parser_->is_header_done()) {
    tell_to_continue();
  }
  return false;
}

void Http1Session::tell_to_continue() {
  if (continued_ || !expects_continue(parser_->request())) return;
  continued_ = true;
  text_ += kContinue;
  host_.changed();
}

void Http1Session::hand_on() {
  Request request = std::move(parser_->request());
  const std::string target = parser_->target();
  keeps_alive_ = parser_->keep_alive();
  parser_.reset();
  continued_ = false;
  if (!complete_request(target, host_.user(), request)) return refuse(400);
  of_head_ = request.method == "HEAD";
  framing_ = Framing::kUnknown;
  reply_ = std::make_shared<StreamReply>(static_cast<ReplyOwner&>(*this), 0);
  host_.handler().handle(request, reply_);
}

void Http1Session::refuse(int status) {
  text_ += status_line(status) + "connection: close\r\ncontent-length: 0\r\n\r\n";
  closes_ = true;
  parser_.reset();
  input_.clear();
  host_.changed();
}

bool Http1Session::reads() const { return !reply_ || input_.size() < kMostAhead; }

void Http1Session::end_slow_replies() {
  if (!reply_ || reply_->stage() != StreamReply::Stage::kBegun) return;
  if (reply_->unsent().size() > host_.options().unsent_bytes) reply_->end_early();
}

void Http1Session::produce(ByteQueue& out, size_t most) {
  for (;;) {
    out.append(text_);
    text_.clear();
    if (!reply_ || out.size() >= most || !send_reply(out, most)) return;
    if (reply_->stage() == StreamReply::Stage::kCut || !keeps_alive_) closes_ = true;
    reply_->leave();
    reply_.reset();
    read_requests();
  }
}

bool Http1Session::send_reply(ByteQueue& out, size_t most) {
  using Stage = StreamReply::Stage;
  if (reply_->stage() == Stage::kWaiting) return false;
  if (reply_->status() == 0) return true;  // cut before it began
  if (framing_ == Framing::kUnknown) send_head(out);
  send_body(out, most);
  if (!reply_->unsent().empty() || !reply_->over()) return false;
  if (framing_ == Framing::kChunks && reply_->stage() == Stage::kEnded) out.append("0\r\n\r\n");
  return true;
}

void Http1Session::send_head(ByteQueue& out) {
  const int status = reply_->status();
  const bool is_known = reply_->stage() == StreamReply::Stage::kEnded;
  const bool is_bare = status == 204 || status == 304;
  std::string head = status_line(status);
  for (const auto& [name, value] : reply_->headers()) head.append(name + ": " + value + "\r\n");
  if (is_known && !is_bare)
    head += "content-length: " + std::to_string(reply_->unsent().size()) + "\r\n";
  else if (!is_bare)
    head += "transfer-encoding: chunked\r\n";
  if (!keeps_alive_) head += "connection: close\r\n";
  out.append(head + "\r\n");
  framing_ = is_bare || of_head_ ? Framing::kNoBody
             : is_known          ? Framing::kLength
                                 : Framing::kChunks;
}

// All that is there of a chunked body becomes one chunk.
void Http1Session::send_body(ByteQueue& out, size_t most) {
  ByteQueue& unsent = reply_->unsent();
  if (framing_ == Framing::kNoBody) return unsent.clear();
  if (unsent.empty() || out.size() >= most) return;
  const std::string_view part = unsent.bytes().substr(0, most - out.size());
  if (framing_ == Framing::kChunks) {
    std::array<char, 16> size;
    const auto end = std::to_chars(size.data(), size.data() + size.size(), part.size(), 16).ptr;
    out.append({size.data(), static_cast<size_t>(end - size.data())});
    out.append("\r\n");
  }
  out.append(part);
  if (framing_ == Framing::kChunks) out.append("\r\n");
  unsent.consume(part.size());
}

}  // namespace berth::apiserver
