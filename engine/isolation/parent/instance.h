#pragma once

// An instance of an isolated plugin: what its tables have as their berth_plugin.
//
// The engine's side outlives the processes. It remembers what the instance, its tables and its
// template states were made of, and makes them again in a new process when a call needs them.

#include <array>
#include <atomic>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/abi/filter.h"
#include "berth/abi/plugin.h"
#include "engine/base/memory/arena.h"
#include "engine/base/mutex.h"
#include "engine/base/points.h"
#include "engine/host/run/external.h"
#include "engine/isolation/answers/host_answers.h"
#include "engine/isolation/parent/columns.h"
#include "engine/isolation/parent/failure.h"
#include "engine/isolation/parent/lane_call.h"
#include "engine/isolation/parent/plugin.h"

namespace berth::isolation {

class IsolatedInstance;

// The `state` of a call points to it: a template state, or a scratch of one.
struct State {
  Point point;  // of the hook that prepared it, or kOverlayState
  // The process in which `there` is the state. Written under the instance's mutex.
  std::atomic<uint64_t> generation{0};
  std::atomic<uint64_t> there{0};

  // The template that a state was prepared of, and the outcome.
  std::unique_ptr<SavedColumns> pod;  // null: a scratch
  Record record;
  uint32_t flags = 0;
  bool narrowed = false;
  std::vector<uint32_t> inputs;
  std::list<std::vector<uint32_t>> node_names;  // that PreFilter returned, each once
};

// The end of a call: what its function returned, and a reader of what comes behind that.
struct Ended {
  berth_code code;
  Reader result;
};

// Takes the end of a call from the message that came with it: writes the plugin's texts to `sink`,
// which may be null. Throws what the plugin threw, and ProcessFailure for garbage. `host`: of the
// instance; null: there is none.
Ended end_of(LaneCall& lane, Reader message, const berth_host* host, const berth_text_sink* sink);

// One call of the plugin. Has a lane.
class InstanceCall {
 public:
  // Makes what the call needs in the process, if it is not there: the instance, and the state.
  // Throws ProcessFailure.
  InstanceCall(IsolatedInstance& instance, Point point, const State* state = nullptr);
  // A call without a moment, in a process that has the instance.
  InstanceCall(IsolatedInstance& instance, std::shared_ptr<Process> process, Point point);

  IsolatedInstance& instance() { return instance_; }
  LaneCall& lane() { return lane_; }
  HostAnswers& answers() { return answers_; }
  Request& request() { return *request_; }
  // Lays out the call's columns; `call.state` is the state that the constructor got.
  void put(const berth_call& call);
  // Lays out an array as the argument for a parameter. Returns it; the plugin may fill it.
  template <typename T>
  T* put_array(size_t parameter, const T* from, size_t count) {
    T* made = lane_.copy(from, count);
    request_->arguments[parameter] = lane_.address(made);
    return made;
  }
  uint64_t state_there() const { return state_there_; }

  // Makes the call, as end_of() says. The result is valid until the object ends.
  Ended run(Call kind, const berth_text_sink* sink = nullptr);

 private:
  IsolatedInstance& instance_;
  LaneCall lane_;
  HostAnswers answers_;
  uint64_t state_there_ = 0;
  Request* request_;
};

// Says when the call is made, for the services that the process offers itself.
void put_moment(Request& request, const berth_host* host);

class IsolatedInstance : private host::FarMarks {
 public:
  explicit IsolatedInstance(const IsolatedPlugin& plugin)
      : plugin_(plugin), number_(plugin.take_number()) {}
  ~IsolatedInstance() override;
  IsolatedInstance(const IsolatedInstance&) = delete;
  IsolatedInstance& operator=(const IsolatedInstance&) = delete;

  // The run's clock on this thread; nothing: it is not known.
  std::optional<int64_t> now() const;
  // A process for a call at that time. Throws as IsolatedPlugin does, and logs a pause that begins.
  std::shared_ptr<Process> process() const;

  berth_plugin* handle() { return reinterpret_cast<berth_plugin*>(this); }
  const IsolatedPlugin& plugin() const { return plugin_; }

  // The life cycle. create() returns false if the plugin made no instance.
  bool create();
  berth_code init(const berth_host* host, const berth_config* config, const berth_text_sink* error);
  const void* extension(std::string_view id, Point point);
  void destroy();
  // The table of a point that the plugin has, as extension() returned it.
  template <typename T>
  const T& table(Point point) const {
    return *reinterpret_cast<const T*>(tables_[static_cast<size_t>(point)]->table.data());
  }

  // The functions of hooks.
  berth_code prepare(Point point, const berth_template& pod, berth_prepared& prepared);
  void* begin_scratch(const State* base);
  // Ends a state or a scratch. `function`: the one that ends it in the process, if it is there.
  void end(Call function, State& state);

  // Says that the plugin was skipped because of a failure of the call that the thread makes.
  void log_skipped(const ProcessFailure& failure) const;

  // For InstanceCall. After make_here() the instance is there in the process of the lane. Returns
  // where the process has the columns.
  MappedArena make_here(LaneCall& lane);
  uint64_t make_state_here(LaneCall& lane, const State& state);
  uint64_t there() const { return there_.load(std::memory_order_acquire); }
  // The process in which the instance is.
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  Services& services() { return services_; }
  MappedArena arena() const;

  // Memory of answers that the engine reads until the next call of the hook.
  std::vector<uint64_t>& victims() { return victims_; }
  // Node names for PreFilters without a state.
  std::list<std::vector<uint32_t>>& node_names() { return node_names_; }

 private:
  // A table of the plugin with the functions of this module.
  struct Table {
    std::string id;
    std::vector<std::byte> table;
    bool has_hook = false;
    berth_hook hook = {};
    std::string space;
    std::deque<std::string> inputs;
    std::vector<berth_string> input_views;
    std::vector<uint32_t> input_types;
  };

  // The state that `prepare` of a plugin made.
  struct Prepared {
    berth_code code;
    berth_prepared made;
    std::vector<uint32_t> inputs;
  };

  // The marks of the instance's threads. Those of a dead process are lost with its data.
  bool any() override;
  host::EpochMarks take() override;
  // Null: the plugin did not ask for the service, or there is no host.
  host::InstanceEpochs* epochs() const;

  void log(const std::string& text, uint32_t level = BERTH_LOG_ERROR) const;
  // Says how a process ended, or counts it if another one ended in the same way before. `then`:
  // what came of it.
  void log_ending(const IsolatedPlugin::Ending& ending, const char* then) const;
  void log_started(const IsolatedPlugin::Ending& before) const;
  void log_repeated() const;  // what was counted
  // The process that had this generation; null: it is dead.
  std::shared_ptr<Process> living(uint64_t generation) const;
  Ended run(LaneCall& lane, Call kind, Answers& answers,
            const berth_text_sink* sink = nullptr) const;
  void map_columns(Process& process);
  bool create_in(LaneCall& lane, Answers& answers);
  void make_again(LaneCall& lane);
  void begin_init(LaneCall& lane) const;
  // Null: the plugin has no table.
  std::unique_ptr<Table> table_in(LaneCall& lane, Answers& answers, std::string_view id,
                                  Point point) const;
  // `pod`: its columns are in the lane.
  Prepared prepare_in(LaneCall& lane, Answers& answers, Request& request, const berth_template& pod,
                      const berth_text_sink* sink) const;
  uint64_t prepare_again(LaneCall& lane, const State& state) const;
  static void read_hook(Table& table, Reader& result);
  static bool same(const Table& a, const Table& b, Point point);

  const IsolatedPlugin& plugin_;
  const uint32_t number_;  // among the plugin's instances
  Services services_;
  const Arena* columns_ = nullptr;  // of the cluster; null: not shared
  std::array<std::unique_ptr<Table>, kPointCount> tables_;
  std::vector<uint64_t> victims_;
  std::list<std::vector<uint32_t>> node_names_;

  // The process in which `there_` is the instance, and where it has the columns.
  std::atomic<uint64_t> generation_{0};
  std::atomic<uint64_t> there_{0};
  std::atomic<uint64_t> columns_there_{0};

  Mutex mutex_;   // while something is made again
  Record asked_;  // by `init`, `extension` and every `prepare`
  bool initialised_ = false;
};

// Precondition: `plugin` is a handle of an instance.
inline IsolatedInstance& of(berth_plugin* plugin) {
  return *reinterpret_cast<IsolatedInstance*>(plugin);
}

}  // namespace berth::isolation
