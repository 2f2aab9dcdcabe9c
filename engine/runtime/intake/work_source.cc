#include "engine/runtime/intake/work_source.h"

#include <exception>
#include <filesystem>
#include <thread>

#include "engine/base/backoff.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/io/io.h"
#include "engine/base/ring.h"
#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/watch/input_format.h"
#include "engine/ingest/watch/watch_stream.h"

namespace berth::runtime {
namespace {

// Batches under way between the reading thread and this one: enough to keep both busy.
constexpr size_t kBatchesUnderWay = 16;

class StreamWork final : public WorkSource {
 public:
  // `watch`: the source has the events of a watch, line by line, rather than frames.
  StreamWork(std::unique_ptr<ByteSource> source, bool watch, bool strict, bool keep_rejected,
             ingest::Creation* creation, ingest::Validation validation)
      : source_(std::move(source)),
        watch_(watch ? std::make_unique<ingest::WatchStream>(*source_, diagnostics_, strict,
                                                             keep_rejected, creation, validation)
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
  bool wait_until(std::chrono::steady_clock::time_point until) override {
    for (Backoff backoff; !ring_.ready(); backoff.wait())
      if (interrupted() || std::chrono::steady_clock::now() >= until) return ring_.ready();
    return true;
  }
  bool finished() override { return ring_.closed(); }

  const Diagnostics& diagnostics() const override { return diagnostics_; }
  const ingest::Remarks& remarks() const override { return watch_ ? watch_->remarks() : none_; }
  uint64_t rejected_pods() const override {
    return reader_.counts().refused_pods + reader_.counts().missing_pods +
           (watch_ ? watch_->rejected_pods() : 0);
  }
  const std::vector<ingest::RejectedPod>& rejected() const override {
    return watch_ ? watch_->rejected() : no_pods_;
  }

 private:
  void read() {
    ingest::Batch batch;
    try {
      while (reader_.next(batch)) {
        if (watch_) locate(batch);
        if (!ring_.push(batch)) break;
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
    ring_.close();
  }

  // Frames of a watch have no place of their own: the user sees lines.
  void locate(ingest::Batch& batch) {
    batch.lines.clear();
    if (batch.kind == ingest::BatchKind::kPods || batch.kind == ingest::BatchKind::kEvents ||
        batch.kind == ingest::BatchKind::kCluster) {
      const std::span<const uint32_t> lines = watch_->lines_at(batch.offset);
      batch.lines.assign(lines.begin(), lines.end());
    }
    batch.offset = Place::kNoByte;
  }

  std::unique_ptr<ByteSource> source_;
  const ingest::Remarks none_;
  const std::vector<ingest::RejectedPod> no_pods_;
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
  // Reads the file at the path again from its beginning if it is one, else the source.
  ObjectWork(const std::string& path, std::unique_ptr<ByteSource> source, bool strict,
             ingest::Creation* creation, ingest::Validation validation)
      : path_(path) {
    ingest::ObjectReader reader(
        diagnostics_, ingest::Defaults::kApiServer,
        creation != nullptr ? ingest::Workloads::kManifests : ingest::Workloads::kOwners,
        validation);
    std::error_code none;
    if (path != "-" && std::filesystem::is_regular_file(path, none)) {
      reader.read(path);
    } else {
      reader.read_text(read_all(*source), path);
    }
    objects_ = reader.take();
    if (creation != nullptr) creation->create(objects_, path, diagnostics_);
    if (strict && diagnostics_.count() != 0) throw diagnostics_.kept().front();
    if (strict && !remarks().unknown_fields.empty()) throw remarks().unknown_fields.front().first;
  }

  bool next(Work& work) override {
    work = {};
    if (given_) return false;
    given_ = true;
    work.objects = &objects_;
    return true;
  }
  bool ready() override { return true; }
  bool wait_until(std::chrono::steady_clock::time_point /*until*/) override { return true; }
  bool finished() override { return true; }
  const Diagnostics& diagnostics() const override { return diagnostics_; }
  const ingest::Remarks& remarks() const override { return objects_.remarks; }
  uint64_t rejected_pods() const override { return objects_.rejected_pods.size(); }
  const std::vector<ingest::RejectedPod>& rejected() const override {
    return objects_.rejected_pods;
  }

 private:
  std::string path_;
  Diagnostics diagnostics_;
  ingest::Objects objects_;
  bool given_ = false;
};

}  // namespace

std::unique_ptr<WorkSource> open_work(const std::string& path, bool strict, bool keep_rejected,
                                      ingest::Creation* creation, ingest::Validation validation) {
  ingest::Input input = ingest::open_input(path);
  if (input.format == ingest::InputFormat::kObjects)
    return std::make_unique<ObjectWork>(path, std::move(input.source), strict, creation,
                                        validation);
  const bool watch = input.format == ingest::InputFormat::kWatch;
  if (watch && creation != nullptr) creation->follow_nodes();
  return std::make_unique<StreamWork>(std::move(input.source), watch, strict, keep_rejected,
                                      creation, validation);
}

}  // namespace berth::runtime
