#pragma once

// A private copy of a plugin's file that nobody can change any more. The file is opened once; what
// is parsed, hashed and loaded are the bytes of the copy.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace berth::host {

class SealedFile {
 public:
  // Copies a regular file of at most `kMostBytes` into a sealed memfd. Checks the owner and mode of
  // the opened file and of its folders (trusted_path.h). Throws Error with the path as its place.
  explicit SealedFile(const std::filesystem::path& path);
  ~SealedFile();
  SealedFile(SealedFile&& other) noexcept;
  SealedFile& operator=(SealedFile&& other) noexcept;

  static constexpr size_t kMostBytes = size_t{256} << 20;

  const std::filesystem::path& path() const { return path_; }  // as it was asked for
  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // 32 hexadecimal digits: XXH3, 128 bits. It tells builds apart; it is no signature.
  std::string hash() const;

  // Of the copy. Stays ours.
  int descriptor() const { return descriptor_; }

  // Leaves the descriptor open for the rest of the process, see library.cc. Returns it.
  int keep_descriptor();

 private:
  void release();

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool kept_ = false;
  const std::byte* data_ = nullptr;  // mapped read-only
  size_t size_ = 0;
};

}  // namespace berth::host
