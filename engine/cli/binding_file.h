#pragma once

// The file that bindings are written to, in the order of the decisions.

#include <memory>
#include <string>

#include "engine/base/io.h"
#include "engine/cycle/binder.h"
#include "engine/output/binding_writer.h"

namespace berth::cli {

// JSON lines for "-" (standard output) and names that end in .jsonl, else a stream of frames.
class BindingFile final : public cycle::BindingSink {
 public:
  // Throws Error if the file cannot be opened.
  explicit BindingFile(const std::string& path);

  void bind(std::string_view namespace_name, std::string_view name,
            std::string_view node) override {
    writer_->write(namespace_name, name, node);
  }
  // Writes what is left, and the end mark where the format has one. Throws Error.
  void close() { writer_->finish(); }

 private:
  FileSink sink_;
  std::unique_ptr<output::BindingWriter> writer_;
};

}  // namespace berth::cli
