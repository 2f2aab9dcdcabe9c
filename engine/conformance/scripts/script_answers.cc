#include "engine/conformance/scripts/script_answers.h"

#include <algorithm>
#include <set>
#include <vector>

#include "engine/base/error.h"
#include "engine/conformance/case_objects.h"
#include "engine/document/json/json_writer.h"

namespace berth::conformance {
namespace {

using document::Kind;
using document::Value;
using Names = std::vector<std::string>;

std::string pod_name(Value pod) {
  const Value metadata = pod.find("metadata");
  return text_of(metadata, "namespace") + "/" + text_of(metadata, "name");
}

bool flag(Value script, std::string_view name) {
  const Value value = script.find(name);
  return value.is(Kind::kBoolean) && value.as_bool();
}

bool lists(Value list, std::string_view text) {
  for (const Value one : list.elements())
    if (one.as_string() == text) return true;
  return false;
}

bool by_names(Value request) { return request.find("NodeNames").is(Kind::kArray); }

Names asked_nodes(Value request) {
  Names names;
  if (by_names(request)) {
    for (const Value name : request.find("NodeNames").elements())
      names.emplace_back(name.as_string());
  } else {
    for (const Value node : request.find("Nodes").find("items").elements())
      names.push_back(text_of(node.find("metadata"), "name"));
  }
  return names;
}

template <typename Write>
std::string written(Write&& write) {
  rapidjson::StringBuffer buffer;
  document::JsonWriter json(buffer);
  json.object([&] { write(json); });
  return {buffer.GetString(), buffer.GetSize()};
}

// The victims of a node: names of pods, or uids.
struct Victims {
  Names pods;
  int64_t violations = 0;
};

bool by_uids(Value request) { return request.find("NodeNameToMetaVictims").is(Kind::kObject); }

}  // namespace

ScriptAnswers::ScriptAnswers(Value root) : root_(root) {
  const auto add_pod = [&](Value pod) {
    const std::string uid = text_of(pod.find("metadata"), "uid");
    pods_by_uid_[uid] = pod_name(pod);
    uid_by_pod_[pod_name(pod)] = uid;
  };
  for (const Value object : root.find("objects").elements()) {
    const std::string kind = text_of(object, "kind");
    if (kind == "Node") nodes_[text_of(object.find("metadata"), "name")] = object;
    if (kind == "Pod") add_pod(object);
  }
  for (const Value pod : root.find("pods").elements()) add_pod(pod);
}

std::string ScriptAnswers::pod_of_uid(std::string_view uid) const {
  const auto known = pods_by_uid_.find(uid);
  return known != pods_by_uid_.end() ? known->second : "uid " + std::string(uid);
}

std::pair<ScriptRequest, ScriptAnswer> ScriptAnswers::answer(size_t extender,
                                                             const std::string& verb,
                                                             const std::string& body) const {
  Diagnostics diagnostics;
  const document::Document document = document::Document::parse(body, "request", diagnostics);
  if (diagnostics.count() != 0 || document.roots().size() != 1)
    throw Error("a request that is not JSON");
  const Value request = document.roots()[0];
  Value script;
  size_t index = 0;
  for (const Value one : root_.find("extenders").elements())
    if (index++ == extender) script = one.find(verb);
  ScriptAnswer made;
  made.never = flag(script, "timeout");
  if (const auto status = script.find("status").as_int64()) {
    made.status = static_cast<unsigned>(*status);
  } else if (flag(script, "garbage")) {
    made.body = "{not json";
  } else if (verb == "filter") {
    made.body = filter(script, request);
  } else if (verb == "preempt") {
    made.body = preempt(script, request);
  } else if (verb == "prioritize") {
    made.body = "[";
    for (const document::Member score : script.find("scores").members())
      made.body += (made.body.size() > 1 ? "," : "") + std::string("{\"Host\":") +
                   document::to_json(score.key_value) +
                   ",\"Score\":" + document::to_json(score.value) + "}";
    made.body += "]";
  } else if (verb == "bind") {
    made.body = written([&](auto& json) { json.member("Error", text_of(script, "error")); });
  } else {
    throw Error("a request with the verb " + verb);
  }
  return {recorded(extender, verb, request), made};
}

ScriptRequest ScriptAnswers::recorded(size_t extender, const std::string& verb,
                                      Value request) const {
  ScriptRequest made{extender, verb, pod_name(request.find("Pod")), {}};
  if (verb == "bind")
    made.pod = text_of(request, "PodNamespace") + "/" + text_of(request, "PodName");
  made.json = written([&](auto& json) {
    json.member("extender", uint64_t{extender});
    json.member("verb", verb);
    json.member("pod", made.pod);
    if (verb == "bind") return json.member("node", text_of(request, "Node"));
    if (verb != "preempt") {
      json.texts("nodes", asked_nodes(request));
      return json.member("form", by_names(request) ? "nodeNames" : "nodes");
    }
    json.member("form", by_uids(request) ? "metaVictims" : "victims");
    const Value nodes =
        request.find(by_uids(request) ? "NodeNameToMetaVictims" : "NodeNameToVictims");
    std::map<std::string, Value> sorted;
    for (const document::Member node : nodes.members()) sorted[std::string(node.key)] = node.value;
    json.object("victims", [&] {
      for (const auto& [node, of_node] : sorted) {
        const Value victims = of_node;
        json.object(node, [&] {
          Names pods;
          for (const Value pod : victims.find("Pods").elements())
            pods.push_back(by_uids(request) ? pod_of_uid(text_of(pod, "UID")) : pod_name(pod));
          json.texts("pods", pods);
          json.member("pdbViolations", victims.find("NumPDBViolations").as_int64().value_or(0));
        });
      }
    });
  });
  return made;
}

std::string ScriptAnswers::filter(Value script, Value request) const {
  const Names asked = asked_nodes(request);
  const bool always = flag(script, "always");
  std::set<std::string, std::less<>> gone;
  const auto failed = [&](std::string_view field) {
    std::map<std::string, std::string> map;
    for (const document::Member node : script.find(field).members()) {
      const bool is_asked = std::find(asked.begin(), asked.end(), node.key) != asked.end();
      if (is_asked || always) map[std::string(node.key)] = node.value.as_string();
      gone.emplace(node.key);
    }
    return map;
  };
  const auto refused = failed("refuse"), unresolvable = failed("unresolvable");
  Names left;
  for (const std::string& node : asked)
    if (!gone.contains(node) && !lists(script.find("omit"), node)) left.push_back(node);
  if (flag(script, "reverse")) std::reverse(left.begin(), left.end());
  if (const std::string claimed = text_of(script, "claim"); !claimed.empty())
    left.push_back(claimed);
  std::string form = text_of(script, "answerWith");
  if (form.empty()) form = by_names(request) ? "nodeNames" : "nodes";
  return written([&](auto& json) {
    if (form == "nodeNames") json.texts("NodeNames", left);
    if (form == "nodes")
      json.object("Nodes", [&] {
        json.array("items", left, [&](const std::string& name) {
          const auto known = nodes_.find(name);
          const std::string object =
              known != nodes_.end() ? document::to_json(known->second) : written([&](auto& node) {
                node.object("metadata", [&] { node.member("name", name); });
              });
          json.RawValue(object.data(), object.size(), rapidjson::kObjectType);
        });
      });
    const auto map = [&](std::string_view name, const std::map<std::string, std::string>& texts) {
      json.object(name, [&] {
        for (const auto& [node, text] : texts) json.member(node, text);
      });
    };
    map("FailedNodes", refused);
    map("FailedAndUnresolvableNodes", unresolvable);
    json.member("Error", text_of(script, "error"));
  });
}

std::string ScriptAnswers::preempt(Value script, Value request) const {
  std::map<std::string, Victims, std::less<>> answered;
  std::set<std::string> emptied;
  const Value nodes =
      request.find(by_uids(request) ? "NodeNameToMetaVictims" : "NodeNameToVictims");
  for (const document::Member node : nodes.members()) {
    const std::string name(node.key);
    if (lists(script.find("empty"), name)) emptied.insert(name);
    if (lists(script.find("drop"), name)) continue;
    Victims& victims = answered[name];
    victims.violations = node.value.find("NumPDBViolations").as_int64().value_or(0);
    for (const Value pod : node.value.find("Pods").elements())
      victims.pods.push_back(
          text_of(by_uids(request) ? pod : pod.find("metadata"), by_uids(request) ? "UID" : "uid"));
    const Value others = script.find("victims").find(name);
    if (others.present()) victims.pods.clear();
    for (const Value pod : others.elements()) {
      const auto known = uid_by_pod_.find(pod.as_string());
      victims.pods.push_back(known != uid_by_pod_.end() ? known->second
                                                        : "uid-" + std::string(pod.as_string()));
    }
    if (flag(script, "reverse")) std::reverse(victims.pods.begin(), victims.pods.end());
    if (const auto number = script.find("pdbViolations").find(name).as_int64())
      victims.violations = *number;
  }
  for (const std::string& name : emptied) answered[name].pods.clear();
  if (const std::string unknown = text_of(script, "unknown"); !unknown.empty())
    answered[unknown] = {};
  return written([&](auto& json) {
    json.object("NodeNameToMetaVictims", [&] {
      for (const auto& [node, of_node] : answered) {
        const auto& victims = of_node;
        json.object(node, [&] {
          json.array("Pods", victims.pods, [&](const std::string& uid) {
            json.object([&] { json.member("UID", uid); });
          });
          json.member("NumPDBViolations", victims.violations);
        });
      }
    });
  });
}

}  // namespace berth::conformance
