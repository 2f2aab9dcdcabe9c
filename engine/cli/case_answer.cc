#include "engine/cli/case_answer.h"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/cli/codes.h"
#include "engine/cli/session.h"
#include "engine/document/json/json_writer.h"
#include "engine/ingest/objects/objects.h"

namespace berth::cli {
namespace {

using document::Value;

// The objects of a case are what the scheduler saw, so nothing is filled in, and nothing may be
// wrong.
template <typename Decode>
auto decoded(Value value, Decode decode) {
  Diagnostics diagnostics;
  auto object = decode(value, diagnostics, ingest::Defaults::kNone);
  if (!object) throw diagnostics.kept().front();
  return std::move(*object);
}

std::string text_of(Value object, std::string_view field) {
  Value text = object.find(field);
  return text.is(document::Kind::kString) ? std::string(text.as_string()) : std::string();
}

// What is no case is not answered as one without pods.
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

// Whether the case asks how many nodes a search looks at: it has `steps`. Where the recorded
// answers were taken out, such a case is one whose configuration gives a percentage below 100,
// because all other cases look at every node.
bool counts_steps(Value root) {
  if (root.find("steps").present()) return true;
  if (root.find("expect").present()) return false;
  const Value percentage = root.find("config").find("percentageOfNodesToScore");
  return percentage.present() && percentage.as_int64().value_or(100) < 100;
}

class CaseRun {
 public:
  CaseRun(const document::Document& document, Value root, cycle::Plugins& plugins,
          framework::Evaluation evaluation)
      : root_(root), writer_(buffer_) {
    check_case(root);
    sampling_ = counts_steps(root);
    history_ = root.find("history").present();
    if (history_ && root.find("popFromBackoff").present())
      throw Error(root.find("history").place(),
                  "the case is a history of the scheduling queue, which is not built yet");
    cycle::SchedulerOptions options;
    options.evaluation = evaluation;
    options.decide.tie_break = framework::TieBreak::kName;
    options.decide.every_node = !sampling_ && !history_;
    options.assume = options.decide.every_node;
    Value config = root.find("config");
    session_ = std::make_unique<Session>(
        config.present() ? config::from_value(document, config) : config::defaults(), plugins,
        options, nullptr);
  }

  CaseAnswer run() {
    writer_.StartObject();
    for (Value object : root_.find("objects").elements()) add_object(object);
    if (history_) {
      answer_history();
    } else if (sampling_) {
      answer_steps();
    } else {
      answer_expect();
    }
    writer_.EndObject();
    return {buffer_.GetString(), session_->assembly().missing};
  }

 private:
  void add_object(Value object) {
    std::string kind = text_of(object, "kind");
    if (kind == "Node") session_->cluster().put_node(decoded(object, ingest::decode_node));
    if (kind == "Namespace")
      session_->cluster().put_namespace(decoded(object, ingest::decode_namespace));
    if (kind == "Pod") add_pod(decoded(object, ingest::decode_pod));
    if (auto set = ingest::selector_owner_kind(kind, text_of(object, "apiVersion")))
      session_->cluster().put_selector_owner(
          decoded(object, [&](Value value, Diagnostics& diagnostics, ingest::Defaults defaults) {
            return ingest::decode_selector_owner(value, *set, diagnostics, defaults);
          }));
  }

  void add_pod(const model::Pod& pod) {
    if (pod.finished()) return;
    model::PodRecord ref = session_->cluster().refer(pod);
    if (pod.bound()) {
      session_->cluster().place(ref, pod.spec.node_name);
    } else {
      session_->cluster().nominate(ref);
    }
  }

  model::PodRecord pending(Value object) {
    return session_->cluster().refer(decoded(object, ingest::decode_pod));
  }

  template <typename OnResult>
  void schedule(const model::PodRecord& pod, OnResult&& on_result) {
    session_->cluster().order_rows();
    session_->scheduler().schedule(pod, on_result);
    session_->cluster().forget_nomination(pod);
  }

  void answer_expect() {
    writer_.key("expect");
    writer_.StartArray();
    for (Value pod : root_.find("pods").elements())
      schedule(pending(pod), [&](const cycle::PodResult& result) { write_result(result); });
    writer_.EndArray();
    session_->scheduler().flush([](const cycle::PodResult&) {});
  }

  void write_result(const cycle::PodResult& result) {
    model::Cluster& cluster = session_->cluster();
    writer_.StartObject();
    writer_.member("pod", std::string(cluster.text(result.pod->namespace_name)) + "/" +
                              std::string(cluster.text(result.pod->name)));
    writer_.member("result", outcome_name(result.outcome));
    if (result.outcome == cycle::PodOutcome::kGated) writer_.member("gatedBy", result.gated_by);
    if (result.outcome != cycle::PodOutcome::kScheduled &&
        result.outcome != cycle::PodOutcome::kIgnored)
      writer_.member("message", result.message);
    if (result.decision != nullptr) write_decision(*result.decision);
    writer_.EndObject();
  }

  void write_decision(const framework::Decision& decision) {
    if (decision.pre_filter) {
      writer_.key("preFilter");
      writer_.StartObject();
      writer_.member("feasible", false);
      writer_.member("plugin", decision.pre_filter->plugin);
      writer_.member("code", code_name(decision.pre_filter->code));
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
    for (model::Row row = 0; row < session_->cluster().nodes().rows(); ++row) {
      auto refusal = session_->scheduler().decider().refusal(row);
      writer_.key(session_->cluster().node_name(row));
      writer_.StartObject();
      writer_.member("feasible", !refusal.has_value());
      if (refusal) {
        writer_.member("plugin", refusal->plugin);
        writer_.member("code", code_name(refusal->code));
        writer_.texts("reasons", refusal->reasons);
      }
      writer_.EndObject();
    }
    writer_.EndObject();
  }

  template <typename Visit>
  void for_each_feasible(Visit&& visit) {
    const framework::SearchResult& window = session_->scheduler().decider().window();
    window.for_each_row([&](model::Row row) {
      if (window.refuser[row] == framework::kFeasible) visit(row);
    });
  }

  void write_scores() {
    framework::Decider& decider = session_->scheduler().decider();
    writer_.key("scores");
    writer_.StartObject();
    for_each_feasible([&](model::Row row) {
      writer_.key(session_->cluster().node_name(row));
      writer_.StartObject();
      for (const framework::HookScores& scores : decider.scores()) {
        const auto& hook = decider.cycle().profile->score[scores.hook];
        writer_.member(hook.point->plugin(), hook.weight * scores.final(row));
      }
      writer_.member("total", decider.window().total[row]);
      writer_.EndObject();
    });
    writer_.EndObject();
  }

  void write_best(const framework::Decision& decision) {
    std::vector<std::string> best;
    const framework::SearchResult& window = session_->scheduler().decider().window();
    for_each_feasible([&](model::Row row) {
      if (!decision.scored || window.total[row] == window.total[decision.row])
        best.emplace_back(session_->cluster().node_name(row));
    });
    std::sort(best.begin(), best.end());
    writer_.texts("best", best);
    writer_.member("bind", best.front());
  }

  void answer_steps() {
    writer_.key("steps");
    writer_.StartArray();
    for (Value pod : root_.find("pods").elements()) {
      model::PodRecord ref = pending(pod);
      schedule(ref, [&](const cycle::PodResult& result) {
        writer_.StartObject();
        writer_.member("pod", std::string(session_->cluster().text(ref.namespace_name)) + "/" +
                                  std::string(session_->cluster().text(ref.name)));
        write_step(result);
        writer_.EndObject();
      });
    }
    writer_.EndArray();
    session_->cluster().order_rows();
    write_order();
  }

  void write_step(const cycle::PodResult& result) {
    writer_.member("result", outcome_name(result.outcome));
    writer_.member("evaluated", result.decision != nullptr ? result.decision->evaluated : 0u);
    writer_.member("feasible", result.decision != nullptr ? result.decision->feasible : 0u);
  }

  // The order of the last search: rows are not put in order again for nodes that came after it.
  void write_order() {
    std::vector<std::string> names;
    for (model::Row row = 0; row < session_->cluster().nodes().rows(); ++row)
      names.emplace_back(session_->cluster().node_name(row));
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
      writer_.member("next", session_->scheduler().start_index());
      writer_.EndObject();
    }
    writer_.EndArray();
    writer_.texts("nodeOrder", order);
  }

  void history_step(const std::string& op, Value step, std::vector<std::string>& order) {
    if (op == "addNode" || op == "updateNode") {
      session_->cluster().put_node(decoded(step.find("object"), ingest::decode_node));
    } else if (op == "deleteNode") {
      session_->cluster().remove_node(step.find("name").as_string());
    } else if (op == "pod") {
      schedule(pending(step.find("object")), [&](const cycle::PodResult& r) { write_step(r); });
      order.clear();
      for (model::Row row = 0; row < session_->cluster().nodes().rows(); ++row)
        order.emplace_back(session_->cluster().node_name(row));
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
  rapidjson::StringBuffer buffer_;
  document::JsonWriter writer_;
  std::unique_ptr<Session> session_;
};

}  // namespace

CaseAnswer answer_case(const document::Document& document, Value root, cycle::Plugins& plugins,
                       framework::Evaluation evaluation) {
  if (!root.is(document::Kind::kObject)) throw Error(root.place(), "a case is a JSON object");
  return CaseRun(document, root, plugins, evaluation).run();
}

}  // namespace berth::cli
