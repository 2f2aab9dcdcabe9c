#pragma once

// The content of a stream, batch by batch: of frames, one each, which abi/schema/README.md
// describes, or of lines.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/objects/change.h"

namespace berth::ingest {

// Limits of frames, in addition to that of a frame (kMaxFramePayload in engine/base/io/frame.h).
inline constexpr uint32_t kMaxTemplateId = (1u << 20) - 1;
// Bytes of a pod's spec: about 13,000 terms of affinity.
inline constexpr size_t kMaxSpecInStream = (size_t{1} << 20) - 1024;
inline constexpr size_t kMaxPodsPerFrame = 65'536;
inline constexpr size_t kMaxColumnString = 255;  // bytes of a name, uid or label value in a column

// Frames contain the values that enter the model.
using model::Change;
using model::PodBatch;
using model::TemplateDefinition;
using model::TemplatePod;

// A pod of a batch. The template is the one that the batch names.
model::Pod pod_of(const PodBatch& batch, size_t pod, const model::PodSpec& spec);

// The templates that a stream has defined so far, by id. One thread.
class KnownTemplates {
 public:
  void define(std::span<const TemplateDefinition> templates);
  // Require: the template is defined.
  const model::PodSpec& spec(uint32_t id) const { return *specs_[id]; }
  // A pod of a batch, with the node of its template.
  model::Pod pod(const PodBatch& pods, size_t i) const;

 private:
  std::vector<std::shared_ptr<const model::PodSpec>> specs_;
};

// Bindings of pods to nodes, in the order of the decisions. Views as in PodBatch.
struct BindingBatch {
  std::vector<std::string_view> namespaces, names, nodes;  // parallel

  size_t size() const { return names.size(); }
  void clear();
};

// kTime: what follows happens at that time of the run, or later; frames have none.
enum class BatchKind : uint8_t {
  kNote,
  kTemplates,
  kCluster,
  kEvents,
  kPods,
  kBindings,
  kTime,
  kEnd
};

// The content of one frame, or of lines of a watch or of files. `kind` says which member is set;
// kEnd has none. Buffers are kept when a batch of frames is read into again or swapped, so reusing
// such batches costs no allocation.
struct Batch {
  BatchKind kind = BatchKind::kEnd;
  uint64_t offset = Place::kNoByte;  // of the frame in the stream; kNoByte: there is none

  // The lines in which the objects begin, one per object, 0: unknown; empty if it was a frame.
  std::vector<uint32_t> lines;

  std::string note;
  int64_t at = 0;  // nanoseconds of the run's clock
  std::vector<TemplateDefinition> templates;
  std::vector<uint32_t> retired_templates;  // ids; before `templates` are defined
  std::vector<Change> changes;              // of kCluster, where all are added, and kEvents
  PodBatch pods;
  BindingBatch bindings;

  // The views point into these: an aligned copy of the frame's payload, or the pods without their
  // specs.
  std::vector<uint64_t> payload;
  std::vector<TemplatePod> own_parts;
};

// Appends a batch of this kind without a frame.
Batch& append_batch(std::deque<Batch>& to, BatchKind kind);

// The source of batches. One thread.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  // The next batch, waiting for it if necessary. The last one is kEnd, unless the input is cut
  // short. False: there is no more. Throws Error if reading fails.
  virtual bool next(Batch& batch) = 0;
};

}  // namespace berth::ingest
