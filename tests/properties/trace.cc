#include "tests/properties/trace.h"

#include <tbb/global_control.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>

#include "engine/base/assert.h"
#include "engine/cli/session.h"
#include "engine/config/config.h"
#include "engine/host/loading/discovery.h"

namespace berth::tests {
namespace {

class Describer {
 public:
  explicit Describer(cli::Session& session) : session_(session) {}

  std::vector<std::string> lines(const cycle::PodResult& result) {
    static constexpr std::array<const char*, 5> kNames = {"scheduled", "unschedulable", "error",
                                                          "gated", "ignored"};
    line(std::string(cluster().text(result.pod->name)) + ": " +
         kNames[static_cast<size_t>(result.outcome)] + " node=" + std::string(result.node) +
         " gated by=" + result.gated_by + " message=" + result.message);
    if (result.decision != nullptr) add(*result.decision);
    return std::move(lines_);
  }

 private:
  model::Cluster& cluster() { return session_.cluster(); }

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
    framework::Decider& decider = session_.scheduler().decider();
    const framework::SearchResult& window = decider.window();
    std::vector<model::Row> searched;
    window.for_each_row([&](model::Row row) { searched.push_back(row); });
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
        text += " total=" + std::to_string(window.total[row]);
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

  cli::Session& session_;
  std::vector<std::string> lines_;
};

class Recorder {
 public:
  Recorder(const World& world, const Way& way, cycle::Plugins& plugins, Observer* observer)
      : world_(world),
        way_(way),
        observer_(observer),
        session_(config::parse(world.config, "config"), plugins, scheduler_options(way), nullptr) {}

  Trace run() {
    for (const model::Node& node : world_.nodes) cluster().put_node(node);
    for (const model::Namespace& object : world_.namespaces) cluster().put_namespace(object);
    for (const model::SelectorOwner& object : world_.selector_owners)
      cluster().put_selector_owner(object);
    for (const model::Pod& pod : world_.placed)
      cluster().place(cluster().refer(pod), pod.spec.node_name);
    session_.scheduler().set_start_index(way_.start);
    for (const Step& step : world_.steps) {
      take(step);
      cluster().verify_counts();
    }
    session_.scheduler().flush([&](const cycle::PodResult& result) { record(result); });
    trace_.hash = session_.scheduler().hash().to_string();
    trace_.decisions = session_.scheduler().decisions();
    trace_.rows_off_main = session_.scheduler().rows_off_main();
    return std::move(trace_);
  }

 private:
  model::Cluster& cluster() { return session_.cluster(); }

  void take(const Step& step) {
    auto on_result = [&](const cycle::PodResult& result) { record(result); };
    if (step.kind != Step::Kind::kPod) session_.scheduler().flush(on_result);
    if (observer_ != nullptr) observer_->on_step(step);
    if (step.kind != Step::Kind::kPod) return apply(step, cluster());
    cluster().order_rows();
    session_.scheduler().schedule(cluster().refer(step.pod), on_result);
  }

  void record(const cycle::PodResult& result) {
    const framework::Decision* decision = result.decision;
    if (decision != nullptr) {
      trace_.scored += decision->scored;
      trace_.refused += decision->outcome == framework::Outcome::kUnschedulable &&
                        !decision->pre_filter && !decision->reasons.empty();
    }
    if (way_.details)
      for (std::string& text : describe(session_, result)) trace_.lines.push_back(std::move(text));
    if (observer_ != nullptr) observer_->on_result(session_, result);
  }

  const World& world_;
  const Way& way_;
  Observer* observer_;
  cli::Session session_;
  Trace trace_;
};

}  // namespace

framework::Workers& workers(int threads) {
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 8);
  static std::map<int, framework::Workers> made;
  BERTH_ASSERT(threads <= 8);
  return made.try_emplace(threads, threads).first->second;
}

cycle::Plugins& built_plugins() {
  static auto* plugins = [] {
    std::array<std::filesystem::path, 1> folders{BERTH_BUILD_DIR "/lib/berth/plugins"};
    host::Discovery discovery = host::discover(folders);
    if (!discovery.problems.empty()) throw discovery.problems.front().error;
    return new cycle::Plugins(std::move(discovery));
  }();
  return *plugins;
}

cycle::SchedulerOptions scheduler_options(const Way& way) {
  cycle::SchedulerOptions options;
  options.evaluation = way.evaluation;
  options.full = way.full;
  options.decide.seed = way.seed;
  options.decide.tie_break = way.tie_break;
  options.decide.forced_percentage = way.percentage;
  return options;
}

Trace run(const World& world, const Way& way, cycle::Plugins& plugins, Observer* observer) {
  return Recorder(world, way, plugins, observer).run();
}

void apply(const Step& step, model::Cluster& cluster) {
  switch (step.kind) {
    case Step::Kind::kPod:
      return;
    case Step::Kind::kPutNode:
      cluster.put_node(step.node);
      return;
    case Step::Kind::kRemoveNode:
      cluster.remove_node(step.node.name);
      return;
    case Step::Kind::kRemovePod:
      cluster.remove_pod(cluster.strings().intern(step.pod.namespace_name),
                         cluster.strings().intern(step.pod.name));
      return;
    case Step::Kind::kPutNamespace:
      cluster.put_namespace(step.name_space);
      return;
    case Step::Kind::kRemoveNamespace:
      cluster.remove_namespace(step.name_space.name);
      return;
    case Step::Kind::kPutSelectorOwner:
      cluster.put_selector_owner(step.selector_owner);
      return;
    case Step::Kind::kRemoveSelectorOwner:
      cluster.remove_selector_owner(step.selector_owner.kind, step.selector_owner.namespace_name,
                                    step.selector_owner.name);
      return;
  }
}

std::vector<std::string> describe(cli::Session& session, const cycle::PodResult& result) {
  return Describer(session).lines(result);
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
