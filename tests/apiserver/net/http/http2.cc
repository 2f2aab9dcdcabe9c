#include "tests/apiserver/net/http/http2.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "engine/base/assert.h"
#include "tests/apiserver/net/http/request_target.h"

namespace berth::apiserver {
namespace {

// What a client may send before it hears that it may send more.
constexpr int32_t kStreamWindow = 1 << 20, kConnectionWindow = 16 << 20;
// HTTP/2 counts a field as so much more than its texts.
constexpr size_t kFieldBytes = 32;

std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

nghttp2_nv field_of(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

// nghttp2 fails where memory ends, and where it is called wrongly.
void check(int result) { BERTH_ASSERT(result == 0); }

}  // namespace

struct Http2Session::Calls {
  static Http2Session& of(void* data) { return *static_cast<Http2Session*>(data); }

  static int begin_headers(nghttp2_session* session, const nghttp2_frame* frame, void* data) {
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    Http2Session& self = of(data);
    std::unique_ptr<Stream>& stream = self.streams_[frame->hd.stream_id];
    stream = std::make_unique<Stream>();
    ++self.incomplete_;
    check(nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, stream.get()));
    return 0;
  }

  static int header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                    size_t name_size, const uint8_t* value, size_t value_size, uint8_t,
                    void* data) {
    Http2Session& self = of(data);
    if (Stream* stream = self.stream(frame->hd.stream_id))
      self.take_header(*stream, text_of(name, name_size), text_of(value, value_size));
    return 0;
  }

  static int body(nghttp2_session*, uint8_t, int32_t id, const uint8_t* bytes, size_t size,
                  void* data) {
    Http2Session& self = of(data);
    Stream* stream = self.stream(id);
    if (!stream || stream->refused != 0) return 0;
    if (stream->request.body.size() + size > self.host_.options().body_bytes)
      self.refuse(id, *stream, 413);
    else
      stream->request.body.append(text_of(bytes, size));
    return 0;
  }

  static int frame(nghttp2_session*, const nghttp2_frame* frame, void* data) {
    Http2Session& self = of(data);
    if (frame->hd.type == NGHTTP2_SETTINGS) self.has_settings_ = true;
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    Stream* stream = self.stream(frame->hd.stream_id);
    if (!stream) return 0;
    const bool ends = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (ends)
      self.complete(frame->hd.stream_id, *stream);
    else if (stream->refused != 0 && !stream->submitted)
      self.refuse(frame->hd.stream_id, *stream, stream->refused);
    return 0;
  }

  static int close(nghttp2_session*, int32_t id, uint32_t, void* data) {
    Http2Session& self = of(data);
    const auto found = self.streams_.find(id);
    if (found == self.streams_.end()) return 0;
    if (!found->second->complete) --self.incomplete_;
    if (found->second->reply) found->second->reply->leave();
    self.streams_.erase(found);
    return 0;
  }

  static ssize_t read(nghttp2_session*, int32_t, uint8_t* to, size_t most, uint32_t* flags,
                      nghttp2_data_source* source, void* data) {
    return of(data).give_body(*static_cast<Stream*>(source->ptr), to, most, *flags);
  }

  static nghttp2_session* new_session(Http2Session& self);
};

nghttp2_session* Http2Session::Calls::new_session(Http2Session& self) {
  nghttp2_session_callbacks* calls = nullptr;
  check(nghttp2_session_callbacks_new(&calls));
  nghttp2_session_callbacks_set_on_begin_headers_callback(calls, begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(calls, header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, body);
  nghttp2_session_callbacks_set_on_frame_recv_callback(calls, frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(calls, close);
  nghttp2_option* option = nullptr;
  check(nghttp2_option_new(&option));
  nghttp2_option_set_no_closed_streams(option, 1);  // priorities do not refer to them
  // libcurl 7.88 resets each stream once it is over, and nghttp2 would end the connection after
  // 1,000. As Go's server, this one counts none of them.
  constexpr uint64_t kResets = uint64_t{1} << 32;
  nghttp2_option_set_stream_reset_rate_limit(option, kResets, kResets);
  nghttp2_session* session = nullptr;
  check(nghttp2_session_server_new2(&session, calls, &self, option));
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(calls);
  return session;
}

Http2Session::Http2Session(SessionHost& host)
    : host_(host), session_(Calls::new_session(*this), nghttp2_session_del) {
  const ServerOptions& options = host.options();
  const std::array<nghttp2_settings_entry, 4> settings = {
      {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, options.streams},
       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
       {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<uint32_t>(options.header_bytes)},
       {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1}}};
  check(
      nghttp2_submit_settings(session_.get(), NGHTTP2_FLAG_NONE, settings.data(), settings.size()));
  check(nghttp2_session_set_local_window_size(session_.get(), NGHTTP2_FLAG_NONE, 0,
                                              kConnectionWindow));
  host_.changed();
}

Http2Session::~Http2Session() {
  for (auto& [id, stream] : streams_)
    if (stream->reply) stream->reply->leave();
}

Http2Session::Stream* Http2Session::stream(int32_t id) {
  return static_cast<Stream*>(nghttp2_session_get_stream_user_data(session_.get(), id));
}

void Http2Session::receive(std::string_view bytes) {
  BERTH_ASSERT(!finished());
  const ssize_t taken = nghttp2_session_mem_recv(
      session_.get(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (taken < 0) broken_ = true;
  host_.changed();  // answers of nghttp2's own
}

bool Http2Session::finished() const {
  return broken_ || (!nghttp2_session_want_read(session_.get()) &&
                     !nghttp2_session_want_write(session_.get()));
}

void Http2Session::take_header(Stream& stream, std::string_view name, std::string_view value) {
  stream.header_bytes += name.size() + value.size() + kFieldBytes;
  if (stream.header_bytes > host_.options().header_bytes) stream.refused = 431;
  if (stream.refused != 0) return;
  if (!name.starts_with(':'))
    add_header(name, value, stream.request);
  else if (name == ":method")
    stream.request.method = value;
  else if (name == ":path")
    stream.target = value;
  else if (name == ":authority")
    stream.request.headers.insert_or_assign("host", std::string(value));
}

void Http2Session::complete(int32_t id, Stream& stream) {
  if (!std::exchange(stream.complete, true)) --incomplete_;
  if (stream.submitted) return;  // it was refused
  if (stream.refused != 0) return refuse(id, stream, stream.refused);
  if (!complete_request(stream.target, host_.user(), stream.request))
    return refuse(id, stream, 400);
  stream.reply = std::make_shared<StreamReply>(static_cast<ReplyOwner&>(*this), id);
  const Request request = std::move(stream.request);
  stream.of_head = request.method == "HEAD";
  host_.handler().handle(request, stream.reply);
}

// The rest of a request that goes on is passed over. A reset of its stream could make the client
// pass over the answer.
void Http2Session::refuse(int32_t id, Stream& stream, int status) {
  BERTH_ASSERT(!stream.submitted);
  stream.refused = status;
  stream.submitted = true;
  stream.request = {};
  const std::string text = std::to_string(status);
  const nghttp2_nv field = field_of(":status", text);
  check(nghttp2_submit_response(session_.get(), id, &field, 1, nullptr));
  host_.changed();
}

void Http2Session::reply_changed(StreamReply& reply) {
  const int32_t id = reply.number();
  Stream* changed = stream(id);
  BERTH_ASSERT(changed && changed->reply.get() == &reply);
  host_.changed();
  if (!changed->submitted) {
    changed->submitted = true;
    if (reply.status() != 0) return submit_head(id, *changed);
    // Cut before it began.
    check(nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, NGHTTP2_INTERNAL_ERROR));
    return;
  }
  if (std::exchange(changed->deferred, false))
    check(nghttp2_session_resume_data(session_.get(), id));
  if (reply.unsent().size() > host_.options().unsent_bytes) slow_.push_back(id);
}

void Http2Session::submit_head(int32_t id, Stream& stream) {
  const StreamReply& reply = *stream.reply;
  const std::string status = std::to_string(reply.status());
  std::vector<nghttp2_nv> fields;
  fields.reserve(reply.headers().size() + 1);
  fields.push_back(field_of(":status", status));
  for (const auto& [name, value] : reply.headers()) fields.push_back(field_of(name, value));
  nghttp2_data_provider body{};
  body.source.ptr = &stream;
  body.read_callback = Calls::read;
  const bool has_body = !stream.of_head && reply.status() != 204 && reply.status() != 304;
  check(nghttp2_submit_response(session_.get(), id, fields.data(), fields.size(),
                                has_body ? &body : nullptr));
}

// Called by nghttp2 when it may send a part of the body.
ssize_t Http2Session::give_body(Stream& stream, uint8_t* to, size_t most, uint32_t& flags) {
  StreamReply& reply = *stream.reply;
  const std::string_view part = reply.unsent().bytes().substr(0, most);
  if (part.empty() && !reply.over()) {
    stream.deferred = true;
    return NGHTTP2_ERR_DEFERRED;
  }
  // nghttp2 resets the stream.
  if (part.empty() && reply.stage() == StreamReply::Stage::kCut)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  std::memcpy(to, part.data(), part.size());
  const auto size = static_cast<ssize_t>(part.size());
  reply.unsent().consume(part.size());
  if (reply.unsent().empty() && reply.stage() == StreamReply::Stage::kEnded)
    flags |= NGHTTP2_DATA_FLAG_EOF;
  return size;
}

void Http2Session::produce(ByteQueue& out, size_t most) {
  while (out.size() < most && !broken_) {
    const uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_.get(), &bytes);
    if (size < 0) broken_ = true;
    if (size <= 0) return;
    out.append(text_of(bytes, static_cast<size_t>(size)));
  }
}

void Http2Session::end_slow_replies() {
  for (const int32_t id : std::exchange(slow_, {})) {
    const Stream* slow = stream(id);
    if (slow && slow->reply->stage() == StreamReply::Stage::kBegun &&
        slow->reply->unsent().size() > host_.options().unsent_bytes)
      slow->reply->end_early();
  }
}

}  // namespace berth::apiserver
