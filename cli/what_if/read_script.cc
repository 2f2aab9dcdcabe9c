#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/what_if/script.h"
#include "cli/what_if/watch_source.h"
#include "engine/base/rules/rules.h"
#include "engine/base/text/go_duration.h"
#include "engine/base/text/joined.h"
#include "engine/base/text/suggestion.h"
#include "engine/config/read/node.h"
#include "engine/controllers/drain/drain_options.h"
#include "engine/controllers/drain/label_selector_text.h"
#include "engine/document/document.h"
#include "engine/ingest/watch/input_format.h"
#include "engine/model/objects/names.h"
#include "engine/model/objects/string_map.h"

namespace berth::cli {
namespace {

using config::Faults;
using config::Node;
using document::Value;

constexpr std::string_view kScriptVersion = "berth/v1";
constexpr std::string_view kScriptKind = "WhatIf";

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (size_t i = 0; i <= static_cast<size_t>(Verb::kConfigure); ++i)
    names.emplace_back(verb_name(static_cast<Verb>(i)));
  return names;
}

std::optional<Verb> verb_named(std::string_view name) {
  const std::vector<std::string> names = verb_names();
  const auto at = std::ranges::find(names, name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Verb>(at - names.begin());
}

class ScriptReader {
 public:
  explicit ScriptReader(Faults& faults) : faults_(faults), reader_(faults) {}

  std::vector<Step> run(Value root) {
    if (!is_script(root)) return {};
    Node steps = Node{.value = root, .path = ""}.member({}, "steps");
    object({.value = root, .path = ""}, {{"apiVersion", [](const Node&) {}},
                                         {"kind", [](const Node&) {}},
                                         {"steps", [&](const Node& node) { steps = node; }}});
    if (!steps.set()) faults_.required(at(Node{.value = root, .path = ""}, steps));
    reader_.array(steps, [&](const Node& node) { step(node); });
    return std::move(steps_);
  }

 private:
  bool is_script(Value root) {
    return has_text(root, "apiVersion", kScriptVersion) && has_text(root, "kind", kScriptKind);
  }

  bool has_text(Value root, std::string_view name, std::string_view right) {
    const Value value = root.find(name);
    if (value.text() == right) return true;
    const std::string found =
        value.set() ? "not " + document::to_json(value) : std::string("but is missing");
    faults_.add(config::place_at(root, name), "must be " + document::quoted(right) + ", " + found);
    return false;
  }

  // The place of a member that may be missing: then that of its object.
  static Place at(const Node& object, const Node& member) {
    Place place = member.value.present() ? member.place() : object.place();
    place.field = member.path;
    return place;
  }

  // Reads an object, and names what an unknown member may stand for.
  void object(const Node& node, std::vector<config::Field> fields) {
    std::vector<std::string> names;
    for (const config::Field& field : fields) names.emplace_back(field.name);
    for (const document::Member& member : node.value.members())
      if (std::ranges::find(names, member.key) == names.end() &&
          std::ranges::find(fields, member.key, &config::Field::name) == fields.end())
        fields.push_back({member.key, [this, &names](const Node& one) { unknown(one, names); }});
    reader_.object(node, fields);
  }

  void unknown(const Node& node, const std::vector<std::string>& names) {
    const std::string name = node.path.substr(node.path.rfind('.') + 1);
    const std::string meant = nearest_word(name, names);
    faults_.add(node.place(),
                "unknown field " + document::quoted(name) +
                    (meant.empty() ? ": expected one of " + joined(names, ", ")
                                   : "; did you mean " + document::quoted(meant) + "?"));
  }

  void step(const Node& node) {
    Step step;
    step.place = node.place();
    std::vector<std::pair<Verb, Node>> verbs;
    std::vector<config::Field> fields;
    const std::vector<std::string> names = verb_names();
    for (const std::string& name : names)
      fields.push_back(
          {name, [&verbs, &name](const Node& one) { verbs.emplace_back(*verb_named(name), one); }});
    fields.push_back({"at", [&](const Node& one) { time(one, step, Step::Begins::kAt); }});
    fields.push_back({"after", [&](const Node& one) { time(one, step, Step::Begins::kAfter); }});
    const size_t faults_before = unknown_members(node, fields);
    object(node, fields);
    if (!node.value.is(document::Kind::kObject)) {
      if (!node.set()) faults_.required(node.place());
      return;
    }
    if (verbs.size() == 1) {
      read_verb(verbs.front().first, verbs.front().second, step);
    } else if (verbs.size() > 1 || faults_before == 0) {
      faults_.add(node.place(), "must have one of " + joined(names, ", ") + ", and has " +
                                    std::to_string(verbs.size()));
    }
    check_order(step);
    steps_.push_back(std::move(step));
  }

  static size_t unknown_members(const Node& node, const std::vector<config::Field>& fields) {
    size_t count = 0;
    for (const document::Member& member : node.value.members())
      count += std::ranges::find(fields, member.key, &config::Field::name) == fields.end();
    return count;
  }

  void time(const Node& node, Step& step, Step::Begins begins) {
    if (step.begins != Step::Begins::kTogether)
      return faults_.add(node.place(), "a step has one of at and after, and not both");
    const std::optional<int64_t> time = reader_.duration(node);
    if (!time) return;
    if (*time < 0)
      return faults_.invalid(node.place(), document::to_json(node.value), "must not be negative");
    step.begins = begins;
    step.time = Time(*time);
  }

  // Times of the clock are known as long as no step waits for the input to stand still.
  void check_order(const Step& step) {
    using Begins = Step::Begins;
    Place place = step.place;
    place.field += ".at";
    const bool is_first =
        steps_.empty() || (steps_.size() == 1 && steps_.front().verb == Verb::kConfigure);
    if (step.begins == Begins::kAt) {
      if (!is_first && !clock_)
        return faults_.add(std::move(place),
                           "the step before it begins when the input stands still: say after");
      if (clock_ && step.time < *clock_)
        return faults_.add(std::move(place),
                           "is before the step before it, which begins at " + go_duration(*clock_));
      clock_ = step.time;
    } else if (is_first) {
      clock_.reset();
    } else if (step.begins == Begins::kAfter && clock_) {
      *clock_ = step.time > Time::max() - *clock_ ? Time::max() : *clock_ + step.time;
    }
  }

  void read_verb(Verb verb, const Node& node, Step& step) {
    step.verb = verb;
    if (!node.set()) return faults_.required(node.place());
    if (verb == Verb::kScale) return scale(node, step);
    if (verb == Verb::kConfigure) return configure(node, step);
    std::vector<config::Field> fields = {
        {"node", [&](const Node& one) { node_names(one, step.nodes); }},
        {"nodes", [&](const Node& one) { selector(one, step.nodes); }}};
    if (verb == Verb::kDrain)
      fields.push_back({"options", [&](const Node& one) { drain_options(one, step); }});
    if (verb == Verb::kTaint || verb == Verb::kUntaint) add_taint_fields(fields, step);
    if (verb == Verb::kTaint)
      fields.push_back({"value", [&](const Node& one) { text(one, step.taint.value); }});
    if (verb == Verb::kLabel) add_label_fields(fields, step);
    object(node, fields);
    if (node.value.is(document::Kind::kObject)) check_verb(node, step);
  }

  void check_verb(const Node& node, const Step& step) {
    const auto needs = [&](std::string_view member) {
      const Node missing = node.member(node.value.find(member), member);
      if (!missing.set()) faults_.required(at(node, missing));
    };
    const bool both = node.value.find("node").set() && node.value.find("nodes").set();
    if (both)
      faults_.add(node.place(), "has node and nodes: names and a selector exclude each other");
    if (!both && !node.value.find("node").set()) needs("nodes");
    if (step.verb == Verb::kTaint) needs("effect");
    if (step.verb == Verb::kTaint || step.verb == Verb::kUntaint) needs("key");
    if (step.verb == Verb::kLabel && !node.value.find("without").set()) needs("set");
  }

  void text(const Node& node, std::string& to) {
    if (const std::optional<std::string> read = reader_.string(node)) to = *read;
  }

  void name(const Node& node, std::vector<std::string>& to) {
    const std::optional<std::string> read = reader_.string(node);
    if (!node.set() || (read && read->empty())) return faults_.required(node.place());
    if (!read) return;
    if (std::ranges::find(to, *read) != to.end()) return faults_.duplicate(node.place(), *read);
    to.push_back(*read);
  }

  void node_names(const Node& node, NodeChoice& nodes) {
    nodes.place = node.place();
    if (!node.set()) return;
    if (!node.value.is(document::Kind::kArray)) return name(node, nodes.names);
    reader_.array(node, [&](const Node& one) { name(one, nodes.names); });
    if (node.value.size() == 0) faults_.required(node.place());
  }

  void selector(const Node& node, NodeChoice& nodes) {
    nodes.place = node.place();
    text(node, nodes.selector_text);
    if (!node.value.is(document::Kind::kString)) return;
    if (nodes.selector_text.find_first_not_of(" \t") == std::string::npos)
      return faults_.invalid(node.place(), document::quoted(nodes.selector_text),
                             "must be a label selector such as topology.kubernetes.io/zone=a");
    checked(node, [&] { nodes.selector = controllers::parse_label_selector(nodes.selector_text); });
  }

  // Runs what throws Error for a wrong value.
  template <typename Check>
  void checked(const Node& node, Check check) {
    try {
      check();
    } catch (const Error& error) {
      faults_.add(node.place(), error.message());
    }
  }

  void drain_options(const Node& node, Step& step) {
    text(node, step.options);
    checked(node, [&] { controllers::parse_drain_options(step.options); });
  }

  void add_taint_fields(std::vector<config::Field>& fields, Step& step) {
    fields.push_back({"key", [this, &step](const Node& one) {
                        text(one, step.taint.key);
                        if (one.set() && step.taint.key.empty()) faults_.required(one.place());
                      }});
    fields.push_back({"effect", [this, &step](const Node& one) { effect(one, step.taint); }});
  }

  void effect(const Node& node, model::Taint& taint) {
    const std::optional<std::string> read = reader_.string(node);
    if (!read) return;
    if (*read != "NoSchedule" && *read != "PreferNoSchedule" && *read != "NoExecute")
      return faults_.add(
          node.place(), "Unsupported value: " + document::quoted(*read) +
                            R"(: supported values: "NoExecute", "NoSchedule", "PreferNoSchedule")");
    taint.effect = *read;
  }

  void add_label_fields(std::vector<config::Field>& fields, Step& step) {
    fields.push_back({"set", [this, &step](const Node& one) { labels(one, step.labels); }});
    fields.push_back({"without", [this, &step](const Node& one) {
                        reader_.array(one,
                                      [&](const Node& key) { name(key, step.without_labels); });
                      }});
  }

  void labels(const Node& node, model::StringMap& to) {
    std::vector<config::Field> fields;
    for (const document::Member& member : node.value.members())
      fields.push_back({member.key, [this, &to, key = std::string(member.key)](const Node& one) {
                          label(one, key, to);
                        }});
    // A key that is there twice has two fields: the reader calls the first one, and reports the
    // second one.
    reader_.object(node, fields);
    std::ranges::sort(to);
  }

  void label(const Node& node, const std::string& key, model::StringMap& to) {
    const std::optional<std::string> value = reader_.string(node);
    if (!node.set()) return faults_.required(node.place());
    if (!value) return;
    if (const auto problem = model::label_value_problem(*value))
      return faults_.invalid(node.place(), document::quoted(*value), *problem);
    to.emplace_back(key, *value);
  }

  void scale(const Node& node, Step& step) {
    Node replicas = node.member({}, "replicas"), workload = node.member({}, "workload");
    step.scaling.namespace_name = "default";
    object(node, {{"workload", [&](const Node& one) { workload = one; }},
                  {"namespace", [&](const Node& one) { text(one, step.scaling.namespace_name); }},
                  {"replicas", [&](const Node& one) { replicas = one; }}});
    if (!node.value.is(document::Kind::kObject)) return;
    step.scaling.place = at(node, workload);
    if (!workload.set()) faults_.required(at(node, workload));
    if (!replicas.set()) faults_.required(at(node, replicas));
    if (const auto name = reader_.string(workload)) workload_name(workload, *name, step.scaling);
    const std::optional<int32_t> count = reader_.int32(replicas);
    if (count && *count < 0)
      return faults_.invalid(replicas.place(), std::to_string(*count), "must not be negative");
    step.scaling.replicas = static_cast<uint64_t>(count.value_or(0));
  }

  void workload_name(const Node& node, const std::string& text, Scaling& to) {
    const size_t slash = text.find('/');
    const std::string kind = text.substr(0, slash);
    if (slash == std::string::npos || slash == 0 || slash + 1 == text.size() ||
        text.find('/', slash + 1) != std::string::npos)
      return faults_.invalid(node.place(), document::quoted(text),
                             "must be KIND/NAME, such as Deployment/web");
    if (std::ranges::find(scalable_kinds(), kind) == scalable_kinds().end()) {
      const std::string meant = nearest_word(kind, scalable_kinds());
      return faults_.add(node.place(),
                         "no kind of workload with replicas is called " + document::quoted(kind) +
                             (meant.empty() ? ": expected one of " + joined(scalable_kinds(), ", ")
                                            : "; did you mean " + document::quoted(meant) + "?"));
    }
    to.kind = kind;
    to.name = text.substr(slash + 1);
  }

  void configure(const Node& node, Step& step) {
    if (!steps_.empty() || step.begins != Step::Begins::kTogether)
      faults_.add(node.place(),
                  "must be the first step, without a time: it holds for the whole second run");
    object(node, {{"config", [&](const Node& one) { text(one, step.other.file); }},
                  {"kubeVersion", [&](const Node& one) { version(one, step.other); }},
                  {"featureGates", [&](const Node& one) { gates(one, step.other); }}});
    if (node.value.is(document::Kind::kObject) && node.value.size() == 0)
      faults_.add(node.place(), "must have one of config, kubeVersion, featureGates");
  }

  void version(const Node& node, OtherConfiguration& other) {
    const std::optional<std::string> read = reader_.string(node);
    if (!read) return;
    if (!kube_version_named(*read))
      return faults_.add(node.place(),
                         "Unsupported value: " + document::quoted(*read) +
                             ": supported values: " + joined(kube_versions(), ", ", version_text));
    other.version = *read;
  }

  void gates(const Node& node, OtherConfiguration& other) {
    std::vector<config::Field> fields;
    for (const document::Member& member : node.value.members())
      fields.push_back({member.key, [this, &other, name = member.key](const Node& one) {
                          if (const std::optional<bool> value = reader_.boolean(one))
                            other.gates += fmt::format("{}{}={}", other.gates.empty() ? "" : ",",
                                                       name, *value);
                        }});
    reader_.object(node, fields);
  }

  Faults& faults_;
  config::Reader reader_;
  std::vector<Step> steps_;
  // When the last step begins; nothing: there is none, or it waits for the input to stand still.
  std::optional<Time> clock_;
};

void throw_faults(const std::string& name, std::vector<Error> faults) {
  if (faults.empty()) return;
  if (faults.size() == 1) throw Error(faults.front());
  std::vector<std::string> details;
  for (const Error& fault : faults) details.emplace_back(fault.what());
  throw Error(Place{.file = name, .field = {}}, "the script has several faults:", details);
}

Script script_of(const document::Document& document, const Diagnostics& malformed,
                 const std::string& name) {
  throw_faults(name, malformed.kept());
  if (document.roots().size() != 1)
    throw Error(
        Place{.file = name, .field = {}},
        fmt::format("must have one document of kind {}, apiVersion {}, and has {} documents",
                    kScriptKind, kScriptVersion, document.roots().size()));
  Faults faults;
  Script script{.file = name, .steps = ScriptReader(faults).run(document.roots().front())};
  throw_faults(name, faults.take());
  return script;
}

}  // namespace

Script read_script(const std::string& path) {
  const ingest::Input input = ingest::open_input(path);
  std::string text = read_all(*input.source);
  if (input.format != ingest::InputFormat::kWatch) return parse_script(text, path);
  check_watch(path, text);
  return {.file = path, .steps = {}, .watch = std::move(text)};
}

Script parse_script(std::string_view text, const std::string& name) {
  Diagnostics malformed;
  const document::Document document = document::Document::parse(text, name, malformed);
  return script_of(document, malformed, name);
}

}  // namespace berth::cli
