#pragma once

// Sources and sinks of bytes: files, pipes, memory. Errors of the system are thrown as Error with
// the file's name and the system's reason. None of the classes is thread-safe.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// A stream of bytes to read.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Reads at least one byte into the beginning of `out` (not empty) and returns the number of
  // bytes. Blocks until there is one. 0: end of the source. Throws Error.
  virtual size_t read(std::span<uint8_t> out) = 0;

  // False if read() would wait now. A reader that gathers input hands on what it has before it
  // waits.
  virtual bool ready() { return true; }

  // The name that the user gave it, for places; "-" is standard input.
  virtual const std::string& name() const = 0;
};

// A stream of bytes to write.
class ByteSink {
 public:
  virtual ~ByteSink() = default;

  // Writes all of `bytes`. When it returns, a reader of the other end can see them. Throws Error;
  // then an unspecified part was written, and the sink must not be used again.
  virtual void write(std::span<const uint8_t> bytes) = 0;
  void write(std::string_view text) {
    write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
};

// Reads the rest of the source. Throws Error if reading fails or the rest is longer than `most`
// bytes.
std::string read_all(ByteSource& source, size_t most = SIZE_MAX);

// Owns an open file descriptor. Closes it on destruction, except for standard input, output and
// error.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }  // still owned by this object; -1: none

 private:
  void reset();

  int number_ = -1;
};

// Reads a file or a pipe; "-" is standard input.
class FileSource : public ByteSource {
 public:
  // Throws Error if the file cannot be opened or is a directory.
  explicit FileSource(std::string path);
  // Takes ownership of a descriptor that is open for reading.
  FileSource(Descriptor descriptor, std::string name);

  size_t read(std::span<uint8_t> out) override;
  bool ready() override;
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
  Descriptor descriptor_;
};

// Reads a whole file of at most `most` bytes; "-" is standard input. Throws Error like FileSource
// and read_all().
std::string read_file(const std::string& path, size_t most = SIZE_MAX);

// Writes a file, which is created or truncated, or a pipe; "-" is standard output.
class FileSink : public ByteSink {
 public:
  // Throws Error if the file cannot be opened.
  explicit FileSink(std::string path);
  // Takes ownership of a descriptor that is open for writing.
  FileSink(Descriptor descriptor, std::string name);

  // Writing to a pipe without a reader throws Error only if SIGPIPE is ignored; otherwise the
  // signal ends the process.
  using ByteSink::write;
  void write(std::span<const uint8_t> bytes) override;

 private:
  std::string name_;
  Descriptor descriptor_;
};

// Reads from memory, in pieces of at most `piece` bytes (not 0). The caller keeps the bytes alive.
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

// Collects all bytes in memory. write() does not fail.
class MemorySink : public ByteSink {
 public:
  using ByteSink::write;
  void write(std::span<const uint8_t> bytes) override;

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::vector<uint8_t> bytes_;
};

// Returns bytes that were already read from a source to detect its format, then the rest of the
// source, which it owns.
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
