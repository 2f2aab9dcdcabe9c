#include "engine/isolation/parent/plugin.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/io/new_file.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/time_text.h"
#include "engine/host/calls/revisions.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/isolation/parent/failure.h"
#include "engine/isolation/parent/instance.h"
#include "engine/isolation/parent/lane_call.h"

namespace berth::isolation {

IsolatedPlugin::IsolatedPlugin(host::SealedFile file, Options options)
    : file_(std::move(file)),
      options_(std::move(options)),
      process_(std::make_shared<Process>(file_, options_, generation_)) {
  version_ = process_->version();
  takes_arguments_ = process_->takes_arguments();
}

void IsolatedPlugin::keep_pace(int64_t now, std::string_view name) const {
  if (options_.starts_at_once) return;
  if (std::exchange(paced_, process_->generation()) != process_->generation())
    pace_.ended(process_->ended_at().value_or(now));
  if (!pace_.pauses_at(now)) return;
  throw ProcessPauses(process_->obituary() + "; that of the plugin \"" + std::string(name) +
                      "\" has ended " + std::to_string(pace_.in_a_row()) +
                      " times in a row, and is started again at " + micro_time_text(pace_.until()));
}

std::shared_ptr<Process> IsolatedPlugin::process(std::optional<int64_t> now,
                                                 std::string_view name) const {
  std::string why;
  {
    const MutexLock lock(mutex_);
    if (!process_->dead()) return process_;
    if (now) keep_pace(*now, name);
    if (told_ended_ != process_->generation())
      ending_ = {process_->obituary(), process_->place(),
                 told_pause_ == process_->generation() ? pace_.in_a_row() : 0};
    try {
      process_ = std::make_shared<Process>(file_, options_, ++generation_);
      return process_;
    } catch (const Error& error) {
      why = error.message();
    }
  }
  start_failed(why);
  throw ProcessFailure("could not be started again: " + why);
}

std::shared_ptr<Process> IsolatedPlugin::living() const {
  const MutexLock lock(mutex_);
  return process_->dead() ? nullptr : process_;
}

uint64_t IsolatedPlugin::living_process() const {
  const std::shared_ptr<Process> process = living();
  return process == nullptr ? 0 : process->generation();
}

IsolatedPlugin::Ending IsolatedPlugin::take_ending() const {
  const MutexLock lock(mutex_);
  return std::exchange(ending_, {});
}

IsolatedPlugin::Ending IsolatedPlugin::take_last_ending() const {
  const MutexLock lock(mutex_);
  const uint64_t generation = process_->generation();
  if (!process_->dead() || told_skipped_ == generation || told_pause_ == generation) return {};
  if (std::exchange(told_ended_, generation) == generation) return {};
  return {process_->obituary(), process_->place()};
}

bool IsolatedPlugin::pause_is_news() const {
  const MutexLock lock(mutex_);
  return std::exchange(told_pause_, process_->generation()) != process_->generation();
}

void IsolatedPlugin::note_skipped() const {
  const MutexLock lock(mutex_);
  if (process_->dead()) told_skipped_ = process_->generation();
}

bool IsolatedPlugin::is_first(const std::string& kind) const {
  constexpr size_t kMostKinds = 64;
  const MutexLock lock(mutex_);
  const auto known = repeated_.find(kind);
  if (known != repeated_.end()) {
    ++known->second;
    return false;
  }
  if (repeated_.size() < kMostKinds) repeated_.emplace(kind, 0);
  return true;
}

std::vector<std::pair<std::string, uint64_t>> IsolatedPlugin::take_repeated() const {
  const MutexLock lock(mutex_);
  std::vector<std::pair<std::string, uint64_t>> taken;
  for (auto& [kind, times] : repeated_)
    if (times != 0) taken.emplace_back(kind, std::exchange(times, 0));
  return taken;
}

void IsolatedPlugin::start_succeeded() const {
  const MutexLock lock(mutex_);
  failures_ = 0;
}

void IsolatedPlugin::start_failed(const std::string& why) const {
  const MutexLock lock(mutex_);
  if (++failures_ < kMostStarts) return;
  const std::string message = file_.path().string() +
                              ": the plugin's process could not be started " +
                              std::to_string(kMostStarts) + " times in a row: " + why;
  say("error: " + printable(message));
  remove_temporary_files();
  // As the watchdog does: other threads may hold any lock. Not _exit, which takes a call from here
  // for the plugin's own.
  for (;;) ::syscall(SYS_exit_group, host::kEndedByPlugin);
}

uint32_t IsolatedPlugin::take_number() const {
  const MutexLock lock(mutex_);
  const auto free = std::ranges::find(numbers_, false);
  const auto number = static_cast<uint32_t>(free - numbers_.begin());
  BERTH_ASSERT(number < kMostInstances);
  if (free == numbers_.end()) numbers_.push_back(false);
  numbers_[number] = true;
  return number;
}

void IsolatedPlugin::give_number_back(uint32_t number) const {
  const MutexLock lock(mutex_);
  numbers_[number] = false;
}

berth_code IsolatedPlugin::validate(const berth_config* config) const {
  LaneCall lane(process(), options_.deadline);
  Services none;
  HostAnswers answers(none, lane, {});
  answers.set_config(config);
  lane.begin(0, 0);
  try {
    return end_of(lane, lane.run(Call::kValidate, answers), nullptr, nullptr).code;
  } catch (const ProcessFailure& failure) {
    const std::string text = process_text(failure);
    config->error(config, 0, {}, {text.data(), text.size()});
    return BERTH_ERROR;
  }
}

berth_plugin* IsolatedPlugin::create() const {
  auto instance = std::make_unique<IsolatedInstance>(*this);
  return unguarded([&]() -> berth_plugin* {
    if (!instance->create()) return nullptr;
    count_instance();
    return instance.release()->handle();
  });
}

berth_code IsolatedPlugin::init(berth_plugin* plugin, const berth_host* host,
                                const berth_config* config, const berth_text_sink* error) const {
  return guarded(error, [&] { return of(plugin).init(host, config, error); });
}

const void* IsolatedPlugin::extension(berth_plugin* plugin, berth_string id) const {
  const std::string_view name(id.data, id.size);
  const host::Revision* revision = host::find_revision(host::host_revisions(), name);
  return of(plugin).extension(name, revision->point);
}

void IsolatedPlugin::destroy(berth_plugin* plugin) const {
  const std::unique_ptr<IsolatedInstance> instance(&of(plugin));
  drop_instance();
  instance->destroy();
}

void IsolatedPlugin::count_instance() const {
  const MutexLock lock(mutex_);
  ++instances_;
}

void IsolatedPlugin::drop_instance() const {
  const MutexLock lock(mutex_);
  if (--instances_ != 0) return;
  pace_.forget();
  paced_ = process_->generation();
}

std::shared_ptr<const host::Library> load_isolated(host::SealedFile file, const Options& options) {
  const auto plugin = std::make_shared<IsolatedPlugin>(std::move(file), options);
  return host::Library::of(plugin->file(), plugin->version(), plugin);
}

}  // namespace berth::isolation
