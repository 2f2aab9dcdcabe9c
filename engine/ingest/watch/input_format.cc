#include "engine/ingest/watch/input_format.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/io/frame.h"
#include "engine/base/io/unix_socket.h"
#include "engine/document/foreign_text.h"
#include "engine/ingest/watch/watch_stream.h"

namespace berth::ingest {
namespace {

constexpr size_t kFewestLookedAt = 4;
constexpr size_t kFewestOfText = 64;  // or one line
constexpr size_t kMostLookedAt = 4096;

// A stream, also one whose beginning is damaged: text has no byte that is 0, and each frame's
// header has some.
bool is_stream(std::span<const uint8_t> head) {
  return (head.size() >= kFewestLookedAt && begins_like_frame(head)) ||
         std::find(head.begin(), head.end(), uint8_t{0}) != head.end();
}

// Nothing if these first bytes are too few to tell.
std::optional<InputFormat> format_of(std::span<const uint8_t> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (head.size() < kFewestLookedAt) return std::nullopt;
  if (document::foreign_text(text)) return InputFormat::kObjects;  // whose reader names it
  if (is_stream(head)) return InputFormat::kFrames;
  // Among damaged frames a zero byte may come late.
  if (head.size() < kFewestOfText && text.find('\n') == text.npos) return std::nullopt;
  const std::optional<bool> watch = begins_like_watch(text);
  if (!watch) return std::nullopt;
  return *watch ? InputFormat::kWatch : InputFormat::kObjects;
}

}  // namespace

Input recognise(std::unique_ptr<ByteSource> source) {
  std::vector<uint8_t> head(kMostLookedAt);
  size_t size = 0;
  std::optional<InputFormat> format;
  while (!format && size < head.size()) {
    const size_t more = source->read(std::span(head).subspan(size));
    if (more == 0) break;
    size += more;
    format = format_of(std::span(head).first(size));
  }
  head.resize(size);
  if (!format) format = is_stream(head) ? InputFormat::kFrames : InputFormat::kObjects;
  return {*format, std::make_unique<ResumedSource>(std::move(head), std::move(source))};
}

Input open_input(const std::string& path) {
  if (const std::optional<std::string> socket = unix_socket_path(path))
    return recognise(std::make_unique<FileSource>(connect_unix_socket(*socket, path), path));
  return recognise(std::make_unique<FileSource>(path));
}

}  // namespace berth::ingest
