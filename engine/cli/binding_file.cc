#include "engine/cli/binding_file.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <string>
#include <vector>

#include "berth/schema/bindings_generated.h"
#include "berth/schema/frame_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/base/error.h"
#include "engine/base/frame.h"
#include "engine/base/io.h"
#include "engine/document/document.h"
#include "engine/ingest/stream.h"

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

// Codes of texts that come again, in order of their first use.
class TextTable {
 public:
  size_t code(std::string_view text) {
    auto [at, fresh] = codes_.try_emplace(std::string(text), texts_.size());
    if (fresh) texts_.emplace_back(text);
    return at->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }
  void clear() {
    codes_.clear();
    texts_.clear();
  }

 private:
  boost::unordered_flat_map<std::string, size_t> codes_;
  std::vector<std::string> texts_;
};

// Frames of bindings, see abi/schema/bindings.fbs, and the end mark.
class Frames final : public BindingFile {
 public:
  explicit Frames(const std::string& path) : path_(path), sink_(path), frames_(sink_) {}

  void bind(std::string_view namespace_name, std::string_view name,
            std::string_view node) override {
    for (std::string_view text : {namespace_name, name, node})
      if (text.size() > ingest::kMaxColumnString)
        throw Error(Place{.file = path_, .field = {}},
                    "the name \"" + std::string(text.substr(0, 40)) +
                        "...\" is too long for a stream of bindings; write *.jsonl instead");
    namespace_codes_.push_back(static_cast<uint16_t>(namespaces_.code(namespace_name)));
    node_codes_.push_back(static_cast<uint32_t>(nodes_.code(node)));
    lengths_.push_back(static_cast<uint8_t>(name.size()));
    names_.insert(names_.end(), name.begin(), name.end());
    bytes_ += namespace_name.size() + name.size() + node.size() + kBytesPerBinding;
    if (bytes_ >= kBufferBytes) flush();
  }

  void close() override {
    flush();
    write(schema::FrameKind::End, schema::CreateEnd(builder_, frame_count_, 0));
  }

 private:
  // More than a binding takes besides its texts.
  static constexpr size_t kBytesPerBinding = 32;

  void flush() {
    if (lengths_.empty()) return;
    auto namespaces = builder_.CreateVectorOfStrings(namespaces_.texts());
    auto nodes = builder_.CreateVectorOfStrings(nodes_.texts());
    auto namespace_codes = builder_.CreateVector(namespace_codes_);
    auto node_codes = builder_.CreateVector(node_codes_);
    auto lengths = builder_.CreateVector(lengths_);
    auto names = builder_.CreateVector(names_);
    write(schema::FrameKind::Bindings, schema::CreateBindings(builder_, namespaces, namespace_codes,
                                                              nodes, node_codes, lengths, names));
    namespaces_.clear();
    nodes_.clear();
    namespace_codes_.clear();
    node_codes_.clear();
    lengths_.clear();
    names_.clear();
    bytes_ = 0;
  }

  template <typename Table>
  void write(schema::FrameKind kind, flatbuffers::Offset<Table> root) {
    builder_.Finish(root);
    frames_.write(static_cast<uint8_t>(kind), {builder_.GetBufferPointer(), builder_.GetSize()});
    builder_.Clear();
    ++frame_count_;
  }

  std::string path_;
  FileSink sink_;
  FrameWriter frames_;
  flatbuffers::FlatBufferBuilder builder_;
  TextTable namespaces_, nodes_;
  std::vector<uint16_t> namespace_codes_;
  std::vector<uint32_t> node_codes_;
  std::vector<uint8_t> lengths_, names_;
  size_t bytes_ = 0;
  uint64_t frame_count_ = 0;
};

}  // namespace

std::unique_ptr<BindingFile> open_bindings(const std::string& path) {
  if (path == "-" || path.ends_with(".jsonl")) return std::make_unique<JsonLines>(path);
  return std::make_unique<Frames>(path);
}

}  // namespace berth::cli
