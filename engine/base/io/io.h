#pragma once

// Bytes in and bytes out: files, pipes, memory. What the system refuses is an Error that names the
// file and the system's reason.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the beginning of `out` (not empty) and says how much of it; waits until there is at least
  // one byte. 0: the end. Throws Error.
  virtual size_t read(std::span<uint8_t> out) = 0;

  // False if read() would wait now. A reader that gathers input hands on what it has before it
  // waits.
  virtual bool ready() { return true; }

  // As the user named it, for places; "-" is standard input.
  virtual const std::string& name() const = 0;
};

class ByteSink {
 public:
  virtual ~ByteSink() = default;

  // All of `bytes`, visible to whoever reads the other end when it returns. Throws Error; then it
  // is unspecified how much was written, and nothing more may be.
  virtual void write(std::span<const uint8_t> bytes) = 0;
  void write(std::string_view text) {
    write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
};

// What is left of the source, to its end. Throws Error, also where that is more than `most` bytes.
std::string read_all(ByteSource& source, size_t most = SIZE_MAX);

// An open file descriptor, closed at the end unless it is a standard one.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }  // -1: none

 private:
  void reset();

  int number_ = -1;
};

// A file or a pipe; "-" is standard input.
class FileSource : public ByteSource {
 public:
  // Throws Error if the file cannot be opened or is a directory.
  explicit FileSource(std::string path);
  // Takes a descriptor that is open for reading.
  FileSource(Descriptor descriptor, std::string name);

  size_t read(std::span<uint8_t> out) override;
  bool ready() override;
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
  Descriptor descriptor_;
};

// A whole file, as read_all() reads it.
std::string read_file(const std::string& path, size_t most = SIZE_MAX);

// A file (made, or emptied if it is there) or a pipe; "-" is standard output.
class FileSink : public ByteSink {
 public:
  // Throws Error if the file cannot be opened.
  explicit FileSink(std::string path);
  // Takes a descriptor that is open for writing.
  FileSink(Descriptor descriptor, std::string name);

  // A pipe without a reader is an Error only where SIGPIPE is ignored; else it ends the process.
  using ByteSink::write;
  void write(std::span<const uint8_t> bytes) override;

 private:
  std::string name_;
  Descriptor descriptor_;
};

// Bytes that the caller keeps alive, given out in pieces of at most `piece` (not 0).
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::span<const uint8_t> bytes, std::string name = "memory",
                        size_t piece = SIZE_MAX)
      : bytes_(bytes), name_(std::move(name)), piece_(piece) {}

  size_t read(std::span<uint8_t> out) override;
  const std::string& name() const override { return name_; }

 private:
  std::span<const uint8_t> bytes_;
  std::string name_;
  size_t piece_;
};

class MemorySink : public ByteSink {
 public:
  using ByteSink::write;
  void write(std::span<const uint8_t> bytes) override;

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::vector<uint8_t> bytes_;
};

// Some bytes that were already read from a source, for a look at what it is, and then the rest of
// it.
class ResumedSource : public ByteSource {
 public:
  ResumedSource(std::vector<uint8_t> beginning, std::unique_ptr<ByteSource> rest)
      : beginning_(std::move(beginning)), rest_(std::move(rest)) {}

  size_t read(std::span<uint8_t> out) override;
  bool ready() override { return given_ < beginning_.size() || rest_->ready(); }
  const std::string& name() const override { return rest_->name(); }

 private:
  std::vector<uint8_t> beginning_;
  size_t given_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace berth
