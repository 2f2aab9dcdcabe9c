#include "loadgen/scheduler_perf/import_scheduler_perf.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/base/io/io.h"
#include "loadgen/scheduler_perf/load/scheduler_perf_load.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_refusals.h"
#include "loadgen/scheduler_perf/read/scheduler_perf_definition.h"

namespace berth::loadgen {
namespace {

using scheduler_perf::Definition;
using scheduler_perf::PerfWorkload;
using scheduler_perf::Plan;
using scheduler_perf::Templates;
using scheduler_perf::TestCase;

constexpr size_t kMostTemplateBytes = size_t{1} << 20;

// State shared by the workloads of a file.
struct Source {
  std::string path;
  std::shared_ptr<const Definition> definition;
  Templates templates;
};

std::unique_ptr<Load> load_of(const std::shared_ptr<Source>& source, const TestCase& test,
                              const PerfWorkload& workload, const LoadSettings& settings) {
  Plan plan =
      scheduler_perf::make_plan(source->definition, test, workload, settings, source->templates);
  const std::string name = test.name + "/" + workload.name;
  if (!plan.missing.empty())
    throw Error(workload.where.place(), fmt::format("{} needs features that are not built: {}",
                                                    name, fmt::join(plan.missing, ", ")));
  // Nothing is drawn, so the seed has no effect. It is recorded all the same.
  std::string note = fmt::format("kube-scheduler's benchmark {} from {}; seed {}; {}", name,
                                 source->path, settings.seed, plan.settings);
  return std::make_unique<scheduler_perf::PerfLoad>(std::move(plan), std::move(note));
}

// `opens`: the workload's plan without settings has no fault and lacks nothing.
std::unique_ptr<Load> open(const std::shared_ptr<Source>& source, const TestCase& test,
                           const PerfWorkload& workload, bool opens, const LoadSettings& settings) {
  try {
    return load_of(source, test, workload, settings);
  } catch (const Error& error) {
    if (!opens) throw;
    throw UsageError(error);
  }
}

Workload make_workload(const std::shared_ptr<Source>& source, const TestCase& test,
                       const PerfWorkload& workload) {
  const Plan plan =
      scheduler_perf::make_plan(source->definition, test, workload, {}, source->templates);
  Workload result;
  result.name = test.name + "/" + workload.name;
  result.source = source->path;
  result.parameters = scheduler_perf::parameters_of(workload);
  result.labels = workload.labels;
  result.threshold = workload.threshold;
  if (!test.scheduler_config.empty())
    result.scheduler_config = source->templates.resolve(test.scheduler_config);
  result.feature_gates = scheduler_perf::gates_to_set(workload);
  result.missing = plan.missing;
  result.missing_with = [source, &test, &workload](const LoadSettings& settings) {
    return scheduler_perf::make_plan(source->definition, test, workload, settings,
                                     source->templates)
        .missing;
  };
  const bool opens = plan.missing.empty();
  result.open = [source, &test, &workload, opens](const LoadSettings& settings) {
    return open(source, test, workload, opens, settings);
  };
  return result;
}

}  // namespace

bool is_scheduler_perf(const document::Document& document) {
  return std::ranges::any_of(document.roots(), scheduler_perf::holds_scheduler_perf);
}

std::vector<Workload> import_scheduler_perf(
    const document::Document& document, const std::string& path,
    const std::function<std::string(const std::string&)>& read, Diagnostics& diagnostics) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  auto source = std::make_shared<Source>(Source{
      path, scheduler_perf::read_definition(document, diagnostics), Templates(folder, read)});
  std::vector<Workload> workloads;
  for (const TestCase& test : source->definition->cases) {
    for (const PerfWorkload& workload : test.workloads) {
      try {
        workloads.push_back(make_workload(source, test, workload));
      } catch (const Error& error) {
        diagnostics.report(Error(
            error.place(), fmt::format("{}/{}: {}", test.name, workload.name, error.message())));
      }
    }
  }
  for (Workload& workload : workloads) {
    workload.files = source->templates.files();
    if (!workload.scheduler_config.empty()) workload.files.push_back(workload.scheduler_config);
  }
  return workloads;
}

std::vector<Workload> import_scheduler_perf(const document::Document& document,
                                            const std::string& path, Diagnostics& diagnostics) {
  return import_scheduler_perf(
      document, path, [](const std::string& file) { return read_file(file, kMostTemplateBytes); },
      diagnostics);
}

}  // namespace berth::loadgen
