#pragma once

// Makes batches of the events of a watch while they arrive. An event is a JSON object, on one line
// as an API server sends it or over several lines as kubectl prints it:
//
//   {"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod",...}}
//
// `"time":"1h15m"` beside the type says when it happens: at that time of the run's clock, or later
// if the run is behind.
//
// ADDED, MODIFIED and DELETED are converted for the kinds that objects.h reads; other kinds are
// reported once each and skipped. The ADDED objects at the beginning, up to the first pod without a
// node, the first eviction, the first event with a time or of another type, are the cluster.
// Consecutive ADDED pods without a node arrive together: a batch ends at an event of another kind
// or type, at a BOOKMARK, when it is full, and when the input would block (a regular file never
// does). An ERROR event is reported in the API server's words. A malformed event is reported with
// its line and left out.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
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
#include "engine/ingest/stream/pod_collector.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/watch/event_texts.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/ingest/written/whole_object.h"

namespace berth::ingest {

// True if a text with this beginning is a watch: an object whose first key is "type" or "object".
// Nothing if the beginning is too short to decide.
std::optional<bool> begins_like_watch(std::string_view beginning);

// One thread. Batches of a cluster and of events have one object.
class WatchStream final : public BatchSource {
 public:
  // Bytes of an event. An API server has objects of at most 1.5 MiB, and kubectl prints them with
  // blanks; a text without an end must not fill the memory.
  static constexpr size_t kMaxEvent = size_t{4} << 20;
  static constexpr size_t kPodsTogether = 4096;  // limit of a batch

  // The source and the diagnostics must outlive the stream. `strict`: next() throws the first fault
  // as Error; otherwise faults are reported to the diagnostics. `keep_rejected`: pods of events
  // with a fault are kept, which takes memory without end if there are such without end.
  // `creation`: what controllers and an API server make of objects without a UID, which are
  // manifests; outlives the stream. Null: nothing. `validation`: of
  // ADDED objects that are new; without `creation`, of nodes alone.
  WatchStream(ByteSource& source, Diagnostics& diagnostics, bool strict, bool keep_rejected = false,
              Creation* creation = nullptr, Validation validation = Validation::kNone);

  // Calls `visit` with each object that is added or modified, before it is decoded.
  void visit(std::function<void(document::Value object)> visit) { visit_ = std::move(visit); }

  // From now on pods, nodes and pod templates are kept whole, too. Call it before next().
  void keep_whole() { keeps_whole_ = true; }
  // Moves out the objects that are kept of the lines up to this one.
  std::vector<WholeObject> take_whole(uint32_t last_line);

  bool next(Batch& batch) override;

  const Remarks& remarks() const { return remarks_; }
  // Pods that were left out because of a fault, and events of which the kind cannot be read.
  uint64_t rejected_pods() const { return rejected_pods_; }
  // The same one by one, if they are kept.
  const std::vector<RejectedPod>& rejected() const { return rejected_; }

 private:
  using Operation = model::Operation;

  void take_text();
  void take_event(document::Value event, Diagnostics& found);
  bool take_time(document::Value time, Diagnostics& found);
  bool validates(Operation type, std::string_view kind) const {
    return type != Operation::kDeleted && validation_ != Validation::kNone &&
           (creation_ != nullptr || kind == "Node");
  }
  // False after reporting that no API server has the apiVersion of an object that is new.
  bool check_version(document::Value object, Diagnostics& found) const;
  void take_api_error(document::Value status);
  // True: nothing else is to be read of the object.
  bool take_workload_change(Operation type, document::Value object, Diagnostics& found);
  void take(Operation type, document::Value object, Diagnostics& found);
  // True if the object is a manifest that stands for pods, or a policy of admission.
  bool take_manifest(document::Value object, Diagnostics& found);
  bool change_policy(Operation type, document::Value object, Diagnostics& found);
  void take_pod(Operation type, document::Value object, Diagnostics& found);
  void hand_on(Operation type, model::Pod pod);
  // An object that is no pod.
  void take_other(Operation type, document::Value object, Diagnostics& found);
  // Precondition: there is a creation. Returns why it refuses the object.
  std::optional<std::string> tell_creation(Operation type, document::Value object,
                                           model::Object& made);
  template <typename Object>
  void inspect(document::Value value, const Object& object, Operation type);
  // A batch, after the pods that arrived before it.
  void make(BatchKind kind, Change change);
  // An added object is one of the cluster as long as nothing has happened, unless it is a claim of
  // a pod that waits, or an eviction.
  void put(Change change);
  void happen(Change change);
  void keep(WholeObject object);
  void report(const Error& error);
  Error placed(const Error& error) const;
  void reject(document::Value event, const Error& error);
  // The pods of a workload that were refused, of whose faults `found` has the first ones.
  void reject(std::vector<RejectedPod> pods, const Diagnostics& found);

  std::function<void(document::Value)> visit_;
  ByteSource& source_;
  Diagnostics& diagnostics_;
  bool strict_, keep_rejected_;
  Creation* creation_;
  Validation validation_;
  EventTexts texts_;
  std::deque<Batch> made_;  // that next() has not returned
  PodCollector pods_;       // of the current batch
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
