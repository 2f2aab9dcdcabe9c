#include "bench/macro/results/new_file.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "engine/base/error.h"

namespace berth::bench {
namespace {

// Includes the process id, so that two processes can write the same file.
std::string beside(const std::string& path) {
  return path + "." + std::to_string(::getpid()) + ".part";
}

bool is_special(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return path == "-" ||
         (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status));
}

}  // namespace

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  if (is_special(path_)) {
    sink_.emplace(path_);
    return;
  }
  // Keep symbolic links: replace the file that the link points to.
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path_, error);
  if (!error) path_ = target.string();
  temporary_ = beside(path_);
  try {
    sink_.emplace(temporary_);
  } catch (const Error&) {
    temporary_.clear();
    // Retry in place, so that the error mentions the name that the user gave.
    sink_.emplace(path_);
  }
}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::finish(std::string_view content) {
  sink_->write(content);
  sink_.reset();
  if (temporary_.empty()) return;
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error)
    throw Error(Place{.file = path_, .field = {}}, "cannot be replaced: " + error.message());
  temporary_.clear();
}

}  // namespace berth::bench
