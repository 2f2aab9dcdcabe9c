#pragma once

// A private, immutable copy of a plugin's file.
//
// Between reading a plugin's identity and loading it, the file could be replaced, and the identity
// would belong to other code than what runs. A SealedFile therefore opens the file once, checks the
// owner and mode of the opened file, and copies it into a memfd that is then sealed against
// writing, growing, shrinking and further seals. The bytes that are parsed, hashed and loaded are
// those of the copy. The loader opens the copy by its descriptor (loader_view.h).

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace berth::host {

class SealedFile {
 public:
  // Copies a regular file of at most kMostBytes. Checks owner and mode of the opened file and of
  // its folders (trusted_path.h). Throws Error with the path as its place.
  explicit SealedFile(const std::filesystem::path& path);
  // A copy that another process made, which passed its descriptor; the object owns it from now on.
  // `path`: of the file, for messages. Throws Error if the copy is not sealed.
  SealedFile(int descriptor, std::filesystem::path path);
  ~SealedFile();
  SealedFile(SealedFile&& other) noexcept;
  SealedFile& operator=(SealedFile&& other) noexcept;

  static constexpr size_t kMostBytes = size_t{256} << 20;

  const std::filesystem::path& path() const { return path_; }  // as passed to the constructor
  const std::filesystem::path& real_path() const { return real_path_; }  // with links resolved
  // False if the file at real_path() is another one than the one that was copied, or was written or
  // touched since it was opened.
  [[nodiscard]] bool unchanged() const;
  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // XXH3-128 as 32 hexadecimal digits. Identifies a build; it is not a cryptographic signature.
  std::string hash() const;

  // The descriptor of the copy. Owned by this object.
  int descriptor() const { return descriptor_; }

  // Keeps the descriptor open until the process ends (see library.cc), and returns it.
  int keep_descriptor();

 private:
  void release();
  void map();

  std::filesystem::path path_;
  std::filesystem::path real_path_;
  struct stat status_ {};  // of the file, when this object was made
  int descriptor_ = -1;
  bool kept_ = false;
  const std::byte* data_ = nullptr;  // mapped read-only
  size_t size_ = 0;
};

}  // namespace berth::host
