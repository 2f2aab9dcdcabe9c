#pragma once

// The source of pods while a run goes on: a file of Kubernetes objects, read as a whole, or a
// stream, of frames or of the lines of a watch, which another thread reads, verifies and decodes
// while this one schedules.

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/watch/input_format.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/ingest/written/whole_object.h"
#include "engine/runtime/intake/intake.h"

namespace berth::drive {

// Pods of one batch arrive together. `stream` is null for files of Kubernetes objects. `whole`:
// pods, nodes and pod templates of the batch as they came, if they are kept. `from`: the name of
// the stream for messages, empty: the one that was opened.
struct Work {
  std::span<const runtime::WorkFile> files;
  const ingest::Batch* stream = nullptr;
  std::span<const ingest::WholeObject> whole{};
  std::string_view from{};
};

class WorkSource {
 public:
  virtual ~WorkSource() = default;
  // The next batch, valid until the next call; false: there is no more. Waits for a stream that
  // grows, until the program is interrupted. Throws Error if reading fails, and with `strict` for
  // the first thing wrong in it.
  virtual bool next(Work& work) = 0;
  // True if `next` returns without waiting for input.
  virtual bool ready() = 0;
  // Waits until `next` would return without waiting; at most until that time, and until the program
  // is interrupted. Returns ready().
  virtual bool wait_until(std::chrono::steady_clock::time_point until) = 0;
  // True once nothing is read any more: what is below may be asked for. False after an interrupt
  // that left a reading thread waiting.
  virtual bool finished() = 0;
  // True if the input can hold whole objects. Frames hold what scheduling reads.
  virtual bool holds_whole() const = 0;
  // Errors of the input; to be read when `next` returned false or threw.
  virtual const Diagnostics& diagnostics() const = 0;
  // Remarks on objects that were taken; to be read at the same time.
  virtual const ingest::Remarks& remarks() const = 0;
  // Pods that were left out because they, or the frames that they were in, are malformed.
  virtual uint64_t rejected_pods() const = 0;
  // The same one by one, if they are kept. Pods of a damaged frame are unknown and not among them.
  virtual const std::vector<ingest::RejectedPod>& rejected() const = 0;
};

// The function that opens an input: ingest::open_input(), or in its place a function that keeps
// what is read, or that gives what was read before. Files of objects that are regular are read by
// their names.
using OpenInput = std::function<ingest::Input(const std::string& path)>;

// Opens a file, a folder of files of objects, a socket that somebody listens at ("unix:PATH"), or
// standard input for "-". The first bytes of others than folders tell what they hold.
// `keep_rejected`: see WatchStream; files always keep them. `creation`: what controllers and an API
// server make of manifests; outlives the source, which alone uses it then. Null: the input is a
// cluster, whose objects are there already. `validation`: of objects that are new; of a cluster, of
// its nodes alone. `keep_whole`: see Work. `keep_workloads`: of a file of objects that is a
// cluster, see ObjectReader.
std::unique_ptr<WorkSource> open_work(const std::string& path, bool strict,
                                      bool keep_rejected = false,
                                      ingest::Creation* creation = nullptr,
                                      ingest::Validation validation = ingest::Validation::kNone,
                                      bool keep_whole = false, bool keep_workloads = false,
                                      const OpenInput& open = ingest::open_input);

// Opens files that hold a cluster and its pods, as open_work() does: the pods without a node are
// the work. Of a folder these are its files *.json, *.yaml and *.yml, by name, not those of folders
// in it; those without an object are counted in one error. A stream is the only input. All objects
// count for all pods, whatever the order of the files.
std::unique_ptr<WorkSource> open_dumps(const std::vector<std::string>& paths, bool strict,
                                       bool keep_rejected, ingest::Creation* creation,
                                       ingest::Validation validation, bool keep_whole = false,
                                       const OpenInput& open = ingest::open_input);

}  // namespace berth::drive
