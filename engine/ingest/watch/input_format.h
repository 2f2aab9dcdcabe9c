#pragma once

// Tells from its first bytes what an input holds.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/base/io/io.h"

namespace berth::ingest {

enum class InputFormat : uint8_t {
  kFrames,  // a stream of frames, also one whose beginning is damaged
  kWatch,   // the events of a watch as JSON lines
  kObjects  // Kubernetes objects, and everything that their reader refuses by name
};

struct Input {
  InputFormat format = InputFormat::kObjects;
  std::unique_ptr<ByteSource> source;  // from its first byte on; never null
};

// Reads as much of the source as tells its format. Waits for at most one line. Throws Error if
// reading fails.
Input recognise(std::unique_ptr<ByteSource> source);

// Opens a file, a socket that somebody listens at ("unix:PATH"), or standard input for "-". Throws
// Error.
Input open_input(const std::string& path);

}  // namespace berth::ingest
