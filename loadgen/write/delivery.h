#pragma once

// Bytes on their way to whoever reads them: a file, standard output, a unix socket. A reader that
// goes away, stops or never was is noticed.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/base/io/io.h"

namespace berth::loadgen {

class Delivery final : public ByteSink {
 public:
  struct Options {
    // How long one write may wait for a reader; nothing: for ever.
    std::optional<std::chrono::nanoseconds> give_up;
    // Asked while a write waits: true ends it with Interrupted.
    std::function<bool()> stop = [] { return false; };
  };

  // Takes a descriptor that is open for writing.
  Delivery(Descriptor descriptor, std::string name, Options options);

  // Throws Error, or Interrupted.
  using ByteSink::write;
  void write(std::span<const uint8_t> bytes) override;

 private:
  enum class Kind : uint8_t { kFile, kPipe, kSocket };

  long write_some(std::span<const uint8_t> bytes);
  void wait();
  [[noreturn]] void fail(const std::string& what) const;

  Descriptor descriptor_;
  std::string name_;
  Options options_;
  Kind kind_ = Kind::kFile;
};

// "-" is standard output, "unix:PATH" a socket that somebody listens at, anything else a file.
// Throws Error if it cannot be opened.
Descriptor open_for_delivery(const std::string& output);

}  // namespace berth::loadgen
