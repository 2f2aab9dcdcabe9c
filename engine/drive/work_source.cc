#include "engine/drive/work_source.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>

#include "engine/base/backoff.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/io/io.h"
#include "engine/base/ring.h"
#include "engine/ingest/objects/folder_files.h"
#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/watch/input_format.h"
#include "engine/ingest/watch/watch_stream.h"
#include "engine/ingest/written/whole_reader.h"

namespace berth::drive {
namespace {

// Batches under way between the reading thread and this one: enough to keep both busy.
constexpr size_t kBatchesUnderWay = 16;

class StreamWork final : public WorkSource {
 public:
  // `watch`: the source has the events of a watch, line by line, rather than frames.
  StreamWork(std::unique_ptr<ByteSource> source, bool watch, bool strict, bool keep_rejected,
             ingest::Creation* creation, ingest::Validation validation, bool keep_whole)
      : source_(std::move(source)), keeps_whole_(watch && keep_whole), ring_(kBatchesUnderWay) {
    if (watch) {
      watch_.emplace(*source_, diagnostics_, strict, keep_rejected, creation, validation);
    } else {
      frames_.emplace(
          *source_, diagnostics_,
          strict ? ingest::StreamReader::OnFault::kStop : ingest::StreamReader::OnFault::kReport);
    }
    if (keeps_whole_) watch_->keep_whole();
    thread_ = std::thread([this] { read(); });
  }

  ~StreamWork() override {
    ring_.abandon();
    thread_.join();
  }

  bool next(Work& work) override {
    work = {};
    if (!ring_.pop(item_, interrupted)) {
      // Set before the ring was closed, which pop has seen.
      if (failure_) std::rethrow_exception(failure_);
      return false;
    }
    work.stream = &item_.batch;
    work.whole = item_.whole;
    return true;
  }

  bool ready() override { return ring_.ready(); }
  bool wait_until(std::chrono::steady_clock::time_point until) override {
    for (Backoff backoff; !ring_.ready(); backoff.wait())
      if (interrupted() || std::chrono::steady_clock::now() >= until) return ring_.ready();
    return true;
  }
  bool finished() override { return ring_.closed(); }
  bool holds_whole() const override { return watch_.has_value(); }

  const Diagnostics& diagnostics() const override { return diagnostics_; }
  const ingest::Remarks& remarks() const override { return watch_ ? watch_->remarks() : none_; }
  uint64_t rejected_pods() const override {
    return watch_ ? watch_->rejected_pods()
                  : frames_->counts().refused_pods + frames_->counts().missing_pods;
  }
  const std::vector<ingest::RejectedPod>& rejected() const override {
    return watch_ ? watch_->rejected() : no_pods_;
  }

 private:
  struct Item {
    ingest::Batch batch;
    std::vector<ingest::WholeObject> whole;
  };

  void read() {
    Item item;
    try {
      while (watch_ ? watch_->next(item.batch) : frames_->next(item.batch)) {
        if (keeps_whole_) take_whole(item);
        if (!ring_.push(item)) break;
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
    ring_.close();
  }

  // Objects of one line may be in several batches: the first has what is kept of them.
  void take_whole(Item& item) {
    const std::vector<uint32_t>& lines = item.batch.lines;
    item.whole.clear();
    if (!lines.empty()) item.whole = watch_->take_whole(*std::ranges::max_element(lines));
  }

  std::unique_ptr<ByteSource> source_;
  const ingest::Remarks none_;
  const std::vector<ingest::RejectedPod> no_pods_;
  Diagnostics diagnostics_;
  std::optional<ingest::WatchStream> watch_;  // this or frames_
  std::optional<ingest::StreamReader> frames_;
  bool keeps_whole_;
  Ring<Item> ring_;
  Item item_;
  std::exception_ptr failure_;
  std::thread thread_;  // last: runs when all else is there
};

// Files of objects, which are read as a whole.
class FileWork final : public WorkSource {
 public:
  FileWork(bool strict, ingest::Creation* creation, ingest::Validation validation, bool keep_whole,
           bool keep_workloads = false)
      : strict_(strict),
        creation_(creation),
        validation_(validation),
        keep_whole_(keep_whole),
        keep_workloads_(keep_workloads) {}

  // Reads the file at the path again from its beginning if it is one, else the source.
  void read(const std::string& path, ByteSource& source, bool dump) {
    std::error_code none;
    read(path, dump, diagnostics_, [&](ingest::ObjectReader& reader) {
      if (path != "-" && std::filesystem::is_regular_file(path, none)) {
        reader.read(path);
      } else {
        reader.read_text(read_all(source), path);
      }
    });
  }

  void read_folder(const std::string& folder, bool dump) {
    ingest::FolderFaults faults(folder);
    for (const std::string& path : ingest::files_in(folder)) {
      Diagnostics found;
      read(path, dump, found, [&](ingest::ObjectReader& reader) {
        reader.take_unread_files();
        reader.read(path);
      });
      faults.add(found, ingest::objects_seen(files_.back().objects) != 0, diagnostics_);
    }
    faults.end(diagnostics_);
  }

  // Does with the objects as controllers and an API server do. To be called when all are read.
  void create() {
    if (creation_ != nullptr) {
      const auto each_node = [this](auto visit) {
        for (const runtime::WorkFile& file : files_)
          model::each<model::Node>(file.objects.others, visit);
      };
      bool nodes = false;
      each_node([&](const model::Node&) { nodes = true; });
      if (nodes) creation_->follow_nodes();
      each_node([&](const model::Node& node) { creation_->put_node(node); });
      for (runtime::WorkFile& file : files_)
        creation_->take_existing(file.objects, file.path, diagnostics_);
      for (runtime::WorkFile& file : files_)
        creation_->create(file.objects, file.path, diagnostics_);
    }
    for (const runtime::WorkFile& file : files_) {
      remarks_.add(file.objects.remarks);
      const auto& rejected = file.objects.rejected_pods;
      rejected_.insert(rejected_.end(), rejected.begin(), rejected.end());
    }
    if (strict_ && diagnostics_.count() != 0) throw diagnostics_.kept().front();
    if (strict_ && !remarks_.unknown_fields.empty()) throw remarks_.unknown_fields.front().first;
  }

  bool next(Work& work) override {
    work = {};
    if (given_) return false;
    given_ = true;
    work.files = files_;
    work.whole = whole_;
    return true;
  }
  bool ready() override { return true; }
  bool wait_until(std::chrono::steady_clock::time_point /*until*/) override { return true; }
  bool finished() override { return true; }
  bool holds_whole() const override { return true; }
  const Diagnostics& diagnostics() const override { return diagnostics_; }
  const ingest::Remarks& remarks() const override { return remarks_; }
  uint64_t rejected_pods() const override { return rejected_.size(); }
  const std::vector<ingest::RejectedPod>& rejected() const override { return rejected_; }

 private:
  template <typename Read>
  void read(const std::string& path, bool dump, Diagnostics& diagnostics, Read read) {
    ingest::ObjectReader reader(
        diagnostics, ingest::Defaults::kApiServer,
        creation_ != nullptr ? ingest::Workloads::kManifests : ingest::Workloads::kOwners,
        validation_);
    if (keep_whole_) ingest::keep_whole(reader, whole_);
    if (keep_workloads_) reader.keep_workloads();
    read(reader);
    files_.push_back({path, reader.take(), dump});
  }

  const bool strict_;
  ingest::Creation* const creation_;
  const ingest::Validation validation_;
  const bool keep_whole_, keep_workloads_;
  Diagnostics diagnostics_;
  std::vector<runtime::WorkFile> files_;
  ingest::Remarks remarks_;
  std::vector<ingest::RejectedPod> rejected_;
  std::vector<ingest::WholeObject> whole_;
  bool given_ = false;
};

std::unique_ptr<WorkSource> open_stream(ingest::Input input, bool strict, bool keep_rejected,
                                        ingest::Creation* creation, ingest::Validation validation,
                                        bool keep_whole) {
  const bool watch = input.format == ingest::InputFormat::kWatch;
  if (watch && creation != nullptr) creation->follow_nodes();
  return std::make_unique<StreamWork>(std::move(input.source), watch, strict, keep_rejected,
                                      creation, validation, keep_whole);
}

}  // namespace

std::unique_ptr<WorkSource> open_work(const std::string& path, bool strict, bool keep_rejected,
                                      ingest::Creation* creation, ingest::Validation validation,
                                      bool keep_whole, bool keep_workloads, const OpenInput& open) {
  auto files = std::make_unique<FileWork>(strict, creation, validation, keep_whole, keep_workloads);
  if (ingest::is_folder(path)) {
    files->read_folder(path, false);
    files->create();
    return files;
  }
  ingest::Input input = open(path);
  if (input.format != ingest::InputFormat::kObjects)
    return open_stream(std::move(input), strict, keep_rejected, creation, validation, keep_whole);
  files->read(path, *input.source, false);
  files->create();
  return files;
}

std::unique_ptr<WorkSource> open_dumps(const std::vector<std::string>& paths, bool strict,
                                       bool keep_rejected, ingest::Creation* creation,
                                       ingest::Validation validation, bool keep_whole,
                                       const OpenInput& open) {
  auto files = std::make_unique<FileWork>(strict, creation, validation, keep_whole);
  for (const std::string& path : paths) {
    if (ingest::is_folder(path)) {
      files->read_folder(path, true);
      continue;
    }
    ingest::Input input = open(path);
    if (input.format == ingest::InputFormat::kObjects) {
      files->read(path, *input.source, true);
    } else if (paths.size() == 1) {
      return open_stream(std::move(input), strict, keep_rejected, creation, validation, keep_whole);
    } else {
      throw Error(Place{.file = path, .field = {}},
                  "a stream is the only FILE: name the others with --cluster, and the stream with "
                  "--pods");
    }
  }
  files->create();
  return files;
}

}  // namespace berth::drive
