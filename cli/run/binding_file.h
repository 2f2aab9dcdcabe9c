#pragma once

// Writes bindings, in the order of the decisions: to a file, as names to standard output, or both.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/binding/binder.h"
#include "engine/output/bindings/binding_writer.h"

namespace berth::cli {

// JSON lines for "-" (standard output) and names that end in .jsonl; otherwise a stream of frames.
// Call open(), then bind() and flush(), then close().
class BindingFile final : public binding::BindingSink {
 public:
  // `path`: empty: no file. `names`: the names of the pods go to standard output.
  BindingFile(std::string path, bool names) : path_(std::move(path)), names_(names) {}

  // Creates the file, or truncates it. Call it before the first binding. Throws Error.
  void open();

  binding::BindAnswer bind(const binding::Binding& one) override {
    for (const Output& output : outputs_)
      output.writer->write(one.namespace_name, one.name, one.node);
    return {};
  }
  void flush() override {
    for (const Output& output : outputs_) output.writer->flush();
  }
  // Writes the remaining bindings, and the end mark if the format has one. Throws Error.
  void close() {
    for (const Output& output : outputs_) output.writer->finish();
  }

 private:
  struct Output {
    std::unique_ptr<FileSink> sink;
    std::unique_ptr<output::BindingWriter> writer;
  };
  void add(const std::string& path, output::BindingFormat format);

  std::string path_;
  bool names_;
  std::vector<Output> outputs_;
};

}  // namespace berth::cli
