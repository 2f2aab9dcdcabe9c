#include "engine/isolation/parent/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text/number_text.h"
#include "engine/host/instance/text.h"
#include "engine/isolation/channel/control.h"
#include "engine/isolation/parent/failure.h"

namespace berth::isolation {
namespace {

// Numbers above those that the process has at its start, so that a duplicate replaces none of them.
constexpr int kAboveFixed = 16;

int above_fixed(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, kAboveFixed); }

std::string system_error() { return std::strerror(errno); }

// The process starts with descriptors that it inherits, by the numbers that it has them under,
// and in a process group of its own, so that an interrupt from a terminal is for the engine alone,
// which then finishes what it does.
class Start {
 public:
  Start() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~Start() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  void pass(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void close_from(int first) { posix_spawn_file_actions_addclosefrom_np(&actions_, first); }
  void open_null(int number) {
    posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", O_RDONLY, 0);
  }
  // Returns 0, or an errno.
  int run(const std::string& program, char** words, pid_t& pid) const {
    return posix_spawn(&pid, program.c_str(), &actions_, &attributes_, words, environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

constexpr char kNotNeeded[] = "was not needed any more";

struct FirstFailure {
  Mutex mutex;
  std::string text BERTH_GUARDED_BY(mutex);
};
FirstFailure& failure_of_process() {
  static auto& one = *new FirstFailure;
  return one;
}
void note_failure(std::string text) {
  FirstFailure& first = failure_of_process();
  const MutexLock lock(first.mutex);
  if (first.text.empty()) first.text = std::move(text);
}

}  // namespace

std::string first_failure() {
  FirstFailure& first = failure_of_process();
  const MutexLock lock(first.mutex);
  return first.text;
}

Process::Process(const host::SealedFile& file, const Options& options, uint64_t generation)
    : generation_(generation), start_limit_(options.start_deadline), memory_(options.memory) {
  try {
    start(file, options);
    await_ready(file);
  } catch (...) {
    release();
    throw;
  }
}

Process::~Process() { release(); }

void Process::fail(const host::SealedFile& file, const std::string& what) {
  throw Error(host::place_of(file.path()), "the plugin's process " + what);
}

void Process::start(const host::SealedFile& file, const Options& options) {
  // It never shrinks: the engine would get a signal where the plugin took memory away.
  lanes_file_ = Descriptor(memfd_create("berth-lanes", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (lanes_file_.number() < 0 || !share_lanes(1) ||
      fcntl(lanes_file_.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    fail(file, "cannot have shared memory: " + system_error());
  void* memory = mmap(nullptr, kLanesBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      lanes_file_.number(), 0);
  if (memory == MAP_FAILED) fail(file, "cannot have shared memory: " + system_error());
  lanes_ = static_cast<std::byte*>(memory);

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    fail(file, "cannot have a socket: " + system_error());
  socket_ = Descriptor(ends[0]);
  const Descriptor theirs(ends[1]);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(start_limit_);
  const timeval limit = {
      seconds.count(),
      std::chrono::duration_cast<std::chrono::microseconds>(start_limit_ - seconds).count()};
  setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);

  const Descriptor plugin_copy(above_fixed(file.descriptor())),
      lanes_copy(above_fixed(lanes_file_.number())), socket_copy(above_fixed(theirs.number()));
  Start start;
  start.open_null(0);
  start.pass(2, 1);  // standard output belongs to the engine's data
  start.pass(plugin_copy.number(), kPluginDescriptor);
  start.pass(lanes_copy.number(), kLanesDescriptor);
  start.pass(socket_copy.number(), kSocketDescriptor);
  start.close_from(kSocketDescriptor + 1);

  std::string program = options.program.string(), path = file.path().string();
  std::string files = "files", network = "network";
  std::string most_memory = "memory=" + std::to_string(options.memory);
  std::vector<char*> words = {program.data(), path.data()};
  if (options.files) words.push_back(files.data());
  if (options.network) words.push_back(network.data());
  if (options.memory != 0) words.push_back(most_memory.data());
  words.push_back(nullptr);
  if (const int error = start.run(program, words.data(), pid_); error != 0) {
    pid_ = -1;
    fail(file, "cannot be started: " + program + ": " + std::strerror(error));
  }
}

void Process::await_ready(const host::SealedFile& file) {
  Control message{};
  std::string text;
  if (!receive_control(socket_.number(), message, &text, nullptr)) {
    const bool in_time = errno != EAGAIN;
    // A process closes its socket a moment before it can be waited for.
    for (int i = 0; in_time && i < 1000 && !check_dead(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (dead()) fail(file, obituary() + " while it loaded the plugin");
    if (in_time) fail(file, "does not keep to the protocol");
    fail(file, "has not loaded the plugin in time, which is " +
                   std::to_string(start_limit_.count()) + " ms");
  }
  // The text names the plugin already.
  if (message.kind == Control::Kind::kFailed) throw Error(host::place_of(file.path()), text);
  if (message.kind != Control::Kind::kReady || message.number == 0)
    fail(file, "does not keep to the protocol");
  lanes_there_ = message.number;
  takes_arguments_ = message.flags != 0;
  version_ = std::move(text);
}

void Process::release() noexcept {
  if (pid_ >= 0) end(kNotNeeded);
  if (lanes_ != nullptr) munmap(lanes_, kLanesBytes);
}

bool Process::share_lanes(size_t lanes) {
  const MutexLock lock(control_);
  if (lanes <= shared_lanes_) return true;
  if (ftruncate(lanes_file_.number(), static_cast<off_t>(lanes * kLaneBytes)) != 0) return false;
  shared_lanes_ = lanes;
  return true;
}

// The lane's thread finds its memory when it starts.
void Process::serve_lane(size_t lane) {
  if (!share_lanes(lane + 1))
    fail_call("was ended, because it could not have shared memory: " + system_error());
  send_control(socket_.number(), {Control::Kind::kLane, 0, lane, 0});
  served_.fetch_or(uint64_t{1} << lane, std::memory_order_relaxed);
}

size_t Process::take_lane() {
  for (;;) {
    uint64_t busy = busy_.load(std::memory_order_relaxed);
    const auto lane = static_cast<size_t>(std::countr_one(busy));
    if (lane == kLaneCount) {
      std::this_thread::yield();
      continue;
    }
    const uint64_t bit = uint64_t{1} << lane;
    // Acquire: what the lane's former user wrote to its receiver is visible.
    if (!busy_.compare_exchange_weak(busy, busy | bit, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      continue;
    if ((served_.load(std::memory_order_relaxed) & bit) == 0) serve_lane(lane);
    return lane;
  }
}

void Process::give_lane_back(size_t lane) {
  busy_.fetch_and(~(uint64_t{1} << lane), std::memory_order_release);
}

uint64_t Process::map_columns(int descriptor, size_t size) {
  const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  const Descriptor read_only(open(name.c_str(), O_RDONLY | O_CLOEXEC));
  const MutexLock lock(control_);
  Control message = {Control::Kind::kMapColumns, 0, 0, size};
  if (read_only.number() < 0 || !send_control(socket_.number(), message, {}, read_only.number()))
    return 0;
  if (!receive_control(socket_.number(), message, nullptr, nullptr)) return 0;
  return message.kind == Control::Kind::kMapColumns ? message.number : 0;
}

void Process::unmap_columns(uint64_t address, size_t size) {
  const MutexLock lock(control_);
  send_control(socket_.number(), {Control::Kind::kUnmapColumns, 0, address, size});
}

bool Process::check_dead() {
  const MutexLock lock(end_);
  if (reaped_) return true;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  bury(end_text(status));
  return true;
}

void Process::end(const std::string& reason) {
  const MutexLock lock(end_);
  if (reaped_) return;
  kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  bury(reason);
}

void Process::fail_call(const std::string& reason) {
  end(reason);
  throw ProcessFailure(obituary());
}

std::string Process::end_text(int status) const {
  if (WIFSIGNALED(status))
    return "was ended by the signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  if (WEXITSTATUS(status) == kWroteToColumnStatus)
    return "was ended, because it wrote to a column, which it may only read";
  if (WEXITSTATUS(status) != kOutOfMemoryStatus)
    return "ended by itself with the status " + std::to_string(WEXITSTATUS(status));
  if (memory_ == 0) return "was ended, because it wanted more memory than there is";
  return "was ended, because it wanted more memory than the " +
         measured_text(static_cast<double>(memory_), NAN, Unit::kBytes) + " that it may have";
}

void Process::bury(const std::string& reason) {
  reaped_ = true;
  obituary_ = reason;
  place_ = place_of_call();
  if (reason != kNotNeeded) note_failure("the plugin's process " + obituary_ + place_);
  dead_.store(true, std::memory_order_release);
}

std::string Process::obituary() const {
  const MutexLock lock(end_);
  return obituary_;
}

std::string Process::place() const {
  const MutexLock lock(end_);
  return place_;
}

void Process::note_end(int64_t now) {
  const MutexLock lock(end_);
  if (!ended_at_) ended_at_ = now;
}

std::optional<int64_t> Process::ended_at() const {
  const MutexLock lock(end_);
  return ended_at_;
}

}  // namespace berth::isolation
