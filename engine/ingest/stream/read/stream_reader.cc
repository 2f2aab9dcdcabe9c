#include "engine/ingest/stream/read/stream_reader.h"

#include <flatbuffers/flatbuffers.h>

#include <cstring>
#include <utility>

#include "berth/schema/bindings_generated.h"
#include "berth/schema/cluster_generated.h"
#include "berth/schema/frame_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/ingest/stream/read/stream_columns.h"
#include "engine/ingest/stream/read/stream_events.h"

namespace berth::ingest {
namespace {

const uint8_t* bytes_of(const Batch& batch) {
  return reinterpret_cast<const uint8_t*>(batch.payload.data());
}

}  // namespace

StreamReader::StreamReader(ByteSource& source, Diagnostics& diagnostics, OnFault on_fault)
    : source_(source), diagnostics_(diagnostics), on_fault_(on_fault), frames_(source) {}

bool StreamReader::next(Batch& batch) {
  while (!finished_) {
    const FrameReader::Item item = frames_.next();
    if (const auto* frame = std::get_if<Frame>(&item)) {
      if (next_frame(batch, *frame)) return true;
    } else if (const auto* damage = std::get_if<Damage>(&item)) {
      counts_.damaged_bytes += damage->length;
      report(damage->offset, "",
             damage->message + "; " + std::to_string(damage->length) + " bytes were passed over");
    } else {
      finish(std::get<EndOfFrames>(item).offset);
    }
  }
  return false;
}

bool StreamReader::next_frame(Batch& batch, const Frame& frame) {
  if (ended_) {
    report(frame.offset, "", "the stream goes on behind its end mark; the frame was passed over");
    return false;
  }
  ++counts_.frames;
  batch.offset = frame.offset;
  payload_size_ = frame.payload.size();
  batch.payload.resize((payload_size_ + 7) / 8);
  if (payload_size_ != 0) std::memcpy(batch.payload.data(), frame.payload.data(), payload_size_);
  return decode(batch, frame);
}

bool StreamReader::decode(Batch& batch, const Frame& frame) {
  switch (static_cast<schema::FrameKind>(frame.kind)) {
    case schema::FrameKind::Note:
      return decode_note(batch);
    case schema::FrameKind::Templates:
      return decode_templates(batch);
    case schema::FrameKind::Cluster:
      return decode_cluster(batch);
    case schema::FrameKind::Events:
      return decode_events(batch);
    case schema::FrameKind::Pods:
      return decode_pods(batch);
    case schema::FrameKind::Bindings:
      return decode_bindings(batch);
    case schema::FrameKind::End:
      return decode_end(batch);
    case schema::FrameKind::None:
      break;
  }
  return refuse_frame(batch, {"", "the frame is of kind " + std::to_string(frame.kind) +
                                      ", which this reader does not know"});
}

template <typename Root>
const Root* StreamReader::verified(const Batch& batch, const flatbuffers::TypeTable* type) {
  if (const auto fault = check_payload({bytes_of(batch), payload_size_}, type)) {
    refuse_frame(batch, *fault);
    return nullptr;
  }
  // flatbuffers' verifier checks again, independently. check_payload() has bounded its work.
  flatbuffers::Verifier verifier(bytes_of(batch), payload_size_);
  if (!verifier.VerifyBuffer<Root>()) {
    refuse_frame(batch, {"", "the payload does not agree with its schema"});
    return nullptr;
  }
  return flatbuffers::GetRoot<Root>(bytes_of(batch));
}

bool StreamReader::decode_note(Batch& batch) {
  const auto* root = verified<schema::Note>(batch, schema::NoteTypeTable());
  if (root == nullptr) return false;
  ObjectDecoder decoder;
  batch.kind = BatchKind::kNote;
  batch.note = decoder.text(root->text(), "text");
  return decoder.good() || refuse_frame(batch, decoder.fault());
}

bool StreamReader::decode_templates(Batch& batch) {
  const auto* root = verified<schema::Templates>(batch, schema::TemplatesTypeTable());
  if (root == nullptr) return false;
  batch.kind = BatchKind::kTemplates;
  ingest::decode_templates(*root, templates_, batch.retired_templates, batch.templates,
                           [&](const StreamFault& fault) {
                             ++counts_.refused_objects;
                             report(batch.offset, fault);
                           });
  return !batch.templates.empty() || !batch.retired_templates.empty();
}

bool StreamReader::decode_cluster(Batch& batch) {
  const auto* root = verified<schema::Cluster>(batch, schema::ClusterTypeTable());
  if (root == nullptr) return false;
  batch.kind = BatchKind::kCluster;
  ingest::decode_cluster(*root, templates_, batch.changes, [&](const StreamFault& fault) {
    ++counts_.refused_objects;
    report(batch.offset, fault);
  });
  return !batch.changes.empty();
}

bool StreamReader::decode_events(Batch& batch) {
  const auto* root = verified<schema::Events>(batch, schema::EventsTypeTable());
  if (root == nullptr) return false;
  batch.kind = BatchKind::kEvents;
  ingest::decode_events(*root, templates_, batch.changes, [&](const StreamFault& fault) {
    ++counts_.refused_objects;
    report(batch.offset, fault);
  });
  return !batch.changes.empty();
}

bool StreamReader::decode_pods(Batch& batch) {
  const auto* root = verified<schema::Pods>(batch, schema::PodsTypeTable());
  if (root == nullptr) return false;
  batch.kind = BatchKind::kPods;
  const auto fault =
      ingest::decode_pods(*root, templates_, batch.pods, [&](const StreamFault& refused) {
        ++counts_.refused_pods;
        report(batch.offset, refused);
      });
  if (root->template_ids() != nullptr) counts_.pods += root->template_ids()->size();
  if (fault) {
    if (root->template_ids() != nullptr) counts_.refused_pods += root->template_ids()->size();
    return refuse_frame(batch, *fault);
  }
  return batch.pods.size() != 0;
}

bool StreamReader::decode_bindings(Batch& batch) {
  const auto* root = verified<schema::Bindings>(batch, schema::BindingsTypeTable());
  if (root == nullptr) return false;
  batch.kind = BatchKind::kBindings;
  const auto fault =
      ingest::decode_bindings(*root, batch.bindings, [&](const StreamFault& refused) {
        ++counts_.refused_objects;
        report(batch.offset, refused);
      });
  if (fault) return refuse_frame(batch, *fault);
  return batch.bindings.size() != 0;
}

bool StreamReader::decode_end(Batch& batch) {
  const auto* root = verified<schema::End>(batch, schema::EndTypeTable());
  if (root == nullptr) return false;
  ended_ = true;
  batch.kind = BatchKind::kEnd;
  if (root->pods() > counts_.pods) counts_.missing_pods = root->pods() - counts_.pods;
  const uint64_t frames = counts_.frames - 1;
  if (root->frames() != frames || root->pods() != counts_.pods) {
    report(batch.offset, "",
           "the end mark counts " + std::to_string(root->pods()) + " pods and " +
               std::to_string(root->frames()) + " frames before it, but " +
               std::to_string(counts_.pods) + " pods and " + std::to_string(frames) +
               " frames came");
  }
  return true;
}

void StreamReader::finish(uint64_t offset) {
  finished_ = true;
  if (!ended_) {
    report(offset, "",
           "the stream ends without an end mark: it is cut short, or its writer was stopped");
  }
}

void StreamReader::report(uint64_t offset, std::string field, std::string message) {
  Place place;
  place.file = source_.name();
  place.byte = offset;
  place.field = std::move(field);
  Error error(std::move(place), std::move(message));
  if (on_fault_ == OnFault::kStop) throw error;
  diagnostics_.report(std::move(error));
}

bool StreamReader::refuse_frame(const Batch& batch, const StreamFault& fault) {
  ++counts_.refused_frames;
  report(batch.offset, fault.path, fault.message + "; the frame was passed over");
  return false;
}

}  // namespace berth::ingest
