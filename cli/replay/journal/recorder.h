#pragma once

// Records a run in a journal (`berth run --record FILE`): its options, the bytes of its inputs,
// what the machine's clock said, and its decisions. The run is a function of the first three, so it
// can be played again; the decisions tell whether it went the same way.

#include <chrono>
#include <string>
#include <vector>

#include "cli/replay/journal/decisions.h"
#include "cli/replay/journal/journal_writer.h"
#include "cli/replay/journal/machine_answers.h"
#include "cli/run/run_options.h"
#include "engine/drive/machine.h"
#include "engine/runtime/core.h"

namespace berth::cli {

// The thread of the core, but for the inputs, which are recorded by whoever reads them.
class Recorder final : public drive::Machine {
 public:
  // Creates the file, and writes the options and the files that they name. `options`: those of the
  // command line that change what the run does. Throws Error.
  Recorder(const std::string& path, std::vector<JournalOption> options, const RunOptions& run);

  // Makes the run record itself. The recorder outlives it.
  void attach(RunOptions& run);
  // To be called once the run exists, and before it loads.
  void watch(const runtime::Core& core) { core_ = &core; }
  // The run is over. Throws Error.
  void finish(bool interrupted);

  Time time(Time measured) override;
  bool ready(bool measured) override;
  int64_t date(int64_t measured) override;
  bool past() const override { return false; }

 private:
  void take(const runtime::Report& report);
  void decided();
  void write();
  void write_if_old();
  ingest::Input open(const std::string& path);

  JournalWriter writer_;
  std::vector<JournalInput> inputs_;
  DecisionTaker taker_;
  DecisionPacker packer_;
  AnswerPacker answers_;
  const runtime::Core* core_ = nullptr;
  uint64_t written_ = 0;  // decisions
  std::chrono::steady_clock::time_point written_at_{};
};

}  // namespace berth::cli
