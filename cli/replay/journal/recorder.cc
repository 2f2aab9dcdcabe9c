#include "cli/replay/journal/recorder.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "berth/build_info.h"
#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/program/program.h"
#include "engine/ingest/objects/folder_files.h"

namespace berth::cli {
namespace {

// A killed run loses less than this.
constexpr auto kLongestUnwritten = std::chrono::seconds(1);
constexpr size_t kWrittenAtOnce = size_t{64} * 1024;
constexpr size_t kMostAnswers = 65'536;  // which fit in a frame
constexpr uint64_t kDecisionsPerLook = 64;

// The inputs that are read once, while the run goes on, and by no other name.
bool is_live(const std::string& path) {
  if (path == "-" || path.starts_with("unix:")) return true;
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  return std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status);
}

std::vector<std::string> paths_of(const RunOptions& run) {
  std::vector<std::string> paths = run.dumps;
  paths.insert(paths.end(), run.cluster.begin(), run.cluster.end());
  for (const std::string& path : {run.pods, run.config, run.admission_plugins.file()})
    if (!path.empty()) paths.push_back(path);
  return paths;
}

// Those are read by their names, and not through Recorder::open().
void refuse_live(const std::string& path) {
  if (!path.empty() && is_live(path))
    throw Error(Place{.file = path, .field = {}},
                "a run that is recorded needs a file here, which can be read again");
}

std::vector<JournalInput> inputs_of(const RunOptions& run) {
  std::vector<JournalInput> inputs;
  refuse_live(run.config);
  refuse_live(run.admission_plugins.file());
  for (const std::string& path : paths_of(run)) {
    if (!ingest::is_folder(path)) {
      inputs.push_back({.path = path, .folder = {}, .live = is_live(path)});
      continue;
    }
    for (const std::string& file : ingest::files_in(path))
      inputs.push_back({.path = file, .folder = path});
  }
  return inputs;
}

// Keeps what is read of an input while it is read, and where the reader would have had to wait.
class TapSource final : public ByteSource {
 public:
  TapSource(std::unique_ptr<ByteSource> source, JournalWriter& writer, uint32_t number)
      : source_(std::move(source)), writer_(writer), number_(number) {}

  size_t read(std::span<uint8_t> out) override {
    const size_t size = source_->read(out);
    paused_ = false;
    if (size == 0) {
      if (!std::exchange(ended_, true)) writer_.input(number_, InputPiece::kEnd);
    } else {
      writer_.input(number_, out.first(size));
    }
    return size;
  }
  bool ready() override {
    if (source_->ready()) return true;
    if (!std::exchange(paused_, true)) writer_.input(number_, InputPiece::kPause);
    return false;
  }
  const std::string& name() const override { return source_->name(); }

 private:
  std::unique_ptr<ByteSource> source_;
  JournalWriter& writer_;
  const uint32_t number_;
  bool paused_ = false, ended_ = false;
};

}  // namespace

Recorder::Recorder(const std::string& path, std::vector<JournalOption> options,
                   const RunOptions& run)
    : writer_(path), inputs_(inputs_of(run)) {
  writer_.settings(
      {.program = BERTH_BUILD_VERSION, .options = std::move(options), .inputs = inputs_});
  for (uint32_t number = 0; number < inputs_.size(); ++number)
    if (!inputs_[number].live) writer_.file(number, inputs_[number].path);
}

void Recorder::attach(RunOptions& run) {
  run.hooks.open = [this](const std::string& path) { return open(path); };
  run.hooks.hears = [this](const runtime::Report& report) { take(report); };
  run.hooks.decided = [this] { decided(); };
  run.hooks.rests = [this] { packer_.empty() ? write_if_old() : write(); };
  run.hooks.machine = this;
}

ingest::Input Recorder::open(const std::string& path) {
  ingest::Input input = ingest::open_input(path);
  for (uint32_t number = 0; number < inputs_.size(); ++number)
    if (inputs_[number].live && inputs_[number].path == path)
      input.source = std::make_unique<TapSource>(std::move(input.source), writer_, number);
  return input;
}

void Recorder::take(const runtime::Report& report) {
  BERTH_ASSERT(core_ != nullptr);
  if (const Decided* made = taker_.take(report, *core_)) packer_.add(*made);
}

void Recorder::decided() {
  if (packer_.size() >= kWrittenAtOnce) return write();
  if (packer_.count() % kDecisionsPerLook == 0) write_if_old();
}

void Recorder::write_if_old() {
  if (std::chrono::steady_clock::now() - written_at_ >= kLongestUnwritten) write();
}

void Recorder::write() {
  written_at_ = std::chrono::steady_clock::now();
  if (!answers_.empty()) writer_.frame(JournalFrame::kMachine, answers_.take());
  if (packer_.empty()) return;
  const uint64_t before = std::exchange(written_, written_ + packer_.count());
  writer_.frame(JournalFrame::kDecisions,
                packer_.take(before, core_->scheduler().decisions().hash().value()));
}

void Recorder::finish(bool interrupted) {
  write();
  Packer end;
  end.number(written_);
  end.number(core_->scheduler().decisions().hash().value());
  end.number(interrupted ? 1 : 0);
  writer_.frame(JournalFrame::kEnd, end.packed());
}

Time Recorder::time(Time measured) {
  answers_.time(measured);
  if (answers_.size() >= kMostAnswers) write();
  return measured;
}

bool Recorder::ready(bool measured) {
  answers_.ready(measured);
  if (answers_.size() >= kMostAnswers) write();
  return measured;
}

int64_t Recorder::date(int64_t measured) {
  answers_.date(measured);
  return measured;
}

}  // namespace berth::cli
