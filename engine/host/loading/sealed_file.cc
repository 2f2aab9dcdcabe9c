#include "engine/host/loading/sealed_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/host/instance/text.h"
#include "engine/host/loading/trusted_path.h"

namespace berth::host {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  int take() { return std::exchange(number_, -1); }

 private:
  int number_;
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error(place_of(path), what);
}

[[noreturn]] void fail_errno(const std::filesystem::path& path, const std::string& what) {
  fail(path, what + ": " + std::generic_category().message(errno));
}

// Refuses files that cannot be plugins by their status alone. Returns the path with links resolved.
std::filesystem::path check_status(const std::filesystem::path& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) fail(path, "it is a folder, not a plugin");
  if (!S_ISREG(status.st_mode)) fail(path, "it is not a regular file");
  std::optional<std::string> problem = plugin_file_problem(path, status);
  if (problem) fail(path, *problem);
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) fail(path, "cannot resolve it: " + error.message());
  problem = plugin_folder_problem(real.parent_path());
  if (problem) fail(path, *problem);
  const auto size = static_cast<size_t>(status.st_size);
  if (size > SealedFile::kMostBytes) {
    fail(path, "it has " + std::to_string(size) + " bytes; a plugin has at most " +
                   std::to_string(SealedFile::kMostBytes));
  }
  return real;
}

// The name of the copy, as memory maps, core dumps and profilers show it behind "/memfd:". The
// system takes 249 bytes; of a longer path the end is kept.
std::string label(const std::filesystem::path& path) {
  constexpr size_t kMost = 200;
  const std::string text = path.string();
  return "berth:" + (text.size() > kMost ? text.substr(text.size() - kMost) : text);
}

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;

// The kernel refuses the seals with EBUSY while something else holds a page of the file. So it does
// itself for a moment, when it moves pages to make large ones.
bool seal(int file) {
  constexpr int kTries = 20;  // the kernel waits up to 0.15 s in each
  int tries = 1;
  while (fcntl(file, F_ADD_SEALS, kSeals) != 0) {
    if (errno != EBUSY || tries++ == kTries) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// Copies up to the end of the file, at most `size` bytes. Returns the number of bytes.
size_t copy(const std::filesystem::path& path, int from, int to, size_t size) {
  std::vector<char> buffer(size_t{1} << 16);
  size_t copied = 0;
  while (copied < size) {
    const ssize_t got = ::read(from, buffer.data(), std::min(buffer.size(), size - copied));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno(path, "cannot read it");
    if (got == 0) break;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = ::write(to, buffer.data() + done, static_cast<size_t>(got - done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail_errno(path, "cannot copy it into memory");
      done += put;
    }
    copied += static_cast<size_t>(got);
  }
  return copied;
}

}  // namespace

SealedFile::SealedFile(const std::filesystem::path& path) : path_(path) {
  if (!path.is_absolute()) fail(path, "the path of a plugin must be absolute");
  // O_NONBLOCK: the path may be a pipe without a writer, and opening it must not block.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) fail_errno(path, "cannot open it");
  if (fstat(file.get(), &status_) != 0) fail_errno(path, "cannot read its status");
  real_path_ = check_status(path, status_);

  Descriptor memory(memfd_create(label(real_path_).c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (memory.get() < 0) fail_errno(path, "cannot make a sealed copy of it (memfd_create)");
  size_ = copy(path, file.get(), memory.get(), static_cast<size_t>(status_.st_size));
  if (!seal(memory.get())) fail_errno(path, "cannot make a sealed copy of it (F_ADD_SEALS)");
  descriptor_ = memory.take();
  map();
}

SealedFile::SealedFile(int descriptor, std::filesystem::path path)
    : path_(std::move(path)), real_path_(path_), descriptor_(descriptor) {
  const int seals = fcntl(descriptor_, F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals) fail(path_, "the copy of it is not sealed");
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail_errno(path_, "cannot read the status of its copy");
  if (stat(path_.c_str(), &status_) != 0) status_ = {};  // the file may be gone
  size_ = static_cast<size_t>(status.st_size);
  map();
}

void SealedFile::map() {
  if (size_ == 0) return;
  void* data = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (data == MAP_FAILED) {
    const int reason = errno;
    close(descriptor_);
    errno = reason;
    fail_errno(path_, "cannot map its copy");
  }
  data_ = static_cast<const std::byte*>(data);
}

SealedFile::~SealedFile() { release(); }

SealedFile::SealedFile(SealedFile&& other) noexcept { *this = std::move(other); }

SealedFile& SealedFile::operator=(SealedFile&& other) noexcept {
  if (this == &other) return *this;
  release();
  path_ = std::move(other.path_);
  real_path_ = std::move(other.real_path_);
  status_ = other.status_;
  descriptor_ = std::exchange(other.descriptor_, -1);
  kept_ = std::exchange(other.kept_, false);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

void SealedFile::release() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
  if (descriptor_ >= 0 && !kept_) close(descriptor_);
}

bool SealedFile::unchanged() const {
  struct stat now {};
  return stat(real_path_.c_str(), &now) == 0 && now.st_dev == status_.st_dev &&
         now.st_ino == status_.st_ino && now.st_size == status_.st_size &&
         same_time(now.st_mtim, status_.st_mtim) && same_time(now.st_ctim, status_.st_ctim);
}

std::string SealedFile::hash() const {
  const XXH128_hash_t hash = XXH3_128bits(data_, size_);
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

int SealedFile::keep_descriptor() {
  kept_ = true;
  return descriptor_;
}

}  // namespace berth::host
