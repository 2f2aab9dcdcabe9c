#pragma once

// Writes objects as the items of a List in JSON, one a line, as kubectl prints it, or as documents
// in YAML.

#include <string>
#include <string_view>

#include "engine/document/document.h"
#include "engine/ingest/written/stream_sink.h"

namespace berth::ingest {

// One thread.
class ObjectWriter final : public StreamSink {
 public:
  enum class As : uint8_t { kList, kYaml };

  // The sink must outlive the writer.
  ObjectWriter(As as, ByteSink& sink) : as_(as), sink_(sink) {}

  // Writes an object as it is; the kind and apiVersion are added if it has none.
  void add(document::Value object, std::string_view kind, std::string_view api_version);

  // Of lists alone.
  void note(std::string_view text) override;
  void cluster(std::span<const Change> objects) override;
  // Requires: all are added; objects cannot tell of others.
  void events(std::span<const Change> changes) override { cluster(changes); }
  void pods(const PodBatch& pods) override;
  void end() override;

 private:
  template <typename Object>
  void item(const Object& object);
  void begin();
  void write(size_t most);

  As as_;
  ByteSink& sink_;
  std::string note_;  // the list's metadata
  std::string text_;  // not written yet
  bool begun_ = false;
};

}  // namespace berth::ingest
