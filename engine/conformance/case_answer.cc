#include "engine/conformance/case_answer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/timeline.h"
#include "engine/conformance/history/history_run.h"
#include "engine/conformance/scripts/case_script.h"
#include "engine/document/json/json_writer.h"
#include "engine/host/calls/checks/code_name.h"
#include "engine/ingest/objects/objects.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/runtime/core.h"

namespace berth::conformance {
namespace {

using document::Value;

// Rejects malformed cases; without this, they would be answered like cases without pods.
void check_case(Value root) {
  const auto fail = [&](Value at, const std::string& expected) {
    Place place = (at.present() ? at : root).place();
    throw Error(std::move(place), "is no conformance case: expected " + expected);
  };
  if (!root.is(document::Kind::kObject)) fail(root, "an object");
  for (const char* key : {"objects", "pods", "history"}) {
    const Value list = root.find(key);
    if (list.present() && !list.is(document::Kind::kArray))
      fail(list, std::string("a list at ") + key);
  }
  if (!root.find("objects").present() && !root.find("history").present())
    fail(root, "a list of objects");
  if (!root.find("pods").present() && !root.find("history").present())
    fail(root, "a list of pods, or a history");
}

// True if the case asks how many nodes a search evaluates: it has `steps`. If the recorded answers
// were removed from the case, it is recognised by a configured percentage below 100, because all
// other cases evaluate every node.
bool counts_steps(Value root) {
  if (root.find("steps").present()) return true;
  if (root.find("expect").present()) return false;
  const Value percentage = root.find("config").find("percentageOfNodesToScore");
  return percentage.present() && percentage.as_int64().value_or(100) < 100;
}

// The version whose answers the case records. Throws Error for another one.
KubeVersion version_of(Value root) {
  const Value version = root.find("version");
  if (!version.present()) return KubeVersion::k1_34;
  const std::optional<KubeVersion> known =
      version.is(document::Kind::kString) ? kube_version_named(version.as_string()) : std::nullopt;
  if (!known) throw Error(version.place(), "expected a version of Kubernetes, such as \"1.36.2\"");
  return *known;
}

// The recorder makes extenders without kube-scheduler's validation of them, so what that refuses
// takes part in cases. Everything else is validated. Throws InvalidConfiguration.
config::Configuration recorded_configuration(const document::Document& document, Value config,
                                             const Rules& rules) {
  config::Checked checked = config::check(document, config, rules);
  std::erase_if(checked.faults,
                [](const Error& fault) { return fault.place().field.starts_with("extenders["); });
  if (!checked.faults.empty()) throw config::InvalidConfiguration(std::move(checked.faults));
  return *std::move(checked.configuration);
}

class CaseRun {
 public:
  CaseRun(const document::Document& document, Value root, runtime::Plugins& plugins,
          const Method& method)
      : root_(root), writer_(buffer_) {
    check_case(root);
    sampling_ = counts_steps(root);
    history_ = root.find("history").present();
    form_ = history_form(root);
    runtime::CoreOptions options;
    options.deadlines = method.deadlines;
    options.scheduler.evaluation = method.evaluation;
    options.scheduler.full.workers = method.workers;
    options.scheduler.full.parallel_from = options.scheduler.full.grain = framework::kBlock;
    options.scheduler.full.measured = false;
    options.scheduler.decide.tie_break = framework::TieBreak::kName;
    options.scheduler.decide.every_node = !sampling_ && !history_;
    options.scheduler.assume = options.scheduler.decide.every_node || form_;
    Rules rules(version_of(root));
    if (form_) {
      const Value pops = root.find("popFromBackoff");
      rules.set(Rule::kPopFromBackoff, pops.is(document::Kind::kBoolean) && pops.as_bool());
      options.scheduler.queue.equal_times = true;  // the recorded clock stands still between steps
      options.scheduler.bind_batch = 1;
      options.observer = &recorder_;
    }
    if (!form_) rules.set(Rule::kBatches, false);  // single attempts were recorded one by one
    options.server = &server_;
    options.scheduler.preempts = form_.has_value();
    // Histories of the scheduler were recorded with its cache, everything else without.
    if (form_ != HistoryForm::kScheduler) options.image_rule = model::ImageRule::kReported;
    Value config = root.find("config");
    config::Configuration configuration = config.present()
                                              ? recorded_configuration(document, config, rules)
                                              : config::defaults(config::Version::kV1, rules);
    if (const Value script = root.find("script"); script.present())
      script_ = add_script(script, configuration);
    core_ = std::make_unique<runtime::Core>(std::move(configuration), plugins, std::move(options));
    server_.attach(*core_);
  }

  std::string run() {
    writer_.StartObject();
    if (form_) {
      HistoryRun(*form_, *core_, {*core_, server_}, bindings_, recorder_, writer_).run(root_);
    } else {
      for (Value object : root_.find("objects").elements()) add_object(object);
      answer();
    }
    writer_.EndObject();
    return buffer_.GetString();
  }

 private:
  void answer() {
    if (history_) {
      answer_history();
    } else if (sampling_) {
      answer_steps();
    } else {
      answer_expect();
    }
  }

  void add_object(Value object) {
    if (text_of(object, "kind") == "Pod") return add_pod(decoded(object, ingest::decode_pod));
    if (const auto read = object_of(object)) apply(model::modified(*read));
  }

  void apply(const model::Change& change) { core_->door().apply(change, "case"); }

  void add_pod(model::Pod pod) {
    ingest::Objects objects;
    objects.pods.push_back(std::move(pod));
    core_->door().apply(objects, "case");
  }

  // Tries a pod that is not in the cluster, once. Calls `on_report` with the result while the
  // details of the decision are valid. Afterwards the pod is in the cluster only if it was assumed
  // there.
  template <typename OnReport>
  void schedule(Value object, OnReport&& on_report) {
    const model::Pod pod = decoded(object, ingest::decode_pod);
    const model::PodId known = core_->cluster().find_pod(pod.namespace_name, pod.name);
    if (known) core_->door().remove(known);
    const model::PodId id = core_->door().add(pod);
    core_->report_to([&](const runtime::Report& report) {
      if (runtime::outcome_of(report)) on_report(report);
      if (const auto* bound = std::get_if<runtime::Bound>(&report)) bound_by_ = bound->extender;
      if (const auto* failed = std::get_if<runtime::BindingFailed>(&report))
        binding_error_ = failed->message;
    });
    core_->door().arrive({&id, 1});
    core_->step();
    core_->settle();
    core_->report_to([](const runtime::Report&) {});
    if (!core_->cluster().pod(id).placed()) core_->door().remove(id);
  }

  void answer_expect() {
    writer_.key("expect");
    writer_.StartArray();
    for (Value pod : root_.find("pods").elements()) {
      bound_by_.clear();
      binding_error_.clear();
      best_.clear();
      core_->advance_to(core_->now() + std::chrono::milliseconds(1));
      schedule(pod, [&](const runtime::Report& report) { write_report(report); });
      finish_entry();
    }
    writer_.EndArray();
  }

  // Writes the members that are known once the pod is bound.
  void finish_entry() {
    if (!std::exchange(entry_open_, false)) return;
    const bool failed = !binding_error_.empty();
    writer_.member("result",
                   runtime::outcome_name(failed ? runtime::PodOutcome::kError : outcome_));
    if (failed) writer_.member("event", binding_error_);
    if (!best_.empty() && (!failed || best_are_scored_)) writer_.texts("best", best_);
    if (!best_.empty() && !failed) writer_.member("bind", best_.front());
    const auto& extenders = core_->configuration().extenders;
    for (size_t i = 0; i < extenders.size(); ++i)
      if (extenders[i].url_prefix == bound_by_)
        writer_.member("boundBy", "ext-" + std::to_string(i));
    writer_.EndObject();
  }

  std::string name_of(const runtime::Report& report) { return full_name(runtime::pod_of(report)); }

  std::string full_name(model::PodId id) { return model::full_name(core_->cluster(), id); }

  void write_report(const runtime::Report& report) {
    writer_.StartObject();
    writer_.member("pod", name_of(report));
    entry_open_ = true;
    outcome_ = *runtime::outcome_of(report);
    std::visit(runtime::Match{
                   [&](const runtime::Gated& gated) {
                     writer_.member("gatedBy", gated.plugin);
                     writer_.member("message", gated.message);
                   },
                   [&](const runtime::Refused& refused) {
                     writer_.member("message", refused.decision->message);
                     write_preemption(*refused.decision);
                     write_refusers(*refused.decision);
                   },
                   [&](const runtime::Failed& failed) {
                     writer_.member(has_extenders() ? "event" : "message",
                                    failed.decision->message);
                   },
                   [](const auto&) {},
               },
               report);
    if (const framework::Decision* decision = runtime::decision_of(report))
      write_decision(*decision);
  }

  bool has_extenders() const { return !core_->configuration().extenders.empty(); }

  // Cases of other features do not record them.
  void write_refusers(const framework::Decision& decision) {
    if (!has_extenders()) return;
    framework::Refusers all = decision.refused_by;
    for (const std::string& plugin : decision.refused_by.pending) all.add(plugin, BERTH_SUCCESS);
    writer_.texts("plugins", all.plugins);
  }

  // Cases leave out what is said about resource claims, and say nothing of preemption in a profile
  // without it.
  void write_preemption(const framework::Decision& decision) {
    if (!decision.post_filter) return;
    framework::PostFilterResult result = *decision.post_filter;
    const bool nominates = decision.nominating == framework::Nominating::kSet;
    std::erase_if(result.texts, [](const framework::PostFilterResult::Text& said) {
      return said.text.ends_with(" claims to deallocate");
    });
    if (result.texts.empty() && !nominates) return;
    const std::string added = result.joined_texts();
    writer_.member("event", added.empty() ? decision.message : decision.message + " " + added);
    const model::Cluster& cluster = core_->cluster();
    std::vector<std::string> victims;
    for (const model::PodId victim : result.victims) victims.push_back(full_name(victim));
    std::sort(victims.begin(), victims.end());
    writer_.key("preemption");
    writer_.StartArray();
    writer_.StartObject();
    writer_.member("node", nominates ? cluster.node_name(result.row) : std::string_view());
    writer_.texts("victims", victims);
    writer_.EndObject();
    writer_.EndArray();
  }

  void write_decision(const framework::Decision& decision) {
    if (decision.pre_filter) {
      writer_.key("preFilter");
      writer_.StartObject();
      writer_.member("feasible", false);
      writer_.member("plugin", decision.pre_filter->plugin);
      writer_.member("code", host::code_name(decision.pre_filter->code));
      writer_.texts("reasons", decision.pre_filter->reasons);
      writer_.EndObject();
      return;
    }
    if (decision.outcome == framework::Outcome::kError) return;
    write_nodes();
    if (decision.scored) write_scores();
    if (decision.outcome == framework::Outcome::kScheduled) write_best(decision);
  }

  void write_nodes() {
    writer_.key("nodes");
    writer_.StartObject();
    for (model::Row row = 0; row < core_->cluster().nodes().rows(); ++row) {
      auto refusal = core_->scheduler().decisions().decider().refusal(row);
      writer_.key(core_->cluster().node_name(row));
      writer_.StartObject();
      writer_.member("feasible", !refusal.has_value());
      if (refusal) {
        writer_.member("plugin", refusal->plugin);
        if (refusal->code != framework::kLeftOut) {
          writer_.member("code", host::code_name(refusal->code));
          writer_.texts("reasons", refusal->reasons);
        }
      }
      writer_.EndObject();
    }
    writer_.EndObject();
  }

  template <typename Visit>
  void for_each_feasible(Visit&& visit) {
    const framework::SearchResult& search_result =
        core_->scheduler().decisions().decider().search_result();
    search_result.for_each_row([&](model::Row row) {
      if (search_result.refuser[row] == framework::kFeasible) visit(row);
    });
  }

  void write_scores() {
    framework::Decider& decider = core_->scheduler().decisions().decider();
    writer_.key("scores");
    writer_.StartObject();
    for_each_feasible([&](model::Row row) {
      writer_.key(core_->cluster().node_name(row));
      writer_.StartObject();
      for (const framework::HookScores& scores : decider.scores()) {
        const auto& hook = decider.cycle().profile->score[scores.hook];
        writer_.member(hook.point->plugin(), hook.weight * scores.final(row));
      }
      for (const framework::ExtenderScores& scores : decider.extender_scores())
        for (const auto& [scored, weighted] : scores.weighted)
          if (scored == row) writer_.member(scores.extender, weighted);
      writer_.member("total", decider.search_result().total(row));
      writer_.EndObject();
    });
    writer_.EndObject();
  }

  void write_best(const framework::Decision& decision) {
    const framework::SearchResult& search_result =
        core_->scheduler().decisions().decider().search_result();
    for_each_feasible([&](model::Row row) {
      if (!decision.scored || search_result.total(row) == search_result.total(decision.row))
        best_.emplace_back(core_->cluster().node_name(row));
    });
    std::sort(best_.begin(), best_.end());
    best_are_scored_ = decision.scored;
  }

  void answer_steps() {
    writer_.key("steps");
    writer_.StartArray();
    for (Value pod : root_.find("pods").elements()) {
      schedule(pod, [&](const runtime::Report& report) {
        writer_.StartObject();
        writer_.member("pod", name_of(report));
        write_step(report);
        writer_.EndObject();
      });
    }
    writer_.EndArray();
    core_->snapshot();
    write_order();
  }

  void write_step(const runtime::Report& report) {
    const framework::Decision* decision = runtime::decision_of(report);
    writer_.member("result", runtime::outcome_name(*runtime::outcome_of(report)));
    writer_.member("evaluated", decision != nullptr ? decision->evaluated : 0u);
    writer_.member("feasible", decision != nullptr ? decision->feasible : 0u);
  }

  // The order of the last search: rows are not put in order again for nodes that came after it.
  void write_order() {
    std::vector<std::string> names;
    for (model::Row row = 0; row < core_->cluster().nodes().rows(); ++row)
      names.emplace_back(core_->cluster().node_name(row));
    writer_.texts("nodeOrder", names);
  }

  void answer_history() {
    std::vector<std::string> order;
    writer_.key("history");
    writer_.StartArray();
    for (Value step : root_.find("history").elements()) {
      Value op = step.find("op");
      if (!op.is(document::Kind::kString)) throw Error(step.place(), "a step needs an op");
      writer_.StartObject();
      writer_.member("op", op.as_string());
      history_step(std::string(op.as_string()), step, order);
      writer_.member("next", core_->scheduler().decisions().start_index());
      writer_.EndObject();
    }
    writer_.EndArray();
    writer_.texts("nodeOrder", order);
  }

  void history_step(const std::string& op, Value step, std::vector<std::string>& order) {
    if (op == "addNode" || op == "updateNode") {
      apply(model::modified(decoded(step.find("object"), ingest::decode_node)));
    } else if (op == "deleteNode") {
      apply(model::deleted_node(std::string(step.find("name").as_string())));
    } else if (op == "pod") {
      schedule(step.find("object"), [&](const runtime::Report& report) { write_step(report); });
      order.clear();
      for (model::Row row = 0; row < core_->cluster().nodes().rows(); ++row)
        order.emplace_back(core_->cluster().node_name(row));
      return;
    } else {
      throw Error(step.place(), "a history of searches has no step \"" + op +
                                    "\"; known are addNode, updateNode, deleteNode and pod");
    }
    writer_.member("evaluated", 0u);
    writer_.member("feasible", 0u);
  }

  Value root_;
  bool sampling_ = false;
  bool history_ = false;
  std::optional<HistoryForm> form_;  // of a history of the scheduler or the queue
  OrderedBindings bindings_;
  // Cases were recorded with a server without admission.
  played::ApiServer server_{{.bindings = &bindings_, .admission = false}};
  HistoryRecorder recorder_;
  document::Document script_;  // owns arguments
  rapidjson::StringBuffer buffer_;
  document::JsonWriter writer_;
  std::unique_ptr<runtime::Core> core_;
  // The answer for the pod at hand.
  runtime::PodOutcome outcome_{};
  std::vector<std::string> best_;  // nodes, by name
  bool best_are_scored_ = false;
  bool entry_open_ = false;
  std::string bound_by_, binding_error_;
};

}  // namespace

namespace {

std::string answer_of_controllers(Value root) {
  rapidjson::StringBuffer buffer;
  document::JsonWriter writer(buffer);
  writer.object([&] { answer_timeline(root, writer); });
  return buffer.GetString();
}

}  // namespace

std::string answer_case(const document::Document& document, Value root, runtime::Plugins& plugins,
                        const Method& method) {
  if (!root.is(document::Kind::kObject)) throw Error(root.place(), "a case is a JSON object");
  if (has_timeline(root)) return answer_of_controllers(root);
  return CaseRun(document, root, plugins, method).run();
}

}  // namespace berth::conformance
