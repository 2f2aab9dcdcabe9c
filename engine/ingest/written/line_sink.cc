// Writes a stream as JSON lines, the events of a watch as an API server sends them.

#include <chrono>
#include <string>
#include <utility>
#include <variant>

#include "engine/base/text/go_duration.h"
#include "engine/ingest/written/object_json.h"
#include "engine/ingest/written/stream_sink.h"

namespace berth::ingest {
namespace {

class LineSink final : public StreamSink {
 public:
  explicit LineSink(ByteSink& sink) : sink_(sink) {}

  void note(std::string_view text) override {
    std::string annotation = ",\"metadata\":{\"annotations\":{\"berth/load\":";
    append_json_text(text, annotation);
    bookmark(annotation + "}}");
  }

  void cluster(std::span<const Change> objects) override {
    for (const bool pods : {false, true})
      for (const Change& change : objects)
        if (std::holds_alternative<TemplatePod>(change.object) == pods)
          line(model::Operation::kAdded, change.object);
  }

  void events(std::span<const Change> changes) override {
    for (const Change& change : changes) line(change.operation, change.object);
  }

  void pods(const PodBatch& pods) override {
    for (size_t i = 0; i < pods.size(); ++i) line(model::Operation::kAdded, known().pod(pods, i));
    // The bookmark groups the pods since the previous bookmark: they arrived together.
    bookmark("");
  }

  void time(int64_t at) override {
    time_ = ",\"time\":\"" + go_duration(std::chrono::nanoseconds(at)) + '"';
  }

  void flush() override {
    if (!text_.empty()) sink_.write(text_);
    text_.clear();
  }

  void end() override { flush(); }

 private:
  void bookmark(std::string_view metadata) {
    text_ += "{\"type\":\"BOOKMARK\"" + std::exchange(time_, {}) +
             ",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\"";
    text_ += metadata;
    text_ += "}}\n";
  }

  template <typename Object>
  void line(model::Operation operation, const Object& object) {
    text_ += "{\"type\":\"";
    text_ += model::event_type(operation);
    text_ += '"';
    text_ += std::exchange(time_, {});
    text_ += ",\"object\":";
    append(object, text_);
    text_ += "}\n";
    if (text_.size() > kWrittenTogether) flush();
  }

  ByteSink& sink_;
  std::string text_;  // not written yet
  std::string time_;  // of the next line, as a member of its object; empty: it has none
};

}  // namespace

std::unique_ptr<StreamSink> line_sink(ByteSink& sink) { return std::make_unique<LineSink>(sink); }

}  // namespace berth::ingest
