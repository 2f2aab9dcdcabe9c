#include "engine/framework/decision/what_ifs.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/framework/kept/kept_rows.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/run/worker.h"

namespace berth::framework {
namespace {

// A dry run takes about a microsecond, and a task a tenth of that. To wake a thread for a single
// task takes longer than the task.
constexpr uint64_t kRowsPerTask = 8;

}  // namespace

// A thread's what-ifs are used in the order in which they are begun; those behind `open` are free.
struct WhatIfs::Thread {
  host::CallContext calls;
  std::vector<std::unique_ptr<RowWhatIf>> what_ifs;
  uint64_t begun = 0;
};

class WhatIfs::RowWhatIf final : public host::WhatIf {
 public:
  RowWhatIf(model::Cluster& cluster, host::CallContext& calls)
      : cluster_(cluster), trial_(cluster, calls) {}

  bool open() const { return open_; }

  void begin(const DecisionContext& context, const BoundHook& hook, model::Row row, bool tries) {
    BERTH_ASSERT(!open_);
    open_ = true;
    tries_ = tries;
    hook_ = &hook;
    gathered_ = false;
    broken_ = false;
    verdict_ = {};
    pods_.clear();
    const model::NodeTable& nodes = cluster_.nodes();
    on_row_ = &nodes.pods(nodes.slot_of(row));
    removed_.assign(on_row_->size(), false);
    if (!tries_) return;
    const Profile& profile = *context.profile;
    for (const model::PodOnNode& pod : *on_row_) {
      if (profile.overlay_state.empty()) {
        pods_.emplace_back(pod);
      } else {
        pods_.emplace_back(profile, cluster_, cluster_.pod(pod.pod));
      }
    }
    trial_.begin(context, row);
  }

  const berth_call* pods() override {
    if (gathered_) return &call_;
    gathered_ = true;
    records_.clear();
    for (const model::PodOnNode& pod : *on_row_) records_.push_back(&cluster_.pod(pod.pod));
    hook_->gather_placed(records_, columns_);
    call_ = BoundHook::call(columns_, records_.size(), nullptr, 0);
    return &call_;
  }

  void remove_pod(uint64_t position) override {
    if (!may_change(position, false)) return;
    removed_[position] = true;
    trial_.remove_pod(pods_[position]);
  }
  void add_pod(uint64_t position) override {
    if (!may_change(position, true)) return;
    removed_[position] = false;
    trial_.add_pod(pods_[position]);
  }
  void reset() override {
    std::fill(removed_.begin(), removed_.end(), false);
    if (tries_) trial_.reset();
  }

  berth_code filter() override {
    if (broken_) return BERTH_ERROR;
    if (!tries_) return BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    verdict_ = trial_.check();
    return verdict_.refuser == kFeasible ? BERTH_SUCCESS : verdict_.code;
  }

  void reasons(const berth_text_sink& sink) override {
    const auto write = [&](const std::string& text) {
      sink.write(sink.context, {text.data(), text.size()});
    };
    if (broken_) return write("the plugin removed or added a pod that it cannot");
    if (verdict_.refuser == kFeasible) return;
    if (verdict_.code == BERTH_ERROR) return write(verdict_.error);
    for (const std::string& text : trial_.reasons(verdict_)) write(text);
  }

  void end() override { open_ = false; }

 private:
  // Checks a change; one that the contract forbids makes the row fail.
  bool may_change(uint64_t position, bool removed) {
    if (broken_ || !tries_) return false;
    broken_ = position >= removed_.size() || removed_[position] != removed;
    return !broken_;
  }

  model::Cluster& cluster_;
  RowTrial trial_;
  const BoundHook* hook_ = nullptr;
  const std::vector<model::PodOnNode>* on_row_ = nullptr;
  std::vector<TrialPod> pods_;  // in step with on_row_
  std::vector<bool> removed_;   // the same
  RowVerdict verdict_;          // the last one
  bool open_ = false;
  bool tries_ = false;
  bool broken_ = false;
  // The columns of the pods, which `pods` gathers when it is first called.
  bool gathered_ = false;
  std::vector<const model::PodRecord*> records_;
  CallColumns columns_;
  berth_call call_{};
};

WhatIfs::WhatIfs(model::Cluster& cluster, Workers* workers, Extenders* extenders)
    : cluster_(cluster), workers_(workers), extenders_(extenders) {
  const int threads = workers_ != nullptr ? workers_->threads() : 1;
  for (int i = 0; i < threads; ++i) threads_.push_back(std::make_unique<Thread>());
}

WhatIfs::~WhatIfs() = default;

std::vector<host::CallContext*> WhatIfs::calls() const {
  std::vector<host::CallContext*> all;
  for (const auto& thread : threads_) all.push_back(&thread->calls);
  return all;
}

std::vector<uint64_t> WhatIfs::begun() const {
  std::vector<uint64_t> all;
  for (const auto& thread : threads_) all.push_back(thread->begun);
  return all;
}

void WhatIfs::serve(const DecisionContext& context, const BoundHook& hook, bool tries) {
  BERTH_ASSERT(context_ == nullptr && (!tries || context.filters_resolved()));
  context_ = &context;
  hook_ = &hook;
  tries_ = tries;
}

bool WhatIfs::finish() {
  bool all_ended = true;
  for (const auto& thread : threads_)
    for (const auto& what_if : thread->what_ifs) {
      all_ended &= !what_if->open();
      what_if->end();
    }
  context_ = nullptr;
  hook_ = nullptr;
  return all_ended;
}

// False if the plugin names a row or a pod that is not there.
bool WhatIfs::read(const Choice& choice, ExtenderVictims& out) const {
  if (choice.row >= cluster_.nodes().rows()) return false;
  out = {choice.row, {}, choice.violations};
  const model::Slot slot = cluster_.nodes().slot_of(choice.row);
  for (const uint64_t handle : std::span(choice.victims, choice.victim_count)) {
    const model::PodId pod = model::PodId::from_handle(handle);
    if (!cluster_.pods().contains(pod) || cluster_.pod(pod).slot != slot) return false;
    out.victims.push_back(pod);
  }
  return true;
}

berth_code WhatIfs::ask_extenders(std::span<const Choice> choices,
                                  const std::function<void(const Choice&)>& take,
                                  std::string& error) {
  if (!extenders_preempt()) return BERTH_SKIP;
  std::vector<ExtenderVictims> asked(choices.size());
  for (size_t i = 0; i < choices.size(); ++i)
    if (!read(choices[i], asked[i])) {
      error = "the plugin named a candidate that is no node, or a victim that is not on it";
      return BERTH_ERROR;
    }
  ExtenderPreemption answer = extenders_->preempt(*context_->pod, std::move(asked));
  error = std::move(answer.error);
  if (!error.empty()) return BERTH_ERROR;
  for (const ExtenderVictims& one : answer.candidates) {
    std::vector<uint64_t> handles;
    for (const model::PodId pod : one.victims) handles.push_back(pod.handle());
    take(Choice{sizeof(Choice), one.row, handles.data(), handles.size(), one.violations});
  }
  return BERTH_SUCCESS;
}

WhatIfs::Thread& WhatIfs::thread() {
  if (!parallel_) return *threads_[0];
  const auto slot = static_cast<size_t>(tbb::this_task_arena::current_thread_index());
  BERTH_ASSERT(slot < threads_.size());
  return *threads_[slot];
}

host::WhatIf* WhatIfs::begin(uint32_t row) {
  if (context_ == nullptr || row >= cluster_.nodes().rows()) return nullptr;
  Thread& mine = thread();
  ++mine.begun;
  auto free = std::find_if(mine.what_ifs.begin(), mine.what_ifs.end(),
                           [](const auto& what_if) { return !what_if->open(); });
  if (free == mine.what_ifs.end())
    free = mine.what_ifs.insert(free, std::make_unique<RowWhatIf>(cluster_, mine.calls));
  (*free)->begin(*context_, *hook_, row, tries_);
  return free->get();
}

bool WhatIfs::kept(berth_what_if_kept& out) {
  if (context_ == nullptr || !tries_) return false;
  const KeptRows* rows = kept_rows(*context_);
  if (rows == nullptr) return false;
  out.kind = rows->number;
  out.by_row = rows->versions.rows().data();
  out.rows = rows->versions.rows().size();
  return true;
}

bool WhatIfs::extenders_preempt() {
  return extenders_ != nullptr && context_ != nullptr && extenders_->preempts();
}

void WhatIfs::for_each(uint64_t count, void* context, void (*body)(void* context, uint64_t i)) {
  const bool alone = parallel_ || threads_.size() == 1 || count <= kRowsPerTask ||
                     context_ == nullptr || !context_->profile->overlay_state.empty();
  if (alone) {
    for (uint64_t i = 0; i < count; ++i) body(context, i);
    return;
  }
  parallel_ = true;
  workers_->arena().execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<uint64_t>(0, count, kRowsPerTask),
        [&](const auto& range) {
          host::use_fault_stack();
          host::Worker::is_slot(static_cast<size_t>(tbb::this_task_arena::current_thread_index()));
          for (uint64_t i = range.begin(); i < range.end(); ++i) body(context, i);
        },
        tbb::simple_partitioner());
  });
  parallel_ = false;
}

}  // namespace berth::framework
