#pragma once

// Writes bytes to a file, standard output or a unix socket. Detects readers that are gone, never
// appear or stop reading.

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
    // Longest time that one write waits for a reader; nullopt: no limit.
    std::optional<std::chrono::nanoseconds> give_up;
    // Polled while a write waits. If it returns true, the write throws Interrupted.
    std::function<bool()> stop = [] { return false; };
  };

  // Takes ownership of a descriptor that is open for writing. `name` appears in messages.
  Delivery(Descriptor descriptor, std::string name, Options options);

  // Blocks until all bytes are written. Throws Error, or Interrupted (base/io/interrupts.h).
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

// Opens an output. "-" is standard output, "unix:PATH" connects to a socket that a reader listens
// on, anything else creates or truncates a file. Throws Error.
Descriptor open_for_delivery(const std::string& output);

}  // namespace berth::loadgen
