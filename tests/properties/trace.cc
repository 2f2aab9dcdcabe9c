#include "tests/properties/trace.h"

#include <tbb/global_control.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>

#include "engine/base/assert.h"
#include "engine/config/config.h"
#include "engine/host/loading/discovery.h"
#include "engine/isolation/parent/isolation.h"
#include "engine/played/api_server.h"

namespace berth::tests {
namespace {

class Describer {
 public:
  explicit Describer(runtime::Core& core) : core_(core) {}

  std::vector<std::string> lines(const runtime::Report& report) {
    const model::PodRecord& pod = cluster().pod(runtime::pod_of(report));
    line(std::string(cluster().text(pod.name)) + ": " + words(report));
    if (const framework::Decision* decision = runtime::decision_of(report)) add(*decision);
    return std::move(lines_);
  }

 private:
  const model::Cluster& cluster() const { return core_.cluster(); }

  static std::string words(const runtime::Report& report) {
    using namespace runtime;
    return std::visit(
        Match{
            [](const Scheduled& to) { return "scheduled node=" + std::string(to.node); },
            [](const Refused& by) { return "unschedulable message=" + by.decision->message; },
            [](const Failed& by) { return "error message=" + by.decision->message; },
            [](const BindingFailed& by) { return "not bound message=" + std::string(by.message); },
            [](const Gated& by) { return "gated by=" + by.plugin + " message=" + by.message; },
            [](const Ignored& by) { return "ignored message=" + by.message; },
            [](const auto&) { return std::string(); },
        },
        report);
  }

  void add(const framework::Decision& decision) {
    line("  evaluated=" + std::to_string(decision.evaluated) + " feasible=" +
         std::to_string(decision.feasible) + " next=" + std::to_string(decision.next_start) +
         " draw=" + std::to_string(decision.draw) + (decision.scored ? " scored" : ""));
    for (const auto& [reason, count] : decision.reasons)
      line("  " + std::to_string(count) + " " + reason);
    if (decision.pre_filter) {
      line("  PreFilter " + decision.pre_filter->plugin + ": " +
           listed(decision.pre_filter->reasons));
      return;
    }
    if (decision.outcome != framework::Outcome::kError) record_rows(decision);
  }

  void record_rows(const framework::Decision& decision) {
    framework::Decider& decider = core_.scheduler().decisions().decider();
    const framework::SearchResult& search_result = decider.search_result();
    std::vector<model::Row> searched;
    search_result.for_each_row([&](model::Row row) { searched.push_back(row); });
    for (model::Row row : searched) {
      std::string text = "  " + std::string(cluster().node_name(row)) + ":";
      if (std::optional<framework::Refusal> refusal = decider.refusal(row)) {
        line(text + " " + refusal->plugin + " code=" + std::to_string(refusal->code) + " " +
             listed(refusal->reasons));
        continue;
      }
      if (decision.scored) {
        for (const framework::HookScores& scores : decider.scores())
          text += " " + decider.cycle().profile->score[scores.hook].point->plugin() + "=" +
                  std::to_string(scores.raw(row)) + "/" + std::to_string(scores.final(row));
        text += " total=" + std::to_string(search_result.total(row));
      }
      line(text);
    }
  }

  static std::string listed(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += "[" + text + "]";
    return all;
  }

  void line(std::string text) { lines_.push_back(std::move(text)); }

  runtime::Core& core_;
  std::vector<std::string> lines_;
};

config::Configuration configuration_of(const World& world, const Way& way) {
  config::Configuration configuration = config::parse(world.config, "config", Rules(way.version));
  if (way.preempts) return configuration;
  for (config::Profile& profile : configuration.profiles)
    profile.points[Point::kPostFilter].disabled.push_back(
        {.name = "*", .weight = 0, .from_default = false, .place = {}});
  return configuration;
}

class Recorder {
 public:
  Recorder(const World& world, const Way& way, runtime::Plugins& plugins, Observer* observer)
      : world_(world),
        way_(way),
        observer_(observer),
        core_(configuration_of(world, way), plugins, with_server(core_options(way)),
              [this](const runtime::Report& report) { record(report); }) {
    server_.attach(core_);
  }

  Trace run() {
    fill(world_, core_);
    core_.scheduler().decisions().set_start_index(way_.start);
    for (const Step& step : world_.steps) {
      if (observer_ != nullptr) observer_->on_step(step);
      if (step.kind == Step::Kind::kPod) {
        const model::PodId id = core_.door().add(step.pod);
        core_.door().arrive({&id, 1});
        while (core_.has_active()) {
          core_.step();
        }
      } else {
        apply(step, core_);
      }
      core_.cluster().verify_counts();
    }
    core_.settle();
    trace_.hash = core_.scheduler().decisions().hash().to_string();
    trace_.decisions = core_.scheduler().decisions().count();
    trace_.rows_off_main = core_.scheduler().decisions().rows_off_main();
    return std::move(trace_);
  }

 private:
  runtime::CoreOptions with_server(runtime::CoreOptions options) {
    options.server = &server_;
    return options;
  }
  void record(const runtime::Report& report) {
    const bool failed = std::holds_alternative<runtime::BindingFailed>(report);
    if (!runtime::outcome_of(report) && !failed) return;
    if (const framework::Decision* decision = runtime::decision_of(report)) {
      trace_.scored += decision->scored;
      trace_.refused += decision->outcome == framework::Outcome::kUnschedulable &&
                        !decision->pre_filter && !decision->reasons.empty();
    }
    if (way_.details)
      for (std::string& text : describe(core_, report)) trace_.lines.push_back(std::move(text));
    if (observer_ != nullptr) observer_->on_report(core_, report);
  }

  const World& world_;
  const Way& way_;
  Observer* observer_;
  played::ApiServer server_;
  runtime::Core core_;
  Trace trace_;
};

}  // namespace

framework::Workers& workers(int threads) {
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 8);
  static std::map<int, framework::Workers> made;
  BERTH_ASSERT(threads <= 8);
  return made.try_emplace(threads, threads).first->second;
}

namespace {

// With the variable BERTH_TEST_ISOLATED all plugins run in processes of their own.
runtime::Plugins::Load loader() {
  if (std::getenv("BERTH_TEST_ISOLATED") == nullptr) return {};
  return [](const std::string&, host::SealedFile file) {
    return isolation::load_isolated(std::move(file),
                                    {.program = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host"});
  };
}

}  // namespace

runtime::Plugins& built_plugins() {
  static auto* plugins = [] {
    std::array<std::filesystem::path, 1> folders{BERTH_BUILD_DIR "/lib/berth/plugins"};
    host::Discovery discovery = host::discover(folders);
    if (!discovery.problems.empty()) throw discovery.problems.front().error;
    return new runtime::Plugins(std::move(discovery), loader());
  }();
  return *plugins;
}

runtime::CoreOptions core_options(const Way& way) {
  runtime::CoreOptions core;
  core.scheduler.evaluation = way.evaluation;
  core.scheduler.full = way.full;
  core.scheduler.decide.seed = way.seed;
  core.scheduler.decide.tie_break = way.tie_break;
  core.scheduler.decide.forced_percentage = way.percentage;
  core.retire_always = way.retire_always;
  return core;
}

Trace run(const World& world, const Way& way, runtime::Plugins& plugins, Observer* observer) {
  return Recorder(world, way, plugins, observer).run();
}

void fill(const World& world, runtime::Core& core) {
  constexpr char kFrom[] = "world";
  for (const model::Node& node : world.nodes) core.door().apply(model::added(node), kFrom);
  for (const model::Namespace& object : world.namespaces)
    core.door().apply(model::added(object), kFrom);
  for (const model::SelectorOwner& object : world.selector_owners)
    core.door().apply(model::added(object), kFrom);
  ingest::Objects pods;
  pods.pods = world.placed;
  core.door().apply(pods, kFrom);
}

void apply(const Step& step, runtime::Core& core) {
  const auto change = [&]() -> std::optional<model::Change> {
    switch (step.kind) {
      case Step::Kind::kPod:
        return std::nullopt;
      case Step::Kind::kPutNode:
        return model::modified(step.node);
      case Step::Kind::kRemoveNode:
        return model::deleted(step.node);
      case Step::Kind::kRemovePod:
        return model::deleted_pod(step.pod.namespace_name, step.pod.name);
      case Step::Kind::kPutNamespace:
        return model::modified(step.name_space);
      case Step::Kind::kRemoveNamespace:
        return model::deleted(step.name_space);
      case Step::Kind::kPutSelectorOwner:
        return model::modified(step.selector_owner);
      case Step::Kind::kRemoveSelectorOwner:
        return model::deleted(step.selector_owner);
    }
    return std::nullopt;
  }();
  if (change) core.door().apply(*change, "world");
}

std::vector<std::string> describe(runtime::Core& core, const runtime::Report& report) {
  return Describer(core).lines(report);
}

std::string difference(const Trace& a, const Trace& b) {
  for (size_t i = 0; i < std::max(a.lines.size(), b.lines.size()); ++i) {
    std::string mine = i < a.lines.size() ? a.lines[i] : "(nothing)";
    std::string other = i < b.lines.size() ? b.lines[i] : "(nothing)";
    if (mine == other) continue;
    size_t pod = std::min(i, a.lines.size() - 1);
    while (pod > 0 && a.lines[pod].starts_with(" ")) --pod;
    return a.lines[pod] + "\n" + mine + "\n" + other;
  }
  return a.hash == b.hash ? std::string() : "decision hashes " + a.hash + " and " + b.hash;
}

}  // namespace berth::tests
