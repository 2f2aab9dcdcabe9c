#pragma once

// A stream on its way to text. Internal to this folder.

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/ingest/conversion/convert.h"
#include "engine/ingest/written/stream_sink.h"

namespace berth::ingest {

// Hands a stream on as an API server has it: pods and claims have a UID, so that they are not
// validated and admitted again when they are read. Without admission they stay as they are. A UID
// that is made follows from the name. What text cannot tell is left out and counted.
class Created final : public StreamSink {
 public:
  // The sink, which this ends, and the conversion must outlive the object. `events`: the sink takes
  // events, as JSON lines; else those that change or delete an object are faults.
  Created(StreamSink& to, bool events, Conversion& conversion)
      : to_(to), takes_events_(events), conversion_(conversion) {}

  void note(std::string_view text) override;
  void define(std::span<const TemplateDefinition> templates) override { to_.define(templates); }
  void cluster(std::span<const Change> objects) override;
  void events(std::span<const Change> changes) override;
  void pods(const PodBatch& pods) override;
  void time(int64_t at) override { to_.time(at); }
  void end() override;

 private:
  Change created(Change change) const;

  StreamSink& to_;
  const bool takes_events_;
  Conversion& conversion_;
  uint64_t events_ = 0;  // that no object stands for
  uint64_t batches_ = 0, cut_batches_ = 0, fresh_pods_ = 0;
};

}  // namespace berth::ingest
