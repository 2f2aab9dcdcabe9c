#pragma once

// An isolated plugin: the functions of its descriptor, and its process at the time.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/host/loading/plugin_code.h"
#include "engine/host/loading/sealed_file.h"
#include "engine/isolation/parent/isolation.h"
#include "engine/isolation/parent/process.h"
#include "engine/isolation/parent/restart_pace.h"

namespace berth::isolation {

// Thread-safe; the functions of PluginCode have the threads of the descriptor.
class IsolatedPlugin final : public host::PluginCode {
 public:
  // Starts the first process. Throws Error if that fails.
  IsolatedPlugin(host::SealedFile file, Options options);

  const Options& options() const { return options_; }
  const std::string& version() const { return version_; }
  const host::SealedFile& file() const { return file_; }

  // A process that is alive, as far as is known; starts one if there is none. Throws ProcessFailure
  // if that fails, and ProcessPauses if it is not time for that. `now`: the run's clock; nothing:
  // it is not known, and it is always time. `name`: the plugin's, for the text.
  std::shared_ptr<Process> process(std::optional<int64_t> now = {},
                                   std::string_view name = {}) const;
  // The process without a start; null if it is dead.
  std::shared_ptr<Process> living() const;
  // The end of a process, and the call in which it ended; `what` is the rest of a sentence.
  // `in_a_row`: how many have ended, if a pause followed; else 0.
  struct Ending {
    std::string what, place;
    uint32_t in_a_row = 0;
  };
  // The end of the process before this one, once for each process; empty: nobody needs to be told.
  Ending take_ending() const;
  // The same for the process that there is now, if it is dead and no other one was started.
  Ending take_last_ending() const;
  // True once for each process after which there is a pause.
  bool pause_is_news() const;
  // The ending of the present process was told as that of a skipped call.
  void note_skipped() const;
  // Counts a message about the plugin's process. True for the first of its kind, which is to be
  // printed. Beyond 64 kinds, new kinds are not remembered, and each call returns true.
  bool is_first(const std::string& kind) const;
  // The kinds that came again since the last call, and how often.
  std::vector<std::pair<std::string, uint64_t>> take_repeated() const;
  // A start of a process succeeded or failed, up to the instances in it. The last of kMostStarts
  // failures in a row ends the engine with an error.
  void start_succeeded() const;
  void start_failed(const std::string& why) const;

  // A number for an instance, below kMostInstances, until it is given back.
  uint32_t take_number() const;
  void give_number_back(uint32_t number) const;

  bool takes_arguments() const override { return takes_arguments_; }
  berth_code validate(const berth_config* config) const override;
  berth_plugin* create() const override;
  berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                  const berth_text_sink* error) const override;
  const void* extension(berth_plugin* plugin, berth_string id) const override;
  void destroy(berth_plugin* plugin) const override;
  bool is_apart() const override { return true; }
  uint64_t living_process() const override;
  std::unique_ptr<host::ProcessCalls> calls_together() const override;  // tables/together.cc

 private:
  // Throws ProcessPauses if the dead process is not to be started again at that moment.
  void keep_pace(int64_t now, std::string_view name) const BERTH_REQUIRES(mutex_);
  // Without instances there is no run, and the next one has a clock of its own.
  void count_instance() const;
  void drop_instance() const;

  const host::SealedFile file_;
  const Options options_;
  std::string version_;
  bool takes_arguments_ = false;

  mutable Mutex mutex_;
  mutable uint64_t generation_ BERTH_GUARDED_BY(mutex_) = 1;  // of process_, which is made with it
  mutable std::shared_ptr<Process> process_ BERTH_GUARDED_BY(mutex_);
  // Generations of processes whose ending was told, by take_last_ending() and note_skipped().
  mutable uint64_t told_ended_ BERTH_GUARDED_BY(mutex_) = 0;
  mutable uint64_t told_skipped_ BERTH_GUARDED_BY(mutex_) = 0;
  mutable Ending ending_ BERTH_GUARDED_BY(mutex_);
  mutable std::map<std::string, uint64_t> repeated_ BERTH_GUARDED_BY(mutex_);  // after the first
  mutable int failures_ BERTH_GUARDED_BY(mutex_) = 0;
  mutable std::vector<bool> numbers_ BERTH_GUARDED_BY(mutex_);  // of instances: taken

  mutable RestartPace pace_ BERTH_GUARDED_BY(mutex_);
  // Generations of processes whose ending the pace knows, and whose pause was told.
  mutable uint64_t paced_ BERTH_GUARDED_BY(mutex_) = 0;
  mutable uint64_t told_pause_ BERTH_GUARDED_BY(mutex_) = 0;
  mutable uint32_t instances_ BERTH_GUARDED_BY(mutex_) = 0;
};

}  // namespace berth::isolation
