#include "cli/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "cli/reports/remark_text.h"
#include "cli/results/drain_results.h"
#include "cli/run/known_nodes.h"
#include "engine/base/assert.h"
#include "engine/base/cycle_clock.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/number_text.h"
#include "engine/ingest/objects/folder_files.h"
#include "engine/startup/notices.h"

namespace berth::cli {
namespace {

runtime::CoreOptions core_options(const RunOptions& options, framework::Workers& workers,
                                  runtime::Server& server, Watches& watches) {
  runtime::CoreOptions core = options.core;
  const bool watched = PodNotes::watch_decisions(options) || options.has_metrics();
  core.scheduler.decide.watch = watched ? &watches : nullptr;
  core.scheduler.full.workers = &workers;
  core.server = &server;
  return core;
}

played::ApiServerOptions server_options(
    const RunOptions& options, binding::BindingSink* sink,
    std::function<void(const played::EvictionAnswer&)> on_eviction,
    played::Controllers::OnDrain on_drain) {
  played::ApiServerOptions server{.bindings = sink,
                                  .controllers = options.played_controllers(),
                                  .on_eviction = std::move(on_eviction),
                                  .on_drain = std::move(on_drain)};
  if (options.binds_volumes()) {
    server.volumes = options.volumes;
    server.volumes->seed = options.core.scheduler.decide.seed;
  }
  return server;
}

runtime::Origin origin(const ingest::Batch& batch, const std::string& file) {
  return {file, batch.lines, batch.offset};
}

constexpr size_t kMostFaultsShown = 20;

// Bindings are written at the latest this long after the decision.
constexpr auto kLongestUnseen = std::chrono::milliseconds(100);
constexpr uint64_t kDecisionsPerClock = 32;
// The age that served metrics of the core may have.
constexpr auto kFreshMetrics = std::chrono::seconds(1);

}  // namespace

Run::Run(const RunOptions& options, config::Configuration configuration, runtime::Plugins& plugins)
    : options_(options),
      sink_(options.bindings.empty() && !options.binding_names
                ? nullptr
                : std::make_unique<BindingFile>(options.bindings, options.binding_names)),
      workers_(options.threads),
      server_(server_options(
          options, sink_.get(),
          [this](const played::EvictionAnswer& answer) { notes_.take(answer); },
          [this](std::string_view node, std::string_view line) { notes_.drains(node, line); })),
      core_(std::move(configuration), plugins, core_options(options, workers_, server_, watches_),
            [this](const runtime::Report& report) { on_report(report); }),
      driver_(core_, *this, drive::Pace(options.clock, options.hooks.machine),
              {.max_unschedulable = options.core.scheduler.queue.max_unschedulable,
               .play_on = options.play_on}),
      creation_([this] { return known_nodes(core_.cluster()); }, options.admission,
                options.admission_plugins.read(options.admission)),
      notes_(options, core_, watches_, [this](const std::string& text) {
        progress_.clear();
        fmt::print(stderr, "{}", text);
      }) {
  if (options.has_metrics()) {
    metrics_ = std::make_unique<metrics::SchedulerMetrics>(core_);
    watches_.add(*metrics_);
  }
  if (options.hooks.watch != nullptr) watches_.add(*options.hooks.watch);
  if (options.serve_metrics) serve_metrics(*options.serve_metrics);
  server_.attach(core_);
  if (options_.played_controllers().read_workloads()) creation_.play_workloads();
  startup::name_what_is_not_done(core_.configuration(), core_.assembly());
}

void Run::on_report(const runtime::Report& report) {
  driver_.take(report);
  tally_.take(report, core_);
  notes_.take(report);
  if (events_) events_->take(report);
  if (metrics_) metrics_->take(report);
  if (options_.hooks.hears) options_.hooks.hears(report);
}

Run::~Run() = default;

void Run::serve_metrics(const metrics::PortAddress& address) {
  try {
    port_ = std::make_unique<metrics::MetricsPort>(address, [this] { return metrics_->collect(); });
  } catch (const Error& error) {
    throw Error("--serve-metrics: " + std::string(error.what()));
  }
  say("metrics are served at " + port_->url());
}

void Run::refresh_metrics(std::chrono::steady_clock::time_point now) {
  if (port_ == nullptr || now - refreshed_ < kFreshMetrics) return;
  metrics_->refresh();
  refreshed_ = now;
}

// What is fresh enough now is not later.
std::chrono::steady_clock::time_point Run::rests() {
  if (events_) events_->flush();
  if (options_.hooks.rests) options_.hooks.rests();
  if (port_ == nullptr) return std::chrono::steady_clock::time_point::max();
  const auto now = std::chrono::steady_clock::now();
  if (now - refreshed_ < kFreshMetrics) return refreshed_ + kFreshMetrics;
  refresh_metrics(now);
  return std::chrono::steady_clock::time_point::max();
}

void Run::print_faults(const Diagnostics& diagnostics) {
  progress_.clear();
  say_faults(diagnostics, kMostFaultsShown);
}

// `thrown`: the run ends with the first fault, which the program prints as its error.
void Run::take_faults(const Diagnostics& diagnostics, bool thrown) {
  if (!thrown) print_faults(diagnostics);
  tally_.add_faults(diagnostics.count());
}

void Run::take_remarks(ingest::Remarks remarks, bool thrown) {
  tally_.add(remarks);
  if (thrown) remarks.unknown_fields.clear();
  print_remarks(remarks, options_.played_controllers());
}

void Run::check_strict() {
  if (options_.strict && core_.diagnostics().count() != 0) throw core_.diagnostics().kept().front();
}

void Run::load_file(const std::string& path) {
  std::unique_ptr<drive::WorkSource> source =
      ingest::is_folder(path)
          ? drive::open_dumps({path}, options_.strict, false, nullptr, validation(),
                              core_.door().reads_whole(), options_.hooks.open)
          : drive::open_work(path, options_.strict, false, nullptr, validation(),
                             core_.door().reads_whole(), creation_.plays_workloads(),
                             options_.hooks.open);
  note_frames(*source, path);
  drive::Work work;
  while (source->next(work)) {
    keep_whole(work);
    if (work.stream == nullptr) {
      for (const runtime::WorkFile& file : work.files) {
        core_.door().apply(file.objects, file.path);
        creation_.add_cluster(file.objects);
      }
    } else if (work.stream->kind == ingest::BatchKind::kCluster) {
      core_.door().apply(work.stream->changes, origin(*work.stream, path));
      creation_.add_cluster(work.stream->changes);
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

// When all pods of the cluster are there.
void Run::load_workloads() {
  ingest::Remarks remarks;
  core_.door().apply(creation_.cluster_workloads(remarks), "the cluster's workloads");
  take_remarks(remarks, false);
}

void Run::load() {
  for (const std::string& path : options_.cluster) load_file(path);
  core_.door().apply(options_.more, "nodes that are added");
  creation_.add_cluster(options_.more);
  load_workloads();
  refresh_metrics(std::chrono::steady_clock::now());  // the pods may be long in coming
  if (core_.door().intake().counts().pending_in_cluster != 0)
    say("pods of the cluster files that wait for a node and are not scheduled, since " +
        std::string(options_.hooks.work ? "other pods are" : "--pods names") +
        " the work (those that are nominated to a node count as such): " +
        grouped(core_.door().intake().counts().pending_in_cluster));
  if (core_.door().intake().counts().finished_in_cluster != 0)
    say("finished pods of the cluster files, which count nowhere: " +
        grouped(core_.door().intake().counts().finished_in_cluster));
  if (!options_.is_trial && !options_.cluster.empty() && core_.snapshot().nodes().rows() == 0)
    say("the cluster has no nodes, so no pod can be scheduled");
  source_ = open_source();
  if (options_.hooks.wrap) source_ = options_.hooks.wrap(std::move(source_), creation_);
  if (options_.hooks.machine != nullptr && driver_.pace().wall())
    source_ = drive::asking(std::move(source_), *options_.hooks.machine);
  note_frames(*source_, options_.stream());
  tally_.loaded();
}

std::unique_ptr<drive::WorkSource> Run::open_source() {
  if (options_.hooks.work) return options_.hooks.work(creation_);
  const bool keep_rejected = notes_.results() != nullptr;
  return options_.dumps.empty()
             ? drive::open_work(options_.pods, options_.strict, keep_rejected, &creation_,
                                validation(), core_.door().reads_whole(), false,
                                options_.hooks.open)
             : drive::open_dumps(options_.dumps, options_.strict, keep_rejected, &creation_,
                                 validation(), core_.door().reads_whole(), options_.hooks.open);
}

void Run::schedule() {
  if (sink_) sink_->open();
  if (!options_.events.empty()) events_ = std::make_unique<EventFile>(options_.events, core_);
  tally_.begin();
  driver_.begin();
  if (driver_.pace().wall()) {
    const int64_t date =
        std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
    core_.has_seen(options_.hooks.machine == nullptr ? date : options_.hooks.machine->date(date));
  }
  std::exception_ptr failure;
  const auto attempt = [&](auto&& work) {
    try {
      work();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  attempt([&] {
    driver_.run(*source_, [this](const drive::Work& work) {
      take(work);
      check_strict();
    });
  });
  // Also after a failure: pods that were decided are bound, and their bindings written. If it is
  // the bindings that cannot be written, that fails again.
  attempt([&] {
    core_.settle();
    if (sink_) sink_->close();
  });
  attempt([&] {
    if (events_) events_->flush();
  });
  notes_.end();
  tally_.end(core_, interrupted());
  const bool thrown = options_.strict && failure;
  if (source_->finished()) {
    take_faults(source_->diagnostics(), thrown);
    take_remarks(source_->remarks(), thrown);
  }
  if (!options_.dumps.empty() && source_->finished() && driver_.progress().changes == 0 &&
      core_.door().intake().counts().work == 0)
    say("no pod waits for a node, so there is nothing to schedule");
  print_kept(core_.door().intake().kept());
  print_measured(server_.measured_without_pod());
  if (!core_.cluster().pod_groups().empty() && !core_.assembly().reads("pod.group"))
    say("the input has PodGroups, and no enabled plugin reads them: their pods run one by one");
  print_pods_without_node(pods_on_unknown_nodes(core_.cluster()));
  say_drains(server_.drains());
  take_faults(core_.diagnostics(), thrown);
  if (!options_.is_trial && options_.cluster.empty() && !interrupted() &&
      core_.snapshot().nodes().rows() == 0)
    say("the input ends without nodes: name the cluster with --cluster, unless the pods' file or "
        "stream has it");
  if (failure) std::rethrow_exception(failure);
}

void Run::keep_whole(const drive::Work& work) {
  if (!work.whole.empty()) core_.door().keep(work.whole);
}

// Once: a run may read many files.
void Run::note_frames(const drive::WorkSource& source, const std::string& path) {
  if (!core_.door().reads_whole() || source.holds_whole() || std::exchange(frames_noted_, true))
    return;
  say(path +
      ": frames hold the part of pods and nodes that scheduling reads, and extenders and plugins "
      "get no more of them, such as annotations of pods; where they need more, give the objects as "
      "JSON or YAML");
}

void Run::take(const drive::Work& work) {
  keep_whole(work);
  if (work.stream != nullptr) {
    take(*work.stream, work.from.empty() ? options_.stream() : std::string(work.from));
  } else {
    server_.apply_work(work.files);
  }
  // Pods that are bound from here on are younger than all that the input tells of.
  if (!driver_.pace().wall()) core_.has_seen(core_.door().intake().latest_time());
}

void Run::take(const ingest::Batch& batch, const std::string& file) {
  switch (batch.kind) {
    case ingest::BatchKind::kTemplates:
      core_.door().retire_templates(batch.retired_templates);
      return core_.door().apply(batch.templates);
    case ingest::BatchKind::kPods:
      return core_.door().apply_work(batch.pods, origin(batch, file));
    case ingest::BatchKind::kEvents:
      for (size_t i = 0; i < batch.changes.size(); ++i)
        server_.apply(batch.changes[i], origin(batch, file), i);
      return;
    case ingest::BatchKind::kCluster:
      return core_.door().apply(batch.changes, origin(batch, file));
    case ingest::BatchKind::kBindings:
      return core_.diagnostics().report(
          Error(Place{.file = file, .byte = batch.offset, .field = {}},
                "a frame of bindings, which is no work; it is passed over"));
    case ingest::BatchKind::kTime:
      if (!driver_.pace().wall()) return driver_.pass_to(Time(batch.at));
      if (!std::exchange(times_noted_, true))
        say(file +
            ": its times count by the virtual clock alone; now things happen when they are read");
      return;
    case ingest::BatchKind::kNote:
    case ingest::BatchKind::kEnd:
      return;
  }
}

bool Run::stopped() {
  return interrupted() || (options_.hooks.has_enough && options_.hooks.has_enough());
}

void Run::time_passed() { tally_.time_passed(core_); }

void Run::decide() {
  time_passed();
  const Time time = driver_.next_decision_at();
  const uint64_t before = cycles();
  core_.step(time);
  const uint64_t after = cycles();
  tally_.decided(after - before);
  if (options_.hooks.decided) options_.hooks.decided();
  progress_.update(core_.scheduler().decisions().count(), [this] { return waiting_text(); });
  if (events_) events_->flush_if_full();
  if (core_.scheduler().decisions().count() % kDecisionsPerClock != 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - published_ < kLongestUnseen) return;
  core_.publish();
  if (events_) events_->flush();
  published_ = now;
  refresh_metrics(now);
}

std::string Run::waiting_text() const {
  const output::QueueSizes now = drive::queue_sizes(core_);
  return fmt::format("; waiting: {} active, {} backing off, {} unschedulable, {} gated", now.active,
                     now.backoff, now.unschedulable, now.gated);
}

void Run::write_results(ByteSink& sink) const {
  BERTH_ASSERT(notes_.results() != nullptr);
  // Of a source whose thread still reads, nothing is asked.
  const bool read = source_ != nullptr && source_->finished();
  notes_.results()->write(sink, read ? source_->rejected() : std::vector<ingest::RejectedPod>(),
                          drain_results(server_.drains()));
}

std::vector<output::PodResult> Run::results() const {
  BERTH_ASSERT(notes_.results() != nullptr);
  const bool read = source_ != nullptr && source_->finished();
  return notes_.results()->all(read ? source_->rejected() : std::vector<ingest::RejectedPod>());
}

std::string Run::metrics() {
  BERTH_ASSERT(metrics_ != nullptr);
  metrics_->refresh();
  return metrics_->collect();
}

output::Summary Run::summary() {
  output::Summary s = tally_.sum_up(core_, driver_, source_.get());
  s.threads = options_.threads;
  s.kube_version = version_text(core_.configuration().rules.version());
  s.seed = options_.core.scheduler.decide.seed;
  s.bindings_file = options_.bindings;
  s.results_file = options_.results;
  s.events_file = options_.events;
  count_drains(server_.drains(), s);
  return s;
}

}  // namespace berth::cli
