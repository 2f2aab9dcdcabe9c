#include "engine/cli/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/cli/resource_use.h"

namespace berth::cli {
namespace {

cycle::SchedulerOptions scheduler_options(const RunOptions& options, framework::Workers& workers) {
  cycle::SchedulerOptions scheduler;
  scheduler.decide.seed = options.seed;
  scheduler.decide.tie_break = options.tie_break;
  scheduler.decide.forced_percentage = options.percentage;
  scheduler.evaluation = options.evaluation;
  scheduler.full.workers = &workers;
  return scheduler;
}

host::WatchdogOptions deadlines(const RunOptions& options) {
  host::WatchdogOptions deadlines;
  deadlines.limit = std::chrono::seconds(options.plugin_timeout_seconds);
  deadlines.late = deadlines.limit / 3;
  return deadlines;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

constexpr size_t kMostFaultsShown = 20;

// Of hostile input there may be as many texts as pods.
constexpr size_t kMostTexts = 1000;

void count_text(std::map<std::string, uint64_t>& counts, const std::string& text) {
  if (counts.size() < kMostTexts || counts.contains(text)) {
    ++counts[text];
  } else {
    ++counts["(other texts)"];
  }
}

}  // namespace

Run::Run(const RunOptions& options, cycle::Plugins& plugins)
    : options_(options),
      started_(std::chrono::steady_clock::now()),
      sink_(options.bindings.empty() ? nullptr : std::make_unique<BindingFile>(options.bindings)),
      workers_(options.threads),
      session_(options.config.empty() ? config::defaults() : config::load(options.config), plugins,
               scheduler_options(options, workers_), sink_.get(), deadlines(options)),
      intake_(session_.cluster(), diagnostics_) {
  report_ = [this](const cycle::PodResult& result) { on_result(result); };
  name_once("accepted and without effect here", session_.configuration().without_effect);
  name_once("arguments of plugins that take none", session_.assembly().without_effect);
  name_missing(session_.assembly().missing);
}

Run::~Run() = default;

void Run::print_faults(const Diagnostics& diagnostics) {
  progress_.clear();
  size_t shown = std::min(kMostFaultsShown, diagnostics.kept().size());
  for (size_t i = 0; i < shown; ++i)
    fmt::print(stderr, "berth: {}\n", diagnostics.kept()[i].what());
  if (diagnostics.count() > shown)
    fmt::print(stderr, "berth: and {} more of this input\n", diagnostics.count() - shown);
  faults_ += diagnostics.count();
}

void Run::check_strict() {
  if (options_.strict && diagnostics_.count() != 0) throw diagnostics_.kept().front();
}

void Run::load_file(const std::string& path) {
  std::unique_ptr<WorkSource> source = open_work(path, options_.strict);
  Work work;
  while (source->next(work)) {
    if (work.objects != nullptr) {
      intake_.add_cluster(*work.objects, path);
      for (const auto& [kind, count] : work.objects->unread_kinds)
        summary_.unread_kinds[kind] += count;
    } else if (work.stream->kind == ingest::BatchKind::kCluster) {
      intake_.add_cluster(work.stream->cluster, path);
    } else if (work.stream->kind == ingest::BatchKind::kTemplates ||
               work.stream->kind == ingest::BatchKind::kNote ||
               work.stream->kind == ingest::BatchKind::kEnd) {
      // What a cluster's pods share comes with them; notes are for people.
    } else {
      throw Error(Place{.file = path, .byte = work.stream->offset, .field = {}},
                  "the stream holds more than a cluster; a stream of pods belongs to --pods");
    }
    check_strict();
  }
  print_faults(source->diagnostics());
}

void Run::load() {
  for (const std::string& path : options_.cluster) load_file(path);
  if (intake_.counts().pending_in_cluster != 0)
    fmt::print(stderr,
               "berth: {} pods of the cluster files wait for a node; they are not scheduled, since "
               "--pods names the work (those that are nominated to a node count as such)\n",
               intake_.counts().pending_in_cluster);
  if (intake_.counts().finished_in_cluster != 0)
    fmt::print(stderr, "berth: {} pods of the cluster files are finished and count nowhere\n",
               intake_.counts().finished_in_cluster);
  session_.cluster().order_rows();
  if (!options_.cluster.empty() && session_.cluster().nodes().rows() == 0)
    fmt::print(stderr, "berth: the cluster has no nodes, so no pod can be scheduled\n");
  source_ = open_work(options_.pods, options_.strict);
  summary_.load_seconds = seconds_since(started_);
}

void Run::schedule() {
  if (sink_) sink_->open();
  auto begin = std::chrono::steady_clock::now();
  Work work;
  while (source_->next(work)) take(work);
  session_.scheduler().flush(report_);
  if (sink_) sink_->close();
  summary_.elapsed_seconds = seconds_since(begin);
  print_faults(source_->diagnostics());
  print_faults(diagnostics_);
}

void Run::take(const Work& work) {
  if (work.objects != nullptr) {
    for (const auto& [kind, count] : work.objects->unread_kinds)
      summary_.unread_kinds[kind] += count;
    intake_.add_work(*work.objects, options_.pods, waiting_);
  } else {
    const ingest::Batch& batch = *work.stream;
    switch (batch.kind) {
      case ingest::BatchKind::kTemplates:
        intake_.define(batch.templates);
        break;
      case ingest::BatchKind::kPods:
        intake_.add_work(batch.pods, options_.pods, waiting_);
        break;
      case ingest::BatchKind::kEvents:
        session_.scheduler().flush(report_);
        for (const ingest::Event& event : batch.events) intake_.apply(event, options_.pods);
        break;
      case ingest::BatchKind::kCluster:
        session_.scheduler().flush(report_);
        intake_.add_cluster(batch.cluster, options_.pods);
        break;
      case ingest::BatchKind::kBindings:
        diagnostics_.report(Error(Place{.file = options_.pods, .byte = batch.offset, .field = {}},
                                  "a frame of bindings, which is no work; it is passed over"));
        break;
      case ingest::BatchKind::kNote:
      case ingest::BatchKind::kEnd:
        break;
    }
  }
  check_strict();
  drain();
}

void Run::drain() {
  session_.cluster().order_rows();
  if (options_.cluster.empty() && !waiting_.empty() && session_.cluster().nodes().rows() == 0)
    throw Error(Place{.file = options_.pods, .field = {}},
                "there are pods and no nodes to schedule them on: name the cluster with --cluster, "
                "unless this is a stream that brings it (berth-loadgen stream writes such)");
  cycle::Scheduler& scheduler = session_.scheduler();
  scheduler.enqueue(waiting_, report_);
  waiting_.clear();
  uint64_t before = cycles();
  while (scheduler.schedule_next(report_)) {
    uint64_t now = cycles();
    latency_.record(now - before);
    before = now;
    progress_.update(scheduler.decisions());
  }
}

void Run::on_result(const cycle::PodResult& result) {
  switch (result.outcome) {
    case cycle::PodOutcome::kScheduled:
      ++summary_.pods_scheduled;
      break;
    case cycle::PodOutcome::kUnschedulable:
      ++summary_.pods_unschedulable;
      count_text(summary_.messages, result.message);
      break;
    case cycle::PodOutcome::kError:
      // A pod whose binding failed was reported as scheduled before.
      if (result.decision == nullptr) --summary_.pods_scheduled;
      ++summary_.pods_failed;
      count_text(summary_.failures, result.message);
      break;
    case cycle::PodOutcome::kGated:
      ++summary_.pods_gated;
      break;
    case cycle::PodOutcome::kIgnored:
      ++summary_.pods_ignored;
      break;
  }
}

void Run::add_calls(output::Summary& summary) {
  const host::HookTable& hooks = session_.hooks();
  for (host::HookId id = 1; id <= hooks.size(); ++id) {
    host::HookCounts counts = session_.worker().counts(id);
    for (const host::CallContext* worker : session_.scheduler().other_workers())
      counts += worker->counts(id);
    if (counts.calls == 0) continue;
    host::HookTable::Name name = hooks.name(id);
    output::PluginCalls calls{name.plugin, name.hook, counts.calls, counts.errors, 0};
    if (counts.timed_calls != 0)
      calls.sampled_seconds_per_call = static_cast<double>(counts.timed_nanoseconds) * 1e-9 /
                                       static_cast<double>(counts.timed_calls);
    summary.calls.push_back(std::move(calls));
  }
}

output::Summary Run::summary() {
  const Intake::Counts& counts = intake_.counts();
  output::Summary s = summary_;
  session_.cluster().order_rows();
  s.nodes = session_.cluster().nodes().rows();
  s.pods_placed_before = counts.placed_before;
  s.pods_waiting_in_cluster = counts.pending_in_cluster;
  s.pods_finished_in_cluster = counts.finished_in_cluster;
  s.objects_passed_over = counts.passed_over;
  s.pods_already_placed = counts.already_placed;
  s.pods_finished = counts.finished;
  s.pods_terminating = counts.terminating;
  s.pods_rejected = counts.rejected + source_->rejected_pods();
  s.pods_total = counts.work + source_->rejected_pods();
  s.events = counts.events;
  s.errors_in_input = faults_;
  s.plugins_missing = session_.assembly().missing;
  if (s.elapsed_seconds > 0)
    s.pods_per_second = static_cast<double>(session_.scheduler().decisions()) / s.elapsed_seconds;
  const double cycle = rate_.seconds();
  // A quantile is the upper bound of a bin, and may so be above the highest value.
  const auto seconds = [&](uint64_t counted) {
    return cycle * static_cast<double>(std::min(counted, latency_.maximum()));
  };
  s.latency = {seconds(latency_.quantile(0.5)), seconds(latency_.quantile(0.9)),
               seconds(latency_.quantile(0.99)), seconds(latency_.quantile(0.999)),
               seconds(latency_.maximum())};
  s.threads = options_.threads;
  s.rows_off_main_thread = session_.scheduler().rows_off_main();
  s.seed = options_.seed;
  s.decision_hash = session_.scheduler().hash().to_string();
  s.bindings_file = options_.bindings;
  s.resources = resource_use(session_.cluster());
  s.pods_per_zone = pods_per_zone(session_.cluster());
  add_calls(s);
  return s;
}

}  // namespace berth::cli
