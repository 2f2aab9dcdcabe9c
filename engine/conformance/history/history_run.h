#pragma once

// Plays histories against the core: steps in, records out. Two forms of history:
//
//   of the scheduler  `lifecycle` and its like: every step but `advance` first moves the clock by a
//                     millisecond, and within `schedule` every attempt but the first does
//   of the queue      `queue`: pods are popped and tried in steps of their own; only `addPod` and
//                     `advance` move the clock
//
// played::ApiServer is the API server; HistoryServer does what a client asks of it.

#include <optional>
#include <string>

#include "engine/conformance/history/history_recorder.h"
#include "engine/conformance/history/history_server.h"
#include "engine/document/document.h"
#include "engine/document/json/json_writer.h"
#include "engine/runtime/core.h"

namespace berth::conformance {

enum class HistoryForm : uint8_t { kScheduler, kQueue };

// Nothing if the case is no history of the scheduler or the queue.
std::optional<HistoryForm> history_form(document::Value root);

class HistoryRun {
 public:
  // All of it outlives the run. The core has the objects of no case yet, and tells its bindings and
  // its calls of plugins to `bindings` and `recorder`.
  HistoryRun(HistoryForm form, runtime::Core& core, HistoryServer server, OrderedBindings& bindings,
             HistoryRecorder& recorder, document::JsonWriter& writer)
      : form_(form),
        core_(core),
        bindings_(bindings),
        recorder_(recorder),
        server_(std::move(server)),
        writer_(writer) {
    recorder_.attach(core);
  }

  // Writes the member "history". Throws Error for a step that is not known or does not fit.
  void run(document::Value root);

 private:
  void add_object(document::Value object);
  void step(document::Value step);
  void move_clock(const std::string& op);
  bool change_cluster(const std::string& op, document::Value step);
  bool change_pod(const std::string& op, document::Value step);
  bool answer_permit(const std::string& op, document::Value step);
  void order_binding(document::Value step, binding::BindAnswer::Kind kind);
  void schedule(document::Value step);
  void advance(document::Value step);
  void flush_each_second();
  void pop();
  void attempt(document::Value step);

  HistoryForm form_;
  runtime::Core& core_;
  OrderedBindings& bindings_;
  HistoryRecorder& recorder_;
  HistoryServer server_;
  document::JsonWriter& writer_;
  bool counts_ = false;  // answers tell how far searches went
  model::PodId popped_;  // of a history of the queue
  int64_t seconds_ = 0;  // that passed in such a history
};

}  // namespace berth::conformance
