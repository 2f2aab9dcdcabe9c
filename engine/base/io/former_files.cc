#include "engine/base/io/former_files.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace berth {
namespace {

bool is_of_the_system(const std::string& path) {
  return path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/");
}

// False: there is no regular file.
bool look_at(const std::string& path, struct stat& status) {
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_same(const struct stat& a, const struct stat& b) {
  const auto same_time = [](const timespec& one, const timespec& other) {
    return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
  };
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         same_time(a.st_mtim, b.st_mtim) && same_time(a.st_ctim, b.st_ctim);
}

}  // namespace

FormerFiles::FormerFiles(std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    struct stat status;
    if (path.empty() || is_of_the_system(path) || !look_at(path, status)) continue;
    std::error_code error;
    std::filesystem::path file = std::filesystem::canonical(path, error);
    if (!error) files_.push_back({file.string(), status});
  }
}

FormerFiles::~FormerFiles() {
  for (const Former& file : files_) {
    struct stat now;
    if (look_at(file.path, now) && is_same(file.status, now)) ::unlink(file.path.c_str());
  }
}

}  // namespace berth
