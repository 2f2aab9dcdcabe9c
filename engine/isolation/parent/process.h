#pragma once

// One process of a plugin, from its start until it is found dead. A new process is a new object.

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/io/io.h"
#include "engine/base/mutex.h"
#include "engine/host/loading/sealed_file.h"
#include "engine/isolation/channel/lane.h"
#include "engine/isolation/parent/isolation.h"

namespace berth::isolation {

// Thread-safe.
class Process {
 public:
  // Starts the process and waits until it has loaded the plugin. Throws Error with the plugin's
  // path if that fails. `generation`: not that of another process of the plugin.
  Process(const host::SealedFile& file, const Options& options, uint64_t generation);
  ~Process();  // ends the process; no lane is in use
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  uint64_t generation() const { return generation_; }
  bool takes_arguments() const { return takes_arguments_; }
  const std::string& version() const { return version_; }

  // Takes a lane for the calling thread, and waits while all are in use. Throws ProcessFailure if
  // the system has no memory for it.
  size_t take_lane();
  void give_lane_back(size_t lane);
  std::byte* lane(size_t number) const { return lanes_ + number * kLaneBytes; }
  uint64_t lane_there(size_t number) const { return lanes_there_ + number * kLaneBytes; }
  MarksWord& marks(uint32_t instance) const {
    return *reinterpret_cast<MarksWord*>(lanes_ + marks_place(instance));
  }
  uint64_t marks_there(uint32_t instance) const { return lanes_there_ + marks_place(instance); }
  // The engine's side of a lane: the value of Turn::posted up to which messages were
  // taken, and how to wait for more.
  struct Receiver {
    uint32_t seen = 0;
    Spin spin{kEngineSpin};
  };
  Receiver& receiver(size_t lane) { return receivers_[lane]; }

  // Maps memory into the process, read-only. Returns its address there; 0: the process failed.
  uint64_t map_columns(int descriptor, size_t size);
  void unmap_columns(uint64_t address, size_t size);

  // True if the process has ended or was ended.
  bool dead() const { return dead_.load(std::memory_order_acquire); }
  // Looks whether it has ended.
  bool check_dead();
  // Ends it because of `reason`, unless it is dead.
  void end(const std::string& reason);
  // The same, and throws how it ended.
  [[noreturn]] void fail_call(const std::string& reason);
  // The way in which it ended, as the rest of a sentence; requires: dead().
  std::string obituary() const;
  // The call during which that was found, as place_of_call() says.
  std::string place() const;
  // A call at this moment of the run's clock found it dead; the first one counts.
  void note_end(int64_t now);
  // That moment; nothing: it is not known.
  std::optional<int64_t> ended_at() const;

 private:
  void start(const host::SealedFile& file, const Options& options);
  void await_ready(const host::SealedFile& file);
  [[noreturn]] void fail(const host::SealedFile& file, const std::string& what);
  void release() noexcept;
  // Gives the process the memory of so many lanes. False: errno says why not.
  bool share_lanes(size_t lanes);
  void serve_lane(size_t lane);
  std::string end_text(int status) const;
  void bury(const std::string& reason) BERTH_REQUIRES(end_);

  const uint64_t generation_;
  const std::chrono::milliseconds start_limit_;
  const uint64_t memory_;  // that it may have; 0: no limit
  pid_t pid_ = -1;
  Descriptor socket_;
  // Address space for all lanes. The memory behind it ends with the last lane that was in use, so
  // that the plugin, whose limit of memory does not count it, cannot take all of it.
  std::byte* lanes_ = nullptr;
  Descriptor lanes_file_;
  size_t shared_lanes_ BERTH_GUARDED_BY(control_) = 0;
  uint64_t lanes_there_ = 0;
  bool takes_arguments_ = false;
  std::string version_;
  std::atomic<uint64_t> busy_{0};               // a bit for each lane
  std::array<Receiver, kLaneCount> receivers_;  // each belongs to the thread that has the lane
  std::atomic<bool> dead_{false};

  // Lanes that have a thread. A bit belongs to the thread that has the lane.
  std::atomic<uint64_t> served_{0};

  Mutex control_;  // one exchange of control messages at a time

  mutable Mutex end_;
  bool reaped_ BERTH_GUARDED_BY(end_) = false;
  std::string obituary_ BERTH_GUARDED_BY(end_);
  std::string place_ BERTH_GUARDED_BY(end_);
  std::optional<int64_t> ended_at_ BERTH_GUARDED_BY(end_);
};

}  // namespace berth::isolation
