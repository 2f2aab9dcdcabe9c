#include "cli/replay/record_follow.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cli/replay/choice_cause.h"
#include "engine/base/assert.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/progress.h"
#include "engine/drive/work_source.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/output/resource_use.h"
#include "engine/runtime/second_opinion.h"

namespace berth::cli {
namespace {

constexpr size_t kMostFaultsSaid = 20;

std::string_view told_node(const model::TemplatePod& pod) {
  if (!pod.node_name.empty()) return pod.node_name;
  return pod.spec == nullptr ? std::string_view() : std::string_view(pod.spec->node_name);
}

// The pod waits for a node, and no plugin keeps it out of the queue.
bool may_be_asked(const model::PodRecord& pod) {
  return pod.state == model::PodState::kWaiting && !pod.terminating;
}

runtime::CoreOptions options_of_core(const LiveSide& side, runtime::OtherSettings& asked) {
  asked = {.configuration = side.configuration,
           .plugins = nullptr,
           .decide = side.options.core.scheduler.decide};
  runtime::CoreOptions options = side.options.core;
  options.other = &asked;
  return options;
}

// The source's thread waits for input that may never come, and its destructor would wait for the
// thread. So the source stays until the process ends. The list refers to it: it is no leak.
void leave(std::unique_ptr<drive::WorkSource> source) {
  static auto& left = *new std::vector<std::unique_ptr<drive::WorkSource>>;
  left.push_back(std::move(source));
}

class Follower {
 public:
  Follower(LiveSide& side, const FollowLimits& limits)
      : options_(side.options),
        limits_(limits),
        core_(side.configuration, side.plugins, core_options(side)) {}

  void follow() {
    try {
      if (!options_.cluster.empty()) read_cluster();
      read_record();
      if (!over() && !interrupted()) ask_about_pending();
    } catch (const Interrupted&) {  // while input was waited for
    }
    replay_.interrupted = interrupted();
    replay_.resources = output::resource_use(core_.snapshot());
    replay_.failures = core_.opinion()->broken();
    take_faults(core_.diagnostics());
  }
  RecordReplay take() { return std::move(replay_); }

 private:
  runtime::CoreOptions core_options(LiveSide& side) {
    runtime::CoreOptions options = options_of_core(side, asked_);
    asked_.plugins = &side.plugins;
    return options;
  }
  bool over() const {
    return (limits_.until && replay_.bindings >= *limits_.until) ||
           (limits_.until_time && core_.now() >= *limits_.until_time);
  }

  // Pods that wait there may be bound by the record.
  void read_cluster() {
    read(drive::open_dumps(options_.cluster, options_.strict, false, nullptr,
                           ingest::Validation::kNone, core_.door().reads_whole()),
         options_.cluster.front());
  }
  void read_record() {
    read(drive::open_work(options_.pods, options_.strict, false, nullptr, ingest::Validation::kNone,
                          core_.door().reads_whole(), false, options_.hooks.open),
         options_.pods);
  }
  void read(std::unique_ptr<drive::WorkSource> source, const std::string& path) {
    drive::Work work;
    while (!interrupted() && !over() && source->next(work)) {
      if (!work.whole.empty()) core_.door().keep(work.whole);
      take(work, path);
    }
    if (source->finished()) return take_faults(source->diagnostics());
    if (interrupted() || !source->ready()) leave(std::move(source));
  }

  // A cluster may be without pods, unlike work.
  void take(std::span<const runtime::WorkFile> files) {
    const auto has_pods = [](const runtime::WorkFile& file) { return !file.objects.pods.empty(); };
    if (std::ranges::any_of(files, has_pods)) return core_.door().apply_work(files);
    for (const runtime::WorkFile& file : files) core_.door().apply(file.objects, file.path);
  }

  void take(const drive::Work& work, const std::string& path) {
    if (work.stream == nullptr) return take(work.files);
    const ingest::Batch& batch = *work.stream;
    const runtime::Origin from(path, batch.lines, batch.offset);
    switch (batch.kind) {
      case ingest::BatchKind::kTemplates:
        core_.door().retire_templates(batch.retired_templates);
        return core_.door().apply(batch.templates);
      case ingest::BatchKind::kCluster:
        return core_.door().apply(batch.changes, from);
      case ingest::BatchKind::kPods:
        return core_.door().apply_work(batch.pods, from);
      case ingest::BatchKind::kEvents:
        for (size_t i = 0; i < batch.changes.size() && !over(); ++i) {
          before(batch.changes[i]);
          core_.door().apply(batch.changes[i], from, i);
        }
        return;
      case ingest::BatchKind::kTime:
        return core_.advance_to(std::max(core_.now(), Time(batch.at)));
      case ingest::BatchKind::kBindings:
      case ingest::BatchKind::kNote:
      case ingest::BatchKind::kEnd:
        return;
    }
  }

  // Our rules are asked in the state before the recorded binding.
  void before(const model::Change& change) {
    const auto* pod = std::get_if<model::TemplatePod>(&change.object);
    if (pod == nullptr || change.operation == model::Operation::kDeleted) return;
    const std::string_view node = told_node(*pod);
    if (node.empty()) return;
    const model::PodId known = core_.cluster().find_pod(pod->namespace_name, pod->name);
    if (!known) {
      ++replay_.in_place;
      return;
    }
    if (!may_be_asked(core_.cluster().pod(known))) return;
    if (replay_.bindings++ >= limits_.from) ask(known, node);
  }

  void ask(model::PodId pod, std::string_view recorded) {
    progress_.update(++replay_.asked);
    const std::optional<Cause> cause = differs(pod, recorded);
    if (!cause) return;
    if (replay_.first == 0) {
      replay_.first = replay_.bindings;
      replay_.first_at = core_.now();
    }
  }

  // Compares, and adds the pod to those of the replay. Nothing: it ends as recorded, or is not
  // ours.
  std::optional<Cause> differs(model::PodId id, std::string_view recorded) {
    const model::Cluster& cluster = core_.snapshot();
    const model::PodRecord& pod = cluster.pod(id);
    core_.opinion()->decider().prefer(cluster.strings().find(recorded));
    const framework::Decision* decision = decide(pod, start_);
    if (decision == nullptr) {
      ++replay_.of_other_profiles;
      return std::nullopt;
    }
    std::optional<Cause> cause;
    if (node_of(*decision) != recorded && !begins_elsewhere(pod, recorded, decision))
      cause = choice_cause(cluster, {core_.opinion()->decider(), *decision}, recorded);
    start_ = decision->next_start;
    replay_.pods.add(full_name(cluster, pod), recorded, node_of(*decision), cause);
    return cause;
  }

  const framework::Decision* decide(const model::PodRecord& pod, uint32_t start) {
    return core_.opinion()->decide({.pod = &pod, .attempt = pod.attempts, .start = start});
  }
  std::string_view node_of(const framework::Decision& decision) const {
    return decision.outcome == framework::Outcome::kScheduled
               ? core_.cluster().node_name(decision.row)
               : std::string_view();
  }

  // True if our rules choose the recorded node when the search begins at another one, so that it is
  // first, in the middle or last of those that are looked at. `decision` is that choice then, else
  // the former one again.
  bool begins_elsewhere(const model::PodRecord& pod, std::string_view recorded,
                        const framework::Decision*& decision) {
    const model::Row rows = core_.cluster().nodes().rows();
    const uint32_t seen = decision->evaluated;
    const std::optional<model::Row> row = row_of_node(core_.cluster(), recorded);
    if (!row || seen == 0 || seen >= rows) return false;
    for (const uint32_t before : {0u, seen / 2, seen - 1}) {
      decision = decide(pod, (*row + rows - before) % rows);
      if (node_of(*decision) != recorded) continue;
      ++replay_.begun_elsewhere;
      return true;
    }
    decision = decide(pod, start_);
    return false;
  }

  // The pods that the record leaves without a node.
  void ask_about_pending() {
    std::vector<model::PodId> pending;
    core_.cluster().pods().for_each([&](const model::PodRecord& pod) {
      if (may_be_asked(pod) && pod.requested) pending.push_back(pod.id);
    });
    for (const model::PodId pod : pending) {
      if (interrupted()) return;
      progress_.update(++replay_.asked);
      differs(pod, {});
    }
  }

  void take_faults(const Diagnostics& faults) {
    progress_.clear();
    say_faults(faults, kMostFaultsSaid);
    replay_.errors_in_input += faults.count();
  }

  const RunOptions& options_;
  const FollowLimits limits_;
  runtime::OtherSettings asked_;
  runtime::Core core_;
  uint32_t start_ = 0;
  Progress progress_{"replay"};
  RecordReplay replay_;
};

}  // namespace

RecordReplay follow_record(LiveSide side, const FollowLimits& limits) {
  Follower follower(side, limits);
  follower.follow();
  return follower.take();
}

}  // namespace berth::cli
