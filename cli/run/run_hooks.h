#pragma once

// The places at which a caller of a run looks at it, or takes part in it. Each is optional. What a
// hook refers to outlives the run. All are called on the thread of the run.

#include <functional>
#include <memory>
#include <string>

#include "engine/drive/pace.h"
#include "engine/drive/work_source.h"
#include "engine/framework/decision/decision_watch.h"
#include "engine/ingest/watch/input_format.h"
#include "engine/runtime/core.h"

namespace berth::cli {

struct RunHooks {
  using Source = std::unique_ptr<drive::WorkSource>;

  // Hears of decisions while they are made. Null: nobody does.
  framework::DecisionWatch* watch = nullptr;
  // Hears of what happened, after the run's own outputs did.
  runtime::OnReport hears = nullptr;
  // Asked before each decision, and while the run waits. True: the run ends, and it stays true.
  std::function<bool()> has_enough = nullptr;
  // Told after each decision.
  std::function<void()> decided = nullptr;
  // Told before the run waits for input or for a time.
  std::function<void()> rests = nullptr;
  // Opens files, streams, sockets and standard input by the names that the options have. Throws
  // Error.
  drive::OpenInput open = ingest::open_input;
  // Asked for the time by the wall clock. Null: it is measured.
  drive::Machine* machine = nullptr;
  // Opens the work, once the cluster is there, in the place of that which the options name. Null:
  // that one is opened.
  std::function<Source(ingest::Creation&)> work = nullptr;
  // Makes another source of the one that is opened, once the cluster is there. It may use what
  // creates pods when the former source has ended. Null: the one that is opened is taken.
  std::function<Source(Source, ingest::Creation&)> wrap = nullptr;
};

}  // namespace berth::cli
