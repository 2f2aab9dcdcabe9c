#include "engine/ingest/conversion/objects_stream.h"

#include <span>
#include <string>
#include <utility>

#include "engine/ingest/stream/write/stream_writer.h"
#include "engine/ingest/stream/write/waiting_pod.h"

namespace berth::ingest {
namespace {

class ObjectsStream {
 public:
  ObjectsStream(Part part, StreamWriter& writer) : part_(part), writer_(writer) {}

  // Throws Error if an object does not fit in a frame.
  void write(const Objects& objects) {
    std::vector<model::Pod> there;
    for (const model::Pod& pod : objects.pods)
      if (is_of_cluster(pod)) there.push_back(pod);
    if (part_ != Part::kPods) {
      writer_.cluster(objects.nodes, objects.namespaces, there, objects.selector_owners,
                      objects.disruption_budgets, objects.storage);
    } else {
      const auto made = std::span(objects.storage).last(objects.made_claims);
      for (const model::VolumeObject& claim : made) add_claim(claim);
    }
    for (const model::Pod& pod : objects.pods) add_waiting(pod);
    writer_.write_pods();
  }

  // Writes a frame for each object of the cluster, and reports those that do not fit.
  void write_singly(const Objects& objects, Diagnostics& faults) {
    if (part_ != Part::kPods) {
      each(objects.nodes, faults, [&](auto one) { writer_.cluster(one, {}, {}); });
      each(objects.namespaces, faults, [&](auto one) { writer_.cluster({}, one, {}); });
      each(objects.selector_owners, faults, [&](auto one) { writer_.cluster({}, {}, {}, one); });
      each(objects.disruption_budgets, faults,
           [&](auto one) { writer_.cluster({}, {}, {}, {}, one); });
      each(objects.storage, faults, [&](auto one) { writer_.cluster({}, {}, {}, {}, {}, one); });
      each(objects.pods, faults, [&](auto one) {
        if (is_of_cluster(one.front())) writer_.cluster({}, {}, one);
      });
    }
    if (part_ == Part::kPods) {
      const auto made = std::span(objects.storage).last(objects.made_claims);
      each(made, faults, [&](auto one) { add_claim(one.front()); });
    }
    each(objects.pods, faults, [&](auto one) { add_waiting(one.front()); });
    writer_.write_pods();
  }

 private:
  bool is_of_cluster(const model::Pod& pod) const { return part_ == Part::kCluster || !waits(pod); }

  void add_waiting(const model::Pod& pod) {
    if (is_of_cluster(pod)) return;
    const WaitingPod waiting(pod, writer_);
    if (writer_.add_pod(waiting.columns())) return;
    writer_.write_pods();
    writer_.add_pod(waiting.columns());
  }

  // A claim that came into being with the pods belongs to their part.
  void add_claim(const model::VolumeObject& claim) {
    const Event added = VolumeObjectAdded{claim};
    writer_.events({&added, 1});
  }

  static std::string name_of(const model::VolumeObject& object) { return full_name(object); }
  template <typename Object>
  static std::string name_of(const Object& object) {
    if constexpr (requires { object.namespace_name; })
      return object.namespace_name + "/" + object.name;
    return object.name;
  }

  template <typename Objects, typename Write>
  static void each(const Objects& objects, Diagnostics& faults, Write write) {
    for (const auto& object : objects) {
      try {
        write(std::span(&object, 1));
      } catch (const Error& error) {
        Place place;
        place.field = name_of(object);
        faults.report(Error(std::move(place), error.message()));
      }
    }
  }

  const Part part_;
  StreamWriter& writer_;
};

}  // namespace

std::vector<uint8_t> frames_of(const Objects& objects, Conversion& conversion) {
  try {
    MemorySink sink;
    StreamWriter writer(sink);
    ObjectsStream(conversion.part, writer).write(objects);
    writer.end();
    return sink.bytes();
  } catch (const Error&) {
    // Which object it was shows when each has a frame of its own.
    MemorySink sink;
    StreamWriter writer(sink);
    ObjectsStream(conversion.part, writer).write_singly(objects, conversion.faults);
    writer.end();
    return sink.bytes();
  }
}

}  // namespace berth::ingest
