#include "bench/macro/run/runner.h"

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>

#include "bench/macro/measure/figures/figures.h"
#include "bench/macro/measure/figures/statistics.h"
#include "bench/macro/measure/player.h"
#include "bench/macro/measure/read_load.h"
#include "bench/macro/results/measurement_json.h"
#include "bench/macro/results/results.h"
#include "bench/macro/run/child.h"
#include "engine/base/io/new_file.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/progress.h"
#include "engine/base/program/terminal.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/notices.h"

namespace berth::bench {
namespace {

using rapidjson::Document;
using rapidjson::Value;

// Loads with more pods are not counted in advance, because that would take too long.
constexpr uint64_t kMostCounted = 5'000'000;

// The number of pods of the load as text; empty if it is large or the user interrupts.
std::string count_pods(loadgen::Load& load) {
  loadgen::LoadStep step;
  uint64_t pods = 0;
  while (pods < kMostCounted && !interrupted() && load.next(step)) pods += step.pods.size();
  return pods < kMostCounted && !interrupted() ? std::to_string(pods) : std::string();
}

Document parsed(const std::string& text) {
  Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.c_str(), text.size());
  return document;
}

class Repetitions {
 public:
  Repetitions(const loadgen::Workload& workload, const Variant& variant,
              const RepeatOptions& options)
      : workload_(workload), variant_(variant), options_(options) {}

  void run(Returned& results);

 private:
  std::unique_ptr<loadgen::Load> open() const;
  void count();
  void repeat(uint32_t number, bool counts);
  std::string measure(const std::string& what, bool every_call_timed, bool first) const;
  std::string merged() const;
  void check_same(const Document& a, const Document& b) const;

  const loadgen::Workload& workload_;
  const Variant& variant_;
  const RepeatOptions& options_;
  std::optional<uint64_t> expected_;  // pods of a repetition, for the progress line
  Returned warm_ups_, counted_;
};

std::unique_ptr<loadgen::Load> Repetitions::open() const {
  std::unique_ptr<loadgen::Load> load = workload_.open({variant_.seed, variant_.parameters});
  if (!workload_.for_controllers) return load;
  return std::make_unique<ReadLoad>(std::move(load), variant_.played_controllers().read_workloads(),
                                    variant_.clock == Clock::kWall);
}

// Counts pods only if a progress line is shown.
void Repetitions::count() {
  if (!can_redraw(STDERR_FILENO)) return;
  Returned counted;
  counted.add([&] { return count_pods(*open()); });
  if (const std::string pods = counted[0]; !pods.empty()) expected_ = std::stoull(pods);
}

// Runs in a child.
std::string Repetitions::measure(const std::string& what, bool every_call_timed, bool first) const {
  Progress line(what, expected_);
  config::Configuration configuration = configuration_of(variant_, workload_);
  runtime::Plugins plugins = plugins_of(variant_, configuration);
  std::optional<Trace> trace;
  if (every_call_timed && !options_.trace.empty()) trace.emplace(options_.trace_events);
  PlayOptions play;
  play.variant = variant_;
  play.for_controllers = workload_.for_controllers;
  play.every_call_timed = every_call_timed;
  play.trace = trace ? &*trace : nullptr;
  play.allocations = options_.allocations;
  play.stop = interrupted;
  play.progress = [&line](uint64_t decisions) { line.update(decisions); };
  // Open the file before the work, so that a failure does not lose results.
  std::optional<NewFile> file;
  if (trace) file.emplace(options_.trace);
  Player player(play, std::move(configuration), plugins);
  if (first)
    startup::name_what_is_not_done(player.core().configuration(), player.core().assembly());
  const Measurement measurement = player.play(*open());
  line.clear();
  if (first) {
    const std::string notice = startup::ranking_memory_notice(
        measurement.rankings_evicted_for_memory, measurement.decisions_of_all,
        measurement.ranking_bytes_limit);
    if (!notice.empty()) say(notice);
  }
  if (trace) {
    trace->write(player.hooks(), *file);
    file->finish();
  }
  return to_json(measurement);
}

void Repetitions::repeat(uint32_t number, bool counts) {
  const std::string what =
      options_.position + workload_.name +
      (variant_.label.empty() ? "" : " (" + variant_.label + ")") +
      (counts ? fmt::format(", {} of {}", number + 1, options_.repetitions) : ", warm-up");
  const bool last_warm_up = !counts && number + 1 == options_.warm_up;
  const bool first = options_.notices && number == 0 && (!counts || options_.warm_up == 0);
  (counts ? counted_ : warm_ups_).add([&] { return measure(what, last_warm_up, first); });
}

// With the wall clock, timing decides which pods arrive together, so decisions may differ.
void Repetitions::check_same(const Document& a, const Document& b) const {
  if (variant_.clock == Clock::kWall || a["interrupted"].GetBool() || b["interrupted"].GetBool())
    return;
  if (a["decision_hash"] == b["decision_hash"]) return;
  throw Error(
      fmt::format("{}: two repetitions made different decisions (decision hashes {} and "
                  "{}): a plugin decides by something that is not in the model",
                  workload_.name, a["decision_hash"].GetString(), b["decision_hash"].GetString()));
}

// Adds the samples of every figure, and replaces the figure by its median.
void add_samples(Document& result, const std::vector<Document>& repetitions) {
  auto& allocator = result.GetAllocator();
  Value samples(rapidjson::kObjectType);
  for (const Figure& figure : figures()) {
    std::vector<double> values;
    for (const Document& repetition : repetitions)
      if (const std::optional<double> value = figure_of(repetition, figure))
        values.push_back(*value);
    if (values.empty() || !figure_of(result, figure)) continue;
    set_figure(result, figure, median(values));
    Value list(rapidjson::kArrayType);
    for (double value : values) list.PushBack(value, allocator);
    samples.AddMember(rapidjson::StringRef(figure.name), list, allocator);
  }
  result.AddMember("samples", samples, allocator);
}

// Takes the median of every quantile. If only some were medians, quantiles could be out of order.
void take_median_quantiles(Document& result, const std::vector<Document>& repetitions,
                           const char* time) {
  if (!result.HasMember(time)) return;
  for (const auto& quantile : std::as_const(result)[time].GetObject()) {
    std::vector<double> values;
    for (const Document& repetition : repetitions)
      if (repetition.HasMember(time)) values.push_back(repetition[time][quantile.name].GetDouble());
    result[time][quantile.name].SetDouble(median(values));
  }
}

void take_members(Document& result, const Document& from,
                  std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (from.HasMember(name)) result[name].CopyFrom(from[name], result.GetAllocator());
}

// If profiles differ, that of the first one.
int32_t percentage_of(const config::Configuration& configuration, const Variant& variant) {
  if (variant.percentage) return *variant.percentage;
  return configuration.percentage_for(configuration.profiles.front());
}

// The place in a sweep.
void describe_settings(Document& result, const Variant& variant) {
  auto& allocator = result.GetAllocator();
  if (!variant.combination) return;
  result.AddMember("combination", *variant.combination, allocator);
  Value settings(rapidjson::kObjectType);
  for (const auto& [name, value] : variant.settings)
    settings.AddMember(text(name, result), text(value, result), allocator);
  result.AddMember("settings", settings, allocator);
}

void describe(Document& result, const loadgen::Workload& workload, const Variant& variant,
              uint32_t repetitions) {
  auto& allocator = result.GetAllocator();
  const config::Configuration configuration = configuration_of(variant, workload);
  result.AddMember("workload", text(workload.name, result), allocator);
  result.AddMember("source", text(workload.source, result), allocator);
  result.AddMember("label", text(variant.label, result), allocator);
  Value parameters(rapidjson::kObjectType);
  for (const auto& [name, value] : variant.parameters)
    parameters.AddMember(text(name, result), text(value, result), allocator);
  result.AddMember("parameters", parameters, allocator);
  result.AddMember("percentage_of_nodes_to_score", percentage_of(configuration, variant),
                   allocator);
  result.AddMember("evaluation", rapidjson::StringRef(startup::evaluation_name(variant.evaluation)),
                   allocator);
  result.AddMember("threads", variant.threads, allocator);
  const std::string& config = variant.config.empty() ? workload.scheduler_config : variant.config;
  result.AddMember("configuration", text(config.empty() ? "default" : config, result), allocator);
  result.AddMember("kube_version",
                   text(std::string(version_text(configuration.rules.version())), result),
                   allocator);
  result.AddMember("feature_gates", text(config::gates_text(configuration.rules), result),
                   allocator);
  Value folders(rapidjson::kArrayType);
  for (const std::string& folder : variant.plugins)
    folders.PushBack(text(folder, result), allocator);
  result.AddMember("plugins", folders, allocator);
  const std::string isolated = config::to_text(variant.isolation.added_to(configuration.isolation));
  result.AddMember("isolation", text(isolated, result), allocator);
  result.AddMember("seed", variant.seed, allocator);
  result.AddMember("clock", rapidjson::StringRef(variant.clock == Clock::kWall ? "wall" : "none"),
                   allocator);
  if (variant.clock == Clock::kWall) result.AddMember("speed", variant.speed, allocator);
  result.AddMember("controllers", text(variant.played_controllers().text(), result), allocator);
  result.AddMember("repetitions", repetitions, allocator);
  describe_settings(result, variant);
  if (workload.threshold)
    result.AddMember("threshold_decisions_per_second", *workload.threshold, allocator);
}

// The repetitions that were not interrupted, or one interrupted repetition if there are none. Runs
// in a child.
std::vector<Document> comparable(const Returned& repetitions) {
  std::vector<Document> whole, cut;
  for (size_t i = 0; i < repetitions.size(); ++i) {
    Document repetition = parsed(repetitions[i]);
    if (repetition["decisions"].GetUint64() == 0 && repetition["interrupted"].GetBool()) continue;
    (repetition["interrupted"].GetBool() ? cut : whole).push_back(std::move(repetition));
  }
  return whole.empty() ? std::move(cut) : std::move(whole);
}

// Runs in a child.
std::string Repetitions::merged() const {
  std::vector<Document> counted = comparable(counted_);
  std::vector<Document> warm_ups = comparable(warm_ups_);
  if (counted.empty()) counted.swap(warm_ups);
  if (counted.empty()) return {};
  for (const Document& repetition : counted) check_same(counted.front(), repetition);
  Document result;
  result.CopyFrom(counted.front(), result.GetAllocator());
  for (const char* time : {"latency_seconds", "latency_first_seconds", "latency_steady_seconds",
                           "queue_to_bound_seconds"})
    take_median_quantiles(result, counted, time);
  add_samples(result, counted);
  if (!warm_ups.empty()) {
    check_same(warm_ups.back(), counted.front());
    take_members(result, warm_ups.back(), {"hooks", "extension_points"});
  }
  if (options_.figures_only)
    for (const char* name : {"series", "grid", "histograms", "hooks", "extension_points",
                             "evictions", "evictions_over_time"})
      result.RemoveMember(name);
  describe(result, workload_, variant_, static_cast<uint32_t>(counted.size()));
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  result.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize());
}

void Repetitions::run(Returned& results) {
  count();
  for (uint32_t i = 0; i < options_.warm_up && !interrupted(); ++i) repeat(i, false);
  for (uint32_t i = 0; i < options_.repetitions && !interrupted(); ++i) repeat(i, true);
  results.add([&] { return merged(); });
}

}  // namespace

void run_workload(const loadgen::Workload& workload, const Variant& variant,
                  const RepeatOptions& options, Returned& results) {
  Repetitions(workload, variant, options).run(results);
}

}  // namespace berth::bench
