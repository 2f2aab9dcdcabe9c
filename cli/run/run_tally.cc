#include "cli/run/run_tally.h"

#include <utility>
#include <variant>

#include "cli/reports/remark_text.h"
#include "engine/output/resource_use.h"

namespace berth::cli {
namespace {

// Precondition: the outcomes of the pods are in the summary.
void add_pod_counts(const runtime::Core& core, const drive::Driver& driver,
                    drive::WorkSource* source, output::Summary& s) {
  const runtime::Intake::Counts& counts = core.door().intake().counts();
  s.failed_attempts = driver.progress().failures;
  s.pods_held = core.scheduler().bindings().permits().size() +
                core.scheduler().bindings().pre_bind_waits().size();
  s.pods_scheduled -= s.pods_held;
  if (s.pods_failed != 0 && !s.interrupted && s.error.empty())
    s.gave_up_after_seconds =
        std::chrono::duration<double>(core.now() - driver.progress().changed_at).count();
  s.pods_placed_before = counts.placed_before;
  s.pods_waiting_in_cluster = counts.pending_in_cluster;
  s.pods_finished_in_cluster = counts.finished_in_cluster;
  s.pods_already_placed = counts.already_placed;
  s.pods_finished = counts.finished;
  s.pods_terminating = counts.terminating;
  // Without a source, the program was interrupted while it read the cluster.
  const uint64_t malformed = source != nullptr && source->finished() ? source->rejected_pods() : 0;
  s.pods_rejected = counts.rejected + malformed;
  s.pods_total = counts.work + malformed;
  s.events = counts.events;
}

void add_decisions(const runtime::Scheduler& scheduler, output::Summary& s) {
  const auto& decisions = scheduler.decisions();
  s.decisions = decisions.count();
  if (s.elapsed_seconds > 0)
    s.pods_per_second = static_cast<double>(decisions.count()) / s.elapsed_seconds;
  for (const queue::MoveCount& moved : scheduler.queue().moves()) s.backoffs += moved.backoff;
  s.rows_off_main_thread = decisions.rows_off_main();
  const framework::KeptRankings rankings = decisions.rankings();
  s.rankings = rankings.count;
  s.ranking_bytes = rankings.bytes;
  s.ranking_bytes_limit = rankings.limit;
  s.rankings_evicted = rankings.evicted;
  s.rankings_evicted_for_memory = rankings.for_memory;
  s.decisions_verified = decisions.verifications().verified;
  s.decisions_not_compared = decisions.verifications().not_compared;
  s.decision_hash = decisions.hash().to_string();
}

// A pod that failed says why itself. Some functions fail no pod, such as PostFilter and PostBind,
// and a pod that failed may have been bound later: then the failure is the plugin's.
void add_calls(runtime::Core& core, output::Summary& summary) {
  const host::HookTable& hooks = core.hooks();
  const bool no_pod_failed = summary.failures.empty();
  for (host::HookId id = 1; id <= hooks.size(); ++id) {
    host::HookCounts counts = core.calls().counts(id);
    for (const host::CallContext* other : core.scheduler().decisions().other_calls())
      counts += other->counts(id);
    if (counts.calls == 0) continue;
    host::HookTable::Name name = hooks.name(id);
    if (counts.broken != 0 && no_pod_failed)
      summary.failures[name.broke_contract()] += counts.broken;
    output::PluginCalls calls{name.plugin, name.hook, counts.calls, counts.errors, 0};
    if (counts.timed_calls != 0)
      calls.sampled_seconds_per_call = static_cast<double>(counts.timed_nanoseconds) * 1e-9 /
                                       static_cast<double>(counts.timed_calls);
    summary.calls.push_back(std::move(calls));
  }
}

void add_metrics(const host::Metrics& all, output::Summary& summary) {
  for (const auto& [plugin, metrics] : all.plugins())
    for (uint32_t handle = 1; handle <= metrics->metrics().size(); ++handle) {
      const auto& [kind, name, help] = metrics->metrics()[handle - 1];
      summary.metrics.push_back({plugin, name, help, kind == host::PluginMetrics::Kind::kCounter,
                                 metrics->value(handle)});
    }
}

}  // namespace

void RunTally::loaded() { summary_.load_seconds = seconds_since_begin(); }

void RunTally::take(const runtime::Report& report, const runtime::Core& core) {
  outcomes_.take(report, core.now());
  course_.take(report, core);
}

void RunTally::end(const runtime::Core& core, bool interrupted) {
  course_.end(core);
  summary_.interrupted = interrupted;
  summary_.elapsed_seconds = seconds_since_begin();
}

void RunTally::add(const ingest::Remarks& remarks) { add_remarks(remarks, summary_); }

output::Summary RunTally::sum_up(runtime::Core& core, const drive::Driver& driver,
                                 drive::WorkSource* source) const {
  const model::Cluster& cluster = core.snapshot();
  output::Summary s = summary_;
  s.input_read = driver.input_ended();
  s.clock = driver.pace().wall() ? "wall" : "virtual";
  if (!driver.pace().wall()) s.virtual_seconds = std::chrono::duration<double>(core.now()).count();
  s.nodes = cluster.nodes().rows();
  outcomes_.add_to(s, cluster);
  add_pod_counts(core, driver, source, s);
  add_decisions(core.scheduler(), s);
  s.queues = course_.queues();
  s.recovery = course_.recovery();
  const output::QueueSizes waiting = drive::queue_sizes(core);
  s.pods_untried = waiting.waiting() + waiting.gated - outcomes_.waiting();
  const double cycle = rate_.seconds();
  s.latency = output::distribution(latency_, [&](double counted) { return cycle * counted; });
  s.errors_in_input = faults_;
  s.resources = output::resource_use(cluster);
  s.pods_per_zone = output::pods_per_zone(cluster);
  add_calls(core, s);
  add_metrics(core.metrics(), s);
  return s;
}

}  // namespace berth::cli
