#include "engine/cli/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/base/io/interrupts.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/number_text.h"
#include "engine/cli/reports/remark_text.h"
#include "engine/cli/run/known_nodes.h"
#include "engine/output/resource_use.h"
#include "engine/startup/notices.h"

namespace berth::cli {
namespace {

bool watched(const RunOptions& options) {
  return options.log_level != 0 || options.other_scores.has_value();
}

runtime::CoreOptions core_options(const RunOptions& options, framework::Workers& workers,
                                  binding::BindingSink* sink, Watches& watches) {
  runtime::CoreOptions core;
  core.scheduler.decide.watch = watched(options) ? &watches : nullptr;
  core.scheduler.decide.seed = options.seed;
  core.scheduler.decide.tie_break = options.tie_break;
  core.scheduler.decide.forced_percentage = options.percentage;
  core.scheduler.evaluation = options.evaluation;
  core.scheduler.verify_every = options.verify_every;
  core.scheduler.queue.max_unschedulable = options.max_unschedulable;
  core.scheduler.full.workers = &workers;
  core.scheduler.full.ranking_bytes = options.ranking_bytes;
  core.deadlines.limit = std::chrono::seconds(options.plugin_timeout_seconds);
  core.deadlines.late = core.deadlines.limit / 3;
  core.guard_columns = options.guard_columns;
  core.sink = sink;
  core.audits = options.audits;
  if (options.binds_volumes()) {
    core.volumes = options.volumes;
    core.volumes->seed = options.seed;
  }
  return core;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

runtime::Origin origin(const ingest::Batch& batch, const std::string& file) {
  return {file, batch.lines, batch.offset};
}

constexpr size_t kMostFaultsShown = 20;

// Bindings are written at the latest this long after the decision.
constexpr auto kLongestUnseen = std::chrono::milliseconds(100);
constexpr uint64_t kDecisionsPerClock = 32;
// Longer than any pod waits in Permit, and in PreBind without a limit of its own.
constexpr runtime::Time kNothingComes = std::chrono::minutes(16);
constexpr runtime::Time kAfterWaits = std::chrono::minutes(1);

}  // namespace

Run::Run(const RunOptions& options, config::Configuration configuration, runtime::Plugins& plugins)
    : options_(options),
      started_(std::chrono::steady_clock::now()),
      sink_(options.bindings.empty() && !options.binding_names
                ? nullptr
                : std::make_unique<BindingFile>(options.bindings, options.binding_names)),
      workers_(options.threads),
      core_(std::move(configuration), plugins,
            core_options(options, workers_, sink_.get(), watches_),
            [this](const runtime::Report& report) { on_report(report); }),
      pace_(options.clock),
      standstill_(options.max_unschedulable, kNothingComes),
      creation_([this] { return known_nodes(core_.cluster()); }, options.admission,
                options.admission_plugins.read(options.admission)) {
  startup::name_what_is_not_done(core_.configuration(), core_.assembly());
  if (options.other_scores) {
    scores_ = std::make_unique<ScoreNotes>(core_.cluster(), *options.other_scores);
    watches_.add(*scores_);
  }
  if (!options.results.empty()) results_ = std::make_unique<PodResults>(core_, scores_.get());
  if (options.log_level != 0) {
    log_ = std::make_unique<DecisionLog>(options.log_level, core_, [this](const std::string& text) {
      progress_.clear();
      fmt::print(stderr, "{}", text);
    });
    watches_.add(*log_);
    core_.scheduler().queue().watch_moves(log_->hears_moves() ? log_.get() : nullptr);
  }
}

void Run::on_report(const runtime::Report& report) {
  outcomes_.take(report, core_.now());
  if (results_) results_->take(report);
  if (log_) log_->take(report);
}

Run::~Run() = default;

void Run::print_faults(const Diagnostics& diagnostics) {
  progress_.clear();
  say_faults(diagnostics, kMostFaultsShown);
}

// `thrown`: the run ends with the first fault, which the program prints as its error.
void Run::take_faults(const Diagnostics& diagnostics, bool thrown) {
  if (!thrown) print_faults(diagnostics);
  faults_ += diagnostics.count();
}

void Run::take_remarks(ingest::Remarks remarks, bool thrown) {
  add_remarks(remarks, summary_);
  if (thrown) remarks.unknown_fields.clear();
  print_remarks(remarks);
}

void Run::check_strict() {
  if (options_.strict && core_.diagnostics().count() != 0) throw core_.diagnostics().kept().front();
}

void Run::load_file(const std::string& path) {
  std::unique_ptr<runtime::WorkSource> source =
      runtime::open_work(path, options_.strict, false, nullptr, validation(), core_.reads_whole());
  note_frames(*source, path);
  runtime::Work work;
  while (source->next(work)) {
    keep_whole(work);
    if (work.stream == nullptr) {
      for (const runtime::WorkFile& file : work.files) {
        core_.apply(file.objects, file.path);
        creation_.add_cluster(file.objects);
      }
    } else if (work.stream->kind == ingest::BatchKind::kCluster) {
      core_.apply(work.stream->cluster, origin(*work.stream, path));
      creation_.add_cluster(work.stream->cluster);
    } else if (work.stream->kind == ingest::BatchKind::kTemplates ||
               work.stream->kind == ingest::BatchKind::kNote ||
               work.stream->kind == ingest::BatchKind::kEnd) {
      // Templates: the pods of the cluster frames contain their specs. Notes: for people.
    } else {
      throw Error(Place{.file = path, .byte = work.stream->offset, .field = {}},
                  "the stream holds more than a cluster; a stream of pods belongs to --pods");
    }
    check_strict();
  }
  take_faults(source->diagnostics(), false);
  take_remarks(of_cluster(source->remarks()), false);
}

void Run::load() {
  for (const std::string& path : options_.cluster) load_file(path);
  if (core_.counts().pending_in_cluster != 0)
    say("pods of the cluster files that wait for a node and are not scheduled, since --pods names "
        "the work (those that are nominated to a node count as such): " +
        grouped(core_.counts().pending_in_cluster));
  if (core_.counts().finished_in_cluster != 0)
    say("finished pods of the cluster files, which count nowhere: " +
        grouped(core_.counts().finished_in_cluster));
  if (!options_.cluster.empty() && core_.snapshot().nodes().rows() == 0)
    say("the cluster has no nodes, so no pod can be scheduled");
  const bool keep_rejected = results_ != nullptr;
  source_ = options_.dumps.empty()
                ? runtime::open_work(options_.pods, options_.strict, keep_rejected, &creation_,
                                     validation(), core_.reads_whole())
                : runtime::open_dumps(options_.dumps, options_.strict, keep_rejected, &creation_,
                                      validation(), core_.reads_whole());
  note_frames(*source_, options_.stream());
  summary_.load_seconds = seconds_since(started_);
}

void Run::schedule() {
  if (sink_) sink_->open();
  const auto begin = std::chrono::steady_clock::now();
  pace_.begin();
  if (pace_.wall())
    core_.has_seen(
        std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
  std::exception_ptr failure;
  const auto attempt = [&](auto&& work) {
    try {
      work();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  attempt([&] { take_all(); });
  // Also after a failure: pods that were decided are bound, and their bindings written. If it is
  // the bindings that cannot be written, that fails again.
  attempt([&] {
    core_.settle();
    if (sink_) sink_->close();
  });
  queues_.add(core_.now(), queue_sizes());
  if (log_) log_->end();
  summary_.interrupted = interrupted();
  summary_.elapsed_seconds = seconds_since(begin);
  const bool thrown = options_.strict && failure;
  if (source_->finished()) {
    take_faults(source_->diagnostics(), thrown);
    take_remarks(source_->remarks(), thrown);
  }
  print_kept(core_.kept());
  if (!core_.cluster().pod_groups().empty() && !core_.reads_groups())
    say("the input has PodGroups, and no enabled plugin reads them: their pods run one by one");
  print_pods_without_node(pods_on_unknown_nodes(core_.cluster()));
  take_faults(core_.diagnostics(), thrown);
  if (options_.cluster.empty() && core_.snapshot().nodes().rows() == 0)
    say("the input ends without nodes: name the cluster with --cluster, unless the pods' file or "
        "stream has it");
  if (failure) std::rethrow_exception(failure);
}

void Run::take_all() {
  runtime::Work work;
  while (!interrupted()) {
    if (!next_work(work)) {
      summary_.input_read = !interrupted();
      return play_out();
    }
    take(work);
    check_strict();
    drain();
  }
}

// False: the input ended, or the program is interrupted.
bool Run::next_work(runtime::Work& work) {
  if (pace_.wall()) return wait_for_work(work);
  // Binds the assumed pods before this thread blocks on input, so that no pod waits for others.
  if (!source_->ready()) core_.publish();
  return source_->next(work);
}

// While no input arrives, what falls due happens at its time, and pods that back off are tried as
// soon as no pod is active, as kube-scheduler tries them.
bool Run::wait_for_work(runtime::Work& work) {
  while (!interrupted()) {
    core_.advance_to(pace_.since_begin());
    while (core_.has_work() && !source_->ready() && !interrupted()) step();
    if (source_->ready()) break;
    core_.settle();  // bound pods may help others
    if (core_.has_work()) continue;
    const std::optional<runtime::Time> due = core_.next_due();
    source_->wait_until(due ? pace_.on_machine(*due)
                            : std::chrono::steady_clock::time_point::max());
  }
  const bool more = source_->next(work);
  core_.advance_to(pace_.since_begin());
  return more;
}

void Run::keep_whole(const runtime::Work& work) {
  if (!work.whole.empty()) core_.keep(work.whole);
}

// Once: a run may read many files.
void Run::note_frames(const runtime::WorkSource& source, const std::string& path) {
  if (!core_.reads_whole() || source.holds_whole() || std::exchange(frames_noted_, true)) return;
  say(path +
      ": frames hold the part of pods and nodes that scheduling reads, and extenders and plugins "
      "get no more of them, such as annotations of pods; where they need more, give the objects as "
      "JSON or YAML");
}

void Run::take(const runtime::Work& work) {
  keep_whole(work);
  if (work.stream != nullptr) {
    take(*work.stream);
  } else {
    core_.apply_work(work.files);
  }
  // Pods that are bound from here on are younger than all that the input tells of.
  if (!pace_.wall()) core_.has_seen(core_.latest_time());
  expect_progress();
  if (work.stream == nullptr && core_.counts().work == 0 && !options_.dumps.empty())
    say("no pod waits for a node, so there is nothing to schedule");
}

void Run::take(const ingest::Batch& batch) {
  switch (batch.kind) {
    case ingest::BatchKind::kTemplates:
      core_.retire_templates(batch.retired_templates);
      return core_.apply(batch.templates);
    case ingest::BatchKind::kPods:
      return core_.apply_work(batch.pods, origin(batch, options_.stream()));
    case ingest::BatchKind::kEvents:
      for (size_t i = 0; i < batch.events.size(); ++i)
        core_.apply(batch.events[i], origin(batch, options_.stream()), i);
      return;
    case ingest::BatchKind::kCluster:
      return core_.apply(batch.cluster, origin(batch, options_.stream()));
    case ingest::BatchKind::kBindings:
      return core_.diagnostics().report(
          Error(Place{.file = options_.stream(), .byte = batch.offset, .field = {}},
                "a frame of bindings, which is no work; it is passed over"));
    case ingest::BatchKind::kNote:
    case ingest::BatchKind::kEnd:
      return;
  }
}

// More input arrives at this very moment as far as the virtual clock tells, so pods that back off
// are not tried before their time: the decisions would depend on how input was cut into batches.
void Run::drain() {
  while (core_.has_active() && !interrupted() && !stands_still()) step();
}

void Run::expect_progress() {
  changes_seen_ = outcomes_.changes();
  standstill_.begin(core_.now(), core_.scheduler().decisions(), queue_sizes().waiting(),
                    progress());
}

bool Run::stands_still() {
  if (outcomes_.changes() != changes_seen_) expect_progress();
  const uint64_t decisions = core_.scheduler().decisions();
  return standstill_.due(core_.now(), decisions) && !core_.pods_leave() &&
         standstill_.reached(core_.now(), decisions, queue_sizes().waiting(), progress(),
                             core_.unfinished());
}

runtime::Standstill::Progress Run::progress() const {
  return {.changes = outcomes_.changes(),
          .moves = runtime::helpful_moves(core_.scheduler().queue()),
          .failures = outcomes_.failures()};
}

void Run::step() {
  if (queues_.due(core_.now())) queues_.add(core_.now(), queue_sizes());
  const runtime::Time time = pace_.of_decision(core_.now());
  const uint64_t before = cycles();
  core_.step(time);
  const uint64_t after = cycles();
  latency_.record(after - before);
  progress_.update(core_.scheduler().decisions(), [this] { return waiting_text(); });
  if (core_.scheduler().decisions() % kDecisionsPerClock != 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - published_ < kLongestUnseen) return;
  core_.publish();
  published_ = now;
}

// The input ended: time goes on for the pods that back off, wait or leave. Pods that fail each time
// would go on for ever, so the run ends when nothing came of it for a while.
void Run::play_out() {
  const runtime::Time play_on_until = core_.now() + options_.play_on;
  uint64_t changes = outcomes_.changes();
  runtime::Time last_change = core_.now();
  while (!interrupted()) {
    const auto ends = [&] { return core_.now() > play_on_until && stands_still(); };
    while (core_.has_work() && !interrupted() && !ends()) step();
    core_.settle();
    if (core_.has_work() && ends()) return;
    if (core_.has_work()) continue;
    if (outcomes_.changes() != changes) {
      changes = outcomes_.changes();
      last_change = core_.now();
    }
    const std::optional<runtime::Time> due = core_.next_due();
    if (!due || !goes_on(*due, last_change, play_on_until)) return;
    core_.advance_to(pace_.pass_to(*due));
    if (queues_.due(core_.now())) queues_.add(core_.now(), queue_sizes());
  }
}

bool Run::goes_on(runtime::Time due, runtime::Time last_change, runtime::Time play_on_until) const {
  if (core_.pods_wait() && due <= play_on_until) return true;
  if (!core_.unfinished()) return false;
  return core_.pods_leave() ||
         due - last_change <= std::max(kNothingComes, core_.longest_pre_bind() + kAfterWaits);
}

output::QueueSizes Run::queue_sizes() const {
  using queue::Place;
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  output::QueueSizes sizes;
  sizes.active = queue.size(Place::kActive);
  sizes.backoff = queue.size(Place::kBackoff) + queue.size(Place::kErrorBackoff);
  sizes.unschedulable = queue.size(Place::kUnschedulable);
  sizes.gated = queue.size(Place::kGated);
  sizes.permit = core_.scheduler().waiting().size();
  return sizes;
}

std::string Run::waiting_text() const {
  const output::QueueSizes now = queue_sizes();
  return fmt::format("; waiting: {} active, {} backing off, {} unschedulable, {} gated", now.active,
                     now.backoff, now.unschedulable, now.gated);
}

void Run::write_results(ByteSink& sink) const {
  // Of a source whose thread still reads, nothing is asked.
  const bool read = source_ != nullptr && source_->finished();
  results_->write(sink, read ? source_->rejected() : std::vector<ingest::RejectedPod>());
}

void Run::add_calls(output::Summary& summary) {
  const host::HookTable& hooks = core_.hooks();
  for (host::HookId id = 1; id <= hooks.size(); ++id) {
    host::HookCounts counts = core_.calls().counts(id);
    for (const host::CallContext* other : core_.scheduler().other_calls())
      counts += other->counts(id);
    if (counts.calls == 0) continue;
    host::HookTable::Name name = hooks.name(id);
    output::PluginCalls calls{name.plugin, name.hook, counts.calls, counts.errors, 0};
    if (counts.timed_calls != 0)
      calls.sampled_seconds_per_call = static_cast<double>(counts.timed_nanoseconds) * 1e-9 /
                                       static_cast<double>(counts.timed_calls);
    summary.calls.push_back(std::move(calls));
  }
}

void Run::add_metrics(output::Summary& summary) const {
  for (const auto& [plugin, metrics] : core_.metrics().plugins())
    for (uint32_t handle = 1; handle <= metrics->metrics().size(); ++handle) {
      const auto& [kind, name, help] = metrics->metrics()[handle - 1];
      summary.metrics.push_back({plugin, name, help, kind == host::PluginMetrics::Kind::kCounter,
                                 metrics->value(handle)});
    }
}

output::Summary Run::summary() {
  const runtime::Intake::Counts& counts = core_.counts();
  output::Summary s = summary_;
  core_.snapshot();
  model::Cluster& cluster = core_.mutable_cluster();  // for columns of zones and pods
  outcomes_.add_to(s, cluster);
  s.pods_held = core_.scheduler().waiting().size() + core_.scheduler().pre_bind_waits().size();
  s.pods_scheduled -= s.pods_held;
  if (s.pods_failed != 0 && !s.interrupted && s.error.empty())
    s.gave_up_after_seconds =
        std::chrono::duration<double>(core_.now() - outcomes_.changed_at()).count();
  s.decisions = core_.scheduler().decisions();
  s.clock = pace_.wall() ? "wall" : "virtual";
  if (!pace_.wall()) s.virtual_seconds = std::chrono::duration<double>(core_.now()).count();
  for (const queue::MoveCount& moved : core_.scheduler().queue().moves())
    s.backoffs += moved.backoff;
  s.queues = queues_.samples();
  s.nodes = cluster.nodes().rows();
  s.pods_placed_before = counts.placed_before;
  s.pods_waiting_in_cluster = counts.pending_in_cluster;
  s.pods_finished_in_cluster = counts.finished_in_cluster;
  s.pods_already_placed = counts.already_placed;
  s.pods_finished = counts.finished;
  s.pods_terminating = counts.terminating;
  // Without a source, the program was interrupted while it read the cluster.
  const uint64_t malformed = source_ && source_->finished() ? source_->rejected_pods() : 0;
  s.pods_rejected = counts.rejected + malformed;
  s.pods_total = counts.work + malformed;
  s.events = counts.events;
  s.errors_in_input = faults_;
  const output::QueueSizes waiting = queue_sizes();
  s.pods_untried = waiting.waiting() + waiting.gated - outcomes_.waiting();
  if (s.elapsed_seconds > 0)
    s.pods_per_second = static_cast<double>(core_.scheduler().decisions()) / s.elapsed_seconds;
  const double cycle = rate_.seconds();
  s.latency = output::distribution(latency_, [&](double counted) { return cycle * counted; });
  s.threads = options_.threads;
  s.rows_off_main_thread = core_.scheduler().rows_off_main();
  const framework::KeptRankings rankings = core_.scheduler().rankings();
  s.rankings = rankings.count;
  s.ranking_bytes = rankings.bytes;
  s.ranking_bytes_limit = rankings.limit;
  s.rankings_evicted = rankings.evicted;
  s.rankings_evicted_for_memory = rankings.for_memory;
  s.decisions_verified = core_.scheduler().verifications().verified;
  s.decisions_not_compared = core_.scheduler().verifications().not_compared;
  s.seed = options_.seed;
  s.decision_hash = core_.scheduler().hash().to_string();
  s.bindings_file = options_.bindings;
  s.results_file = options_.results;
  s.resources = output::resource_use(cluster);
  s.pods_per_zone = output::pods_per_zone(cluster);
  add_calls(s);
  add_metrics(s);
  return s;
}

}  // namespace berth::cli
