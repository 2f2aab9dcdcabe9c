#pragma once

// The file that bindings are written to, in the order of the decisions.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/io/io.h"
#include "engine/binding/binder.h"
#include "engine/output/binding_writer.h"

namespace berth::cli {

// JSON lines for "-" (standard output) and names that end in .jsonl; otherwise a stream of frames.
// Call open(), then bind() and flush(), then close().
class BindingFile final : public binding::BindingSink {
 public:
  explicit BindingFile(std::string path) : path_(std::move(path)) {}

  // Creates the file, or truncates it. Call it before the first binding. Throws Error.
  void open();

  binding::BindAnswer bind(std::string_view namespace_name, std::string_view name,
                           std::string_view node) override {
    writer_->write(namespace_name, name, node);
    return {};
  }
  void flush() override { writer_->flush(); }
  // Writes the remaining bindings, and the end mark if the format has one. Throws Error.
  void close() { writer_->finish(); }

 private:
  std::string path_;
  std::optional<FileSink> sink_;
  std::unique_ptr<output::BindingWriter> writer_;
};

}  // namespace berth::cli
