#include "engine/runtime/work_source.h"

#include <algorithm>
#include <exception>
#include <thread>

#include "engine/base/io/frame.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/io/io.h"
#include "engine/base/io/unix_socket.h"
#include "engine/base/ring.h"
#include "engine/ingest/stream/stream_reader.h"
#include "engine/ingest/watch/watch_stream.h"

namespace berth::runtime {
namespace {

// Batches under way between the reading thread and this one: enough to keep both busy.
constexpr size_t kBatchesUnderWay = 16;
// Bytes of an input that show what it is: what is there of the most, and no fewer than the fewest.
constexpr size_t kFewestLookedAt = 4;
constexpr size_t kFewestOfText = 64;  // or a line
constexpr size_t kMostLookedAt = 4096;

// A stream, also one whose beginning is damaged: text has no byte that is 0, and each frame's
// header has some.
bool is_stream(std::span<const uint8_t> head) {
  return (head.size() >= kFewestLookedAt && begins_like_frame(head)) ||
         std::find(head.begin(), head.end(), uint8_t{0}) != head.end();
}

class StreamWork final : public WorkSource {
 public:
  // `watch`: the source has the events of a watch, line by line, rather than frames.
  StreamWork(std::unique_ptr<ByteSource> source, bool watch, bool strict)
      : source_(std::move(source)),
        watch_(watch ? std::make_unique<ingest::WatchStream>(*source_, diagnostics_, strict)
                     : nullptr),
        reader_(
            watch_ ? *watch_ : *source_, diagnostics_,
            strict ? ingest::StreamReader::OnFault::kStop : ingest::StreamReader::OnFault::kReport),
        ring_(kBatchesUnderWay),
        thread_([this] { read(); }) {}

  ~StreamWork() override {
    ring_.abandon();
    thread_.join();
  }

  bool next(Work& work) override {
    work = {};
    if (!ring_.pop(batch_, interrupted)) {
      // Set before the ring was closed, which pop has seen.
      if (failure_) std::rethrow_exception(failure_);
      return false;
    }
    work.stream = &batch_;
    return true;
  }

  bool ready() override { return ring_.ready(); }

  const Diagnostics& diagnostics() const override { return diagnostics_; }
  uint64_t rejected_pods() const override {
    return reader_.counts().refused_pods + reader_.counts().missing_pods +
           (watch_ ? watch_->rejected_pods() : 0);
  }

 private:
  void read() {
    ingest::Batch batch;
    try {
      while (reader_.next(batch))
        if (!ring_.push(batch)) break;
    } catch (...) {
      failure_ = std::current_exception();
    }
    ring_.close();
  }

  std::unique_ptr<ByteSource> source_;
  Diagnostics diagnostics_;
  std::unique_ptr<ingest::WatchStream> watch_;
  ingest::StreamReader reader_;
  Ring<ingest::Batch> ring_;
  ingest::Batch batch_;
  std::exception_ptr failure_;
  std::thread thread_;  // last: runs when all else is there
};

class ObjectWork final : public WorkSource {
 public:
  ObjectWork(const std::string& path, std::string text, bool strict) : path_(path) {
    document::Document document = document::Document::parse(text, path, diagnostics_);
    ingest::ObjectReader reader(diagnostics_);
    for (document::Value root : document.roots()) reader.add(root);
    objects_ = reader.take();
    if (document.roots().empty() && diagnostics_.count() == 0)
      diagnostics_.report(
          Error(Place{.file = path, .field = {}},
                "there is no object in it: expected a stream, or pods as JSON or YAML"));
    if (strict && diagnostics_.count() != 0) throw diagnostics_.kept().front();
  }

  bool next(Work& work) override {
    work = {};
    if (given_) return false;
    given_ = true;
    work.objects = &objects_;
    return true;
  }
  bool ready() override { return true; }
  const Diagnostics& diagnostics() const override { return diagnostics_; }
  uint64_t rejected_pods() const override { return objects_.rejected; }

 private:
  std::string path_;
  Diagnostics diagnostics_;
  ingest::Objects objects_;
  bool given_ = false;
};

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  if (const std::optional<std::string> socket = unix_socket_path(path))
    return std::make_unique<FileSource>(connect_unix_socket(*socket, path), path);
  return std::make_unique<FileSource>(path);
}

// Whether these first bytes are enough. Text may be many things, frames are nothing else.
bool shows_what_it_is(std::span<const uint8_t> head) {
  if (head.size() < kFewestLookedAt) return false;
  return head.size() >= kFewestOfText || is_stream(head) ||
         std::find(head.begin(), head.end(), uint8_t{'\n'}) != head.end();
}

}  // namespace

std::unique_ptr<WorkSource> open_work(const std::string& path, bool strict) {
  std::unique_ptr<ByteSource> source = open_source(path);
  std::vector<uint8_t> head(kMostLookedAt);
  size_t size = 0;
  while (!shows_what_it_is(std::span(head).first(size))) {
    const size_t more = source->read(std::span(head).subspan(size));
    if (more == 0) break;
    size += more;
  }
  head.resize(size);
  const bool watch =
      ingest::begins_like_watch({reinterpret_cast<const char*>(head.data()), head.size()});
  const bool stream = watch || is_stream(head);
  auto all = std::make_unique<ResumedSource>(std::move(head), std::move(source));
  if (stream) return std::make_unique<StreamWork>(std::move(all), watch, strict);
  return std::make_unique<ObjectWork>(path, read_all(*all), strict);
}

}  // namespace berth::runtime
