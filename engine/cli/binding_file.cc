#include "engine/cli/binding_file.h"

#include "engine/base/io.h"
#include "engine/document/document.h"

namespace berth::cli {
namespace {

// So that a write costs little per binding, and whoever follows the file is not far behind.
constexpr size_t kBufferBytes = size_t{256} * 1024;

class JsonLines final : public BindingFile {
 public:
  explicit JsonLines(const std::string& path) : sink_(path) { buffer_.reserve(2 * kBufferBytes); }

  void bind(std::string_view namespace_name, std::string_view name,
            std::string_view node) override {
    buffer_ += "{\"namespace\":";
    document::append_json_string(namespace_name, buffer_);
    buffer_ += ",\"name\":";
    document::append_json_string(name, buffer_);
    buffer_ += ",\"node\":";
    document::append_json_string(node, buffer_);
    buffer_ += "}\n";
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void close() override { flush(); }

 private:
  void flush() {
    if (!buffer_.empty()) sink_.write(std::string_view(buffer_));
    buffer_.clear();
  }

  FileSink sink_;
  std::string buffer_;
};

}  // namespace

std::unique_ptr<BindingFile> open_bindings(const std::string& path) {
  return std::make_unique<JsonLines>(path);
}

}  // namespace berth::cli
