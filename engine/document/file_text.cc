#include "engine/document/file_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/error.h"

namespace berth::document::internal {
namespace {

constexpr size_t kFirstCapacity = 64 * 1024;

class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : path_(path),
        descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail("cannot be opened: ", errno);
  }
  ~InputFile() {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // The size of a regular file in bytes; 0 if the size is not known in advance.
  uint64_t size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    return uint64_t(status.st_size);
  }

  // Number of bytes read; 0 at the end of the file.
  size_t read(char* to, size_t bytes) {
    for (;;) {
      ssize_t got = ::read(descriptor_, to, bytes);
      if (got >= 0) return size_t(got);
      if (errno != EINTR) fail("cannot be read: ", errno);
    }
  }

  [[noreturn]] void fail(std::string_view what, int error) const {
    refuse(std::string(what) + std::strerror(error));
  }
  [[noreturn]] void refuse(std::string message) const {
    Place place;
    place.file = path_;
    throw Error(std::move(place), std::move(message));
  }

 private:
  const std::string path_;
  const int descriptor_;
};

}  // namespace

void FileText::resize(size_t capacity) {
  auto bytes = std::make_unique_for_overwrite<char[]>(capacity + kPadding);
  std::copy_n(bytes_.get(), size_, bytes.get());
  bytes_ = std::move(bytes);
  capacity_ = capacity;
}

void FileText::end(size_t size) {
  size_ = size;
  std::fill_n(bytes_.get() + size, kPadding, '\0');
}

FileText FileText::copy(std::string_view text) {
  FileText copy(text.size());
  std::copy(text.begin(), text.end(), copy.bytes_.get());
  copy.end(text.size());
  return copy;
}

FileText FileText::read(const std::string& path, uint64_t limit) {
  InputFile file(path);
  // One byte more than the expected size, so that the end is seen without another allocation. The
  // expected size may be wrong, for example if the file grows.
  FileText text(std::max<size_t>(std::min(file.size(), limit) + 1, kFirstCapacity));
  for (;;) {
    size_t got = file.read(text.bytes_.get() + text.size_, text.capacity_ - text.size_);
    text.size_ += got;
    if (text.size_ > limit) file.refuse(too_large(limit));
    if (got == 0) break;
    if (text.size_ == text.capacity_) text.resize(2 * text.capacity_);
  }
  text.end(text.size_);
  return text;
}

std::string too_large(uint64_t limit) {
  return "larger than " + std::to_string(limit) + " bytes: divide it into several files";
}

}  // namespace berth::document::internal
