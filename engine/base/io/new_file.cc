#include "engine/base/io/new_file.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <system_error>

#include "engine/base/assert.h"
#include "engine/base/error.h"

namespace berth {
namespace {

// A temporary file, where a signal handler can find it. A forked child has its parent's entries and
// must not remove those files, so each entry names its process.
struct Temporary {
  std::atomic<const char*> path{nullptr};  // null: the entry is free
  std::atomic<pid_t> process{0};
};
static_assert(std::atomic<const char*>::is_always_lock_free &&
              std::atomic<pid_t>::is_always_lock_free);

std::array<Temporary, 16> temporaries;

// `path` must stay where it is until forget(). Without effect if there are too many.
void remember(const char* path) {
  for (Temporary& entry : temporaries) {
    const char* free = nullptr;
    if (!entry.path.compare_exchange_strong(free, path)) continue;
    entry.process.store(::getpid());
    return;
  }
}

void forget(const char* path) {
  for (Temporary& entry : temporaries) {
    if (entry.path.load() != path) continue;
    entry.process.store(0);
    entry.path.store(nullptr);
  }
}

// The name has the process id, so two processes that write one file do not share it.
std::string temporary_for(const std::string& path) {
  return path + "." + std::to_string(::getpid()) + ".part";
}

bool is_special(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return path == "-" ||
         (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status));
}

std::filesystem::perms permissions_of(const std::string& path) {
  std::error_code error;
  return std::filesystem::status(path, error).permissions();
}

}  // namespace

void remove_temporary_files() noexcept {
  for (const Temporary& entry : temporaries) {
    const char* path = entry.path.load();
    if (path != nullptr && entry.process.load() == ::getpid()) ::unlink(path);
  }
}

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  if (is_special(path_)) {
    sink_.emplace(path_);
    return;
  }
  // Keep symbolic links: replace the file that the link points to.
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path_, error);
  const std::string given = path_;
  // The working directory may be another one when the file is finished.
  path_ = error ? std::filesystem::absolute(path_).string() : target.string();
  temporary_ = temporary_for(path_);
  try {
    sink_.emplace(temporary_);
    remember(temporary_.c_str());
    if (!error) std::filesystem::permissions(temporary_, permissions_of(path_), error);
  } catch (const Error&) {
    temporary_.clear();
    // Retry in place, so that the error mentions the name that the user gave.
    sink_.emplace(given);
  }
}

NewFile::~NewFile() {
  if (temporary_.empty()) return;
  forget(temporary_.c_str());
  ::unlink(temporary_.c_str());
}

void NewFile::write(std::span<const uint8_t> bytes) {
  BERTH_ASSERT(sink_.has_value());
  sink_->write(bytes);
}

void NewFile::finish() {
  BERTH_ASSERT(sink_.has_value());
  sink_.reset();
  if (temporary_.empty()) return;
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error)
    throw Error(Place{.file = path_, .field = {}}, "cannot be replaced: " + error.message());
  forget(temporary_.c_str());
  temporary_.clear();
}

}  // namespace berth
