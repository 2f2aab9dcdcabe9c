#pragma once

// Where a conversion writes. Internal to this folder.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/document/document.h"
#include "engine/ingest/conversion/convert.h"
#include "engine/ingest/conversion/dropped.h"
#include "engine/ingest/stream/stream.h"

namespace berth::ingest {

inline constexpr size_t kWrittenTogether = 256 * 1024;  // bytes

// Writes the batches of a stream. One thread. All calls throw Error if writing fails.
class Target {
 public:
  virtual ~Target() = default;
  virtual void take(const Batch& batch) = 0;
  // Must be the last call.
  virtual void end() = 0;
};

// JSON lines: the events of a watch.
std::unique_ptr<Target> line_target(ByteSink& sink, Conversion& conversion);
std::unique_ptr<Target> frame_target(ByteSink& sink, Conversion& conversion);

// Writes objects as the items of a List in JSON, one a line, or as documents in YAML. One thread.
class ObjectWriter {
 public:
  // `format`: kJson or kYaml. The sink must outlive the writer.
  ObjectWriter(Format format, ByteSink& sink) : format_(format), sink_(sink) {}

  // Writes an object as it is; the kind and apiVersion are added if it has none.
  void add(document::Value object, std::string_view kind, std::string_view api_version);
  void add(const std::string& json);  // an object
  void end();

 private:
  void begin();
  void flush(size_t most);

  Format format_;
  ByteSink& sink_;
  std::string text_;  // not written yet
  bool begun_ = false;
};

// The pod as an API server has it: with a UID, so that it is not validated and admitted again when
// it is read. Without admission it stays as it is. A UID that is made follows from the name.
model::Pod created(model::Pod pod, const Conversion& conversion);
// The same of a claim; other objects stay as they are.
model::VolumeObject created(model::VolumeObject object, const Conversion& conversion);

// The templates that a stream has defined so far, by id.
class KnownTemplates {
 public:
  void take(const Batch& batch);
  // Requires: the stream defined the template.
  const std::shared_ptr<const model::PodSpec>& spec(uint32_t id) const { return specs_[id]; }

 private:
  std::vector<std::shared_ptr<const model::PodSpec>> specs_;
};

// Writes the objects of a stream. Events that change or delete an object are faults.
class ObjectTarget final : public Target {
 public:
  // The writer and the conversion must outlive the target, which does not end the writer.
  ObjectTarget(ObjectWriter& writer, Conversion& conversion)
      : writer_(writer), conversion_(conversion) {}
  void take(const Batch& batch) override;
  void end() override;

 private:
  void take(const Change& change);

  ObjectWriter& writer_;
  Conversion& conversion_;
  KnownTemplates templates_;
  uint64_t events_ = 0;  // that no object stands for
  uint64_t pod_batches_ = 0, fresh_pods_ = 0;
};

// The note about so many pods that are written without a UID.
std::string without_uid(uint64_t pods);

// Counts of frames that are no input of a run.
void drop_other(const Batch& batch, Conversion& conversion);

}  // namespace berth::ingest
