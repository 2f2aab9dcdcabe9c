#include "engine/ingest/conversion/objects_stream.h"

#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ingest/stream/write/stream_writer.h"
#include "engine/ingest/stream/write/waiting_pod.h"

namespace berth::ingest {
namespace {

// A stream holds a part of the objects in these forms.
struct Content {
  std::vector<Change> cluster;
  std::vector<Change> claims;  // that came into being with the pods, of whose part they are
  std::vector<model::Pod> waiting;
};

Content content_of(Objects objects, Part part) {
  Content out;
  if (part == Part::kPods) {
    const auto made = objects.others.end() - static_cast<ptrdiff_t>(objects.made_claims);
    out.claims.assign(std::move_iterator(made), std::move_iterator(objects.others.end()));
  } else {
    out.cluster = std::move(objects.others);
  }
  for (model::Pod& pod : objects.pods) {
    if (part != Part::kCluster && waits(pod)) {
      out.waiting.push_back(std::move(pod));
    } else if (part != Part::kPods) {
      out.cluster.push_back(model::added(TemplatePod::of(std::move(pod))));
    }
  }
  return out;
}

void add_waiting(const model::Pod& pod, StreamWriter& writer) {
  const WaitingPod waiting(pod, writer);
  if (writer.add_pod(waiting.columns())) return;
  writer.write_pods();
  writer.add_pod(waiting.columns());
}

// Throws Error if an object does not fit in a frame.
void write(const Content& content, StreamWriter& writer) {
  writer.cluster(content.cluster);
  for (const Change& claim : content.claims) writer.events({&claim, 1});
  for (const model::Pod& pod : content.waiting) add_waiting(pod, writer);
}

// Reports an object that does not fit.
template <typename Write>
void try_to(Write write, const std::string& name, Diagnostics& faults) {
  try {
    write();
  } catch (const Error& error) {
    Place place;
    place.field = name;
    faults.report(Error(std::move(place), error.message()));
  }
}

// Writes a frame for each object of the cluster.
void write_singly(const Content& content, StreamWriter& writer, Diagnostics& faults) {
  for (const Change& one : content.cluster)
    try_to([&] { writer.cluster({&one, 1}); }, full_name(one.object), faults);
  for (const Change& one : content.claims)
    try_to([&] { writer.events({&one, 1}); }, full_name(one.object), faults);
  for (const model::Pod& pod : content.waiting)
    try_to([&] { add_waiting(pod, writer); }, full_name(pod), faults);
}

}  // namespace

std::vector<uint8_t> frames_of(Objects objects, Conversion& conversion) {
  const Content content = content_of(std::move(objects), conversion.part);
  const auto stream = [](auto fill) {
    MemorySink sink;
    StreamWriter writer(sink);
    fill(writer);
    writer.end();
    return sink.bytes();
  };
  try {
    return stream([&](StreamWriter& writer) { write(content, writer); });
  } catch (const Error&) {
    // Which object it was shows when each has a frame of its own.
    return stream([&](StreamWriter& writer) { write_singly(content, writer, conversion.faults); });
  }
}

}  // namespace berth::ingest
