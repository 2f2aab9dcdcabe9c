#pragma once

// The file that bindings are written to, in the order of the decisions.

#include <memory>
#include <string>

#include "engine/cycle/binder.h"

namespace berth::cli {

class BindingFile : public cycle::BindingSink {
 public:
  // Writes what is left, and the end mark where the format has one. Throws Error.
  virtual void close() = 0;
};

// JSON lines for "-" (standard output) and names that end in .jsonl, else a stream of frames.
// Throws Error if the file cannot be opened.
std::unique_ptr<BindingFile> open_bindings(const std::string& path);

}  // namespace berth::cli
