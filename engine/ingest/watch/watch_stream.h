#pragma once

// Converts the events of a watch into a stream of frames (abi/schema) while they arrive. An event
// is a JSON object, on one line as an API server sends it or over several lines as kubectl prints
// it:
//
//   {"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod",...}}
//
// ADDED, MODIFIED and DELETED are converted for the kinds that objects.h reads; other kinds are
// reported once each and skipped. The ADDED objects at the beginning, up to the first pod without a
// node or the first event of another type, are the cluster. Consecutive ADDED pods without a node
// arrive together: a batch ends at an event of another kind or type, at a BOOKMARK, when it is
// full, and when the input would block (a regular file never does). An ERROR event is reported in
// the API server's words. A malformed event is reported with its line and left out.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/inspect.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/objects/rejected_pod.h"
#include "engine/ingest/objects/remarks.h"
#include "engine/ingest/stream/write/stream_writer.h"
#include "engine/ingest/watch/event_texts.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/ingest/written/whole_object.h"

namespace berth::ingest {

// True if a text with this beginning is a watch: an object whose first key is "type" or "object".
// Nothing if the beginning is too short to decide.
std::optional<bool> begins_like_watch(std::string_view beginning);

// One thread.
class WatchStream final : public ByteSource {
 public:
  static constexpr size_t kMaxEvent = size_t{4} << 20;  // bytes
  static constexpr size_t kTemplatesKept = 4096;        // below that, none is retired
  static constexpr size_t kPodsTogether = 4096;         // limit of a batch

  // The source and the diagnostics must outlive the stream. `strict`: read() throws the first fault
  // as Error; otherwise faults are reported to the diagnostics. `keep_rejected`: pods of events
  // with a fault are kept, which takes memory without end if there are such without end.
  // `creation`: what controllers and an API server make of objects without a UID, which are
  // manifests; outlives the stream. Null: nothing. `validation`: of
  // ADDED objects that are new; without `creation`, of nodes alone.
  WatchStream(ByteSource& source, Diagnostics& diagnostics, bool strict, bool keep_rejected = false,
              Creation* creation = nullptr, Validation validation = Validation::kNone);

  // Calls `visit` with each object that is added or modified, before it is decoded.
  void visit(std::function<void(document::Value object)> visit) { visit_ = std::move(visit); }

  // From now on pods, nodes and pod templates are kept whole, too. Call it before read().
  void keep_whole() { keeps_whole_ = true; }
  // Moves out the objects that are kept of the lines up to this one.
  std::vector<WholeObject> take_whole(uint32_t last_line);

  // Reads the bytes of the frames. Blocks like the source. Throws Error if reading fails.
  size_t read(std::span<uint8_t> out) override;
  const std::string& name() const override { return source_.name(); }

  // The lines of the watch, from 1, in which the objects of a frame begin, one per object in the
  // frame's order. `offset`: position in this stream, in bytes, of a frame of pods, events or a
  // cluster; it must not decrease from call to call. Valid until the next call of any function.
  std::span<const uint32_t> lines_at(uint64_t offset);

  const Remarks& remarks() const { return remarks_; }
  uint64_t rejected_pods() const { return rejected_pods_; }  // events with a fault, left out
  // The same one by one, if they are kept.
  const std::vector<RejectedPod>& rejected() const { return rejected_; }

 private:
  using Operation = model::Operation;

  void take_text();
  void take_event(document::Value event, Diagnostics& found);
  bool validates(Operation type, std::string_view kind) const {
    return type != Operation::kDeleted && validation_ == Validation::kNew &&
           (creation_ != nullptr || kind == "Node");
  }
  // False after reporting that no API server has the apiVersion of an object that is new.
  bool check_version(document::Value object, Diagnostics& found) const;
  void take_api_error(document::Value status);
  void note_workload_change(Operation type, document::Value object);
  void take(Operation type, document::Value object, Diagnostics& found);
  // True if the object is a manifest that stands for pods, or a policy of admission.
  bool take_manifest(document::Value object, Diagnostics& found);
  bool change_policy(Operation type, document::Value object, Diagnostics& found);
  void take_pod(Operation type, document::Value object, Diagnostics& found);
  // Throws Error if the pod is too large for the stream.
  void hand_on(Operation type, model::Pod pod);
  // An object that is no pod.
  void take_other(Operation type, document::Value object, Diagnostics& found);
  // Precondition: there is a creation. Returns why it refuses the object.
  std::optional<std::string> tell_creation(Operation type, document::Value object,
                                           model::Object& made);
  template <typename Object>
  void inspect(document::Value value, const Object& object, Operation type);
  void add_waiting(model::Pod pod);
  void write_pods();
  void retire_templates();
  // An added object is one of the cluster as long as nothing has happened, unless it is a claim of
  // a pod that waits. Throws Error if the object is too large for the stream.
  void put(Change change);
  void write_cluster(const Change& object);
  void happen(Change change);
  void mark(std::vector<uint32_t> lines);
  void keep(WholeObject object);
  void report(const Error& error);
  Error placed(const Error& error) const;
  void reject(document::Value event, const Error& error);

  // The frame at this offset has objects that begin in these lines.
  struct Mark {
    uint64_t offset = 0;
    std::vector<uint32_t> lines;
  };

  std::function<void(document::Value)> visit_;
  ByteSource& source_;
  Diagnostics& diagnostics_;
  bool strict_, keep_rejected_;
  Creation* creation_;
  Validation validation_;
  MemorySink frames_;
  StreamWriter stream_;
  size_t retire_at_ = kTemplatesKept;  // templates of stream_
  size_t given_ = 0;                   // bytes of frames_ that read() has returned
  uint64_t dropped_ = 0;               // bytes of the stream before those in frames_
  EventTexts texts_;
  std::vector<uint32_t> pod_lines_;  // of the pods of the current batch
  std::deque<Mark> marks_;           // ascending
  Remarks remarks_;
  Inspector inspector_;
  bool scene_ = true;  // all events so far belong to the initial cluster
  bool ended_ = false;
  bool keeps_whole_ = false;
  std::deque<WholeObject> whole_;  // by line, ascending
  uint64_t rejected_pods_ = 0;
  std::vector<RejectedPod> rejected_;
};

}  // namespace berth::ingest
