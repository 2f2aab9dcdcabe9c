#include "tests/apiserver/net/testing/http2_client.h"

#include <algorithm>
#include <cstring>

#include "engine/base/assert.h"

namespace berth::apiserver {
namespace {

void expect_none(int result) { BERTH_ASSERT(result == 0); }

nghttp2_nv client_field(const std::string& name, const std::string& value) {
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

ssize_t read_body(nghttp2_session*, int32_t, uint8_t* to, size_t most, uint32_t* flags,
                  nghttp2_data_source* source, void*) {
  auto& body = *static_cast<std::string*>(source->ptr);
  const size_t size = std::min(most, body.size());
  std::memcpy(to, body.data(), size);
  body.erase(0, size);
  if (body.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(size);
}

}  // namespace

struct Http2Client::Calls {
  static Http2Client& of(void* data) { return *static_cast<Http2Client*>(data); }

  static int header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                    size_t name_size, const uint8_t* value, size_t value_size, uint8_t,
                    void* data) {
    const auto text = [](const uint8_t* bytes, size_t size) {
      return std::string(reinterpret_cast<const char*>(bytes), size);
    };
    of(data).answers_[frame->hd.stream_id].headers.emplace(text(name, name_size),
                                                           text(value, value_size));
    return 0;
  }

  static int body(nghttp2_session* client, uint8_t, int32_t stream, const uint8_t* bytes,
                  size_t size, void* data) {
    Http2Client& self = of(data);
    self.answers_[stream].body.append(reinterpret_cast<const char*>(bytes), size);
    if (self.reads_) return nghttp2_session_consume(client, stream, size);
    self.unread_[stream] += size;
    return 0;
  }

  static int close(nghttp2_session*, int32_t stream, uint32_t error, void* data) {
    Answer& answer = of(data).answers_[stream];
    answer.closed = true;
    answer.error = error;
    return 0;
  }

  static nghttp2_session* new_session(Http2Client& self) {
    nghttp2_session_callbacks* calls = nullptr;
    expect_none(nghttp2_session_callbacks_new(&calls));
    nghttp2_session_callbacks_set_on_header_callback(calls, header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, body);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls, close);
    nghttp2_option* option = nullptr;
    expect_none(nghttp2_option_new(&option));
    nghttp2_option_set_no_auto_window_update(option, 1);
    nghttp2_session* made = nullptr;
    expect_none(nghttp2_session_client_new2(&made, calls, &self, option));
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(calls);
    return made;
  }
};

Http2Client::Http2Client(bool reads)
    : reads_(reads), client_(Calls::new_session(*this), nghttp2_session_del) {
  expect_none(nghttp2_submit_settings(client_.get(), NGHTTP2_FLAG_NONE, nullptr, 0));
}

int32_t Http2Client::ask(const std::string& method, const std::string& target, std::string body,
                         const std::vector<std::pair<std::string, std::string>>& headers) {
  std::vector<std::pair<std::string, std::string>> all = {
      {":method", method}, {":scheme", "http"}, {":path", target}, {":authority", "server"}};
  all.insert(all.end(), headers.begin(), headers.end());
  std::vector<nghttp2_nv> fields;
  for (const auto& [name, value] : all) fields.push_back(client_field(name, value));
  nghttp2_data_provider source{};
  const bool has_body = !body.empty();
  bodies_.push_back(std::make_unique<std::string>(std::move(body)));
  source.source.ptr = bodies_.back().get();
  source.read_callback = read_body;
  const int32_t stream = nghttp2_submit_request(
      client_.get(), nullptr, fields.data(), fields.size(), has_body ? &source : nullptr, nullptr);
  BERTH_ASSERT(stream > 0);
  return stream;
}

void Http2Client::reset(int32_t stream) {
  expect_none(nghttp2_submit_rst_stream(client_.get(), NGHTTP2_FLAG_NONE, stream, NGHTTP2_CANCEL));
}

void Http2Client::goodbye() {
  expect_none(nghttp2_session_terminate_session(client_.get(), NGHTTP2_NO_ERROR));
}

void Http2Client::read() {
  for (auto& [stream, size] : unread_)
    expect_none(nghttp2_session_consume(client_.get(), stream, std::exchange(size, 0)));
}

std::string Http2Client::output() {
  std::string out;
  const uint8_t* bytes = nullptr;
  ssize_t size = 0;
  while ((size = nghttp2_session_mem_send(client_.get(), &bytes)) > 0)
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  return out;
}

void Http2Client::input(std::string_view bytes) {
  const ssize_t taken = nghttp2_session_mem_recv(
      client_.get(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  BERTH_ASSERT(taken == static_cast<ssize_t>(bytes.size()));
}

void exchange(Http2Client& client, Session& session, size_t step) {
  for (bool moved = true; moved;) {
    const std::string output = client.output();
    for (size_t at = 0; at < output.size() && !session.finished(); at += step) {
      session.receive(std::string_view(output).substr(at, step));
      if (step > output.size()) break;  // `at` would overflow
    }
    ByteQueue answer;
    session.produce(answer, 1000);
    client.input(answer.bytes());
    moved = !output.empty() || !answer.empty();
  }
}

void exchange(Http2Client& client, RawClient& socket, int32_t stream) {
  while (!client.answer(stream).closed) {
    socket.send(client.output());
    const std::string bytes = socket.read_some();
    if (bytes.empty()) return;
    client.input(bytes);
  }
}

}  // namespace berth::apiserver
