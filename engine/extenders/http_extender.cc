#include "engine/extenders/http_extender.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "berth/abi/base.h"
#include "engine/base/assert.h"
#include "engine/document/document.h"
#include "engine/extenders/answers.h"
#include "engine/extenders/objects.h"

namespace berth::extenders {
namespace {

HttpClient client_for(const config::Extender& config) try {
  return HttpClient(config);
} catch (const Error& error) {
  throw Error(config.place, error.message());
}

void append_text(std::string_view text, std::string& out) {
  document::append_json_string(text, out);
}

// Appends the elements, separated by commas.
template <typename List, typename Append>
void append_list(const List& list, std::string& out, Append&& append) {
  bool first = true;
  for (const auto& element : list) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
}

}  // namespace

HttpExtender::HttpExtender(const config::Extender& config, const model::Cluster& cluster,
                           const WholeObjects& whole, AnsweredNodes& answered)
    : config_(config),
      cluster_(cluster),
      whole_(whole),
      answered_(answered),
      client_(client_for(config)) {}

bool HttpExtender::is_interested(const model::PodRecord& pod) const {
  if (config_.managed_resources.empty()) return true;
  const auto manages = [&](const model::ResourceList& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& asked) {
      return std::any_of(config_.managed_resources.begin(), config_.managed_resources.end(),
                         [&](const auto& managed) { return managed.name == asked.first; });
    });
  };
  const auto asks = [&](const model::Container& container) {
    return manages(container.requests) || manages(container.limits);
  };
  const model::PodSpec& spec = cluster_.templates()[pod.pod_template].spec;
  return std::any_of(spec.containers.begin(), spec.containers.end(), asks) ||
         std::any_of(spec.init_containers.begin(), spec.init_containers.end(), asks);
}

Error HttpExtender::failure(const std::string& text) const {
  return Error(fmt::format("extender \"{}\": {}", name(), text));
}

std::string HttpExtender::post(const std::string& verb, std::string body) {
  BERTH_ASSERT(!verb.empty());
  HttpAnswer answer;
  try {
    answer = client_.post(verb, std::move(body));
  } catch (const Error& error) {
    throw failure(verb + ": " + error.message());
  }
  constexpr unsigned kOk = 200;
  if (answer.status == kOk) return std::move(answer.body);
  std::string url = name();
  while (url.ends_with('/')) url.pop_back();
  throw Error(
      fmt::format("failed {} with extender at URL {}/{}, code {}", verb, url, verb, answer.status));
}

template <typename Read>
auto HttpExtender::read(const std::string& body, Read&& read) const {
  try {
    return read(body);
  } catch (const Error& error) {
    throw failure(error.message());
  }
}

std::string HttpExtender::arguments(const model::PodRecord& pod,
                                    const std::vector<model::Row>& rows) const {
  std::string json = "{\"Pod\":";
  append_pod(cluster_, whole_, pod, json);
  if (config_.node_cache_capable) {
    json += ",\"Nodes\":null,\"NodeNames\":[";
    append_list(rows, json, [&](model::Row row) { append_text(cluster_.node_name(row), json); });
    return json + "]}";
  }
  json += ",\"Nodes\":{\"metadata\":{},\"items\":[";
  append_list(rows, json, [&](model::Row row) {
    if (const std::string* answered = answered_.json(row)) {
      json += *answered;
    } else {
      append_node(cluster_, whole_, row, json);
    }
  });
  return json + "]},\"NodeNames\":null}";
}

// Each row once, in the order of the answer.
std::vector<model::Row> HttpExtender::rows_of(const std::vector<std::string>& names,
                                              const std::vector<model::Row>& asked) const {
  std::unordered_set<model::Row> open(asked.begin(), asked.end());
  std::unordered_set<model::Row> seen;
  std::vector<model::Row> rows;
  for (const std::string& name : names) {
    const model::Row row = row_of(cluster_, name);
    if (!open.contains(row))
      throw Error(fmt::format(
          "extender \"{}\" claims a filtered node \"{}\" which is not found in the input node list",
          this->name(), name));
    if (seen.insert(row).second) rows.push_back(row);
  }
  return rows;
}

// The same for objects, which need not be of nodes that were asked about.
std::vector<model::Row> HttpExtender::rows_of(std::vector<AnsweredNode>& nodes) {
  std::unordered_set<model::Row> seen;
  std::vector<model::Row> rows;
  for (AnsweredNode& node : nodes) {
    if (node.name.empty()) throw failure("an answered node has no name");
    const model::Row row = answered_.take(std::move(node));
    if (seen.insert(row).second) rows.push_back(row);
  }
  return rows;
}

framework::ExtenderFilter HttpExtender::filter(const model::PodRecord& pod,
                                               const std::vector<model::Row>& rows) {
  FilterAnswer answer = read(post(config_.filter_verb, arguments(pod, rows)), read_filter_answer);
  if (!answer.error.empty()) throw Error(answer.error);
  framework::ExtenderFilter filtered;
  if (config_.node_cache_capable && answer.node_names) {
    filtered.rows = rows_of(*answer.node_names, rows);
  } else if (answer.nodes) {
    filtered.rows = rows_of(*answer.nodes);
    filtered.objects_alone = true;
  }
  // The refusals for good come last, because they count where a node has both.
  const auto add = [&](FailedNodes& failed, uint8_t code) {
    for (auto& [node, text] : failed)
      filtered.refused.push_back({std::move(node), code, std::move(text)});
  };
  add(answer.failed, BERTH_UNSCHEDULABLE);
  add(answer.failed_for_good, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  return filtered;
}

framework::ExtenderScores HttpExtender::prioritize(const model::PodRecord& pod,
                                                   const std::vector<model::Row>& rows) {
  // Extenders score from 0 to 10, plugins to 100; nobody checks that.
  constexpr uint64_t kScale = 10;
  const HostPriorities priorities =
      read(post(config_.prioritize_verb, arguments(pod, rows)), read_priorities);
  const std::unordered_set<model::Row> asked(rows.begin(), rows.end());
  framework::ExtenderScores scores{name(), {}};
  for (const auto& [host, score] : priorities) {
    const model::Row row = row_of(cluster_, host);
    if (!asked.contains(row)) continue;
    const uint64_t weighted =
        static_cast<uint64_t>(score) * static_cast<uint64_t>(config_.weight) * kScale;
    scores.weighted.emplace_back(row, static_cast<int64_t>(weighted));
  }
  return scores;
}

std::string HttpExtender::preemption(const model::PodRecord& pod,
                                     std::span<const framework::ExtenderVictims> candidates) const {
  const bool names = config_.node_cache_capable;
  std::string json = "{\"Pod\":";
  append_pod(cluster_, whole_, pod, json);
  json += names ? ",\"NodeNameToVictims\":null,\"NodeNameToMetaVictims\":{"
                : ",\"NodeNameToVictims\":{";
  append_list(candidates, json, [&](const framework::ExtenderVictims& candidate) {
    append_text(cluster_.node_name(candidate.row), json);
    json += ":{\"Pods\":[";
    append_list(candidate.victims, json, [&](model::PodId id) {
      const model::PodRecord& victim = cluster_.pod(id);
      if (!names) return append_pod(cluster_, whole_, victim, json);
      json += "{\"UID\":";
      append_text(cluster_.text(victim.uid), json);
      json += '}';
    });
    json += fmt::format("],\"NumPDBViolations\":{}}}", candidate.violations);
  });
  return json + (names ? "}}" : "},\"NodeNameToMetaVictims\":null}");
}

model::PodId HttpExtender::victim(model::Row row, const std::string& uid) const {
  const model::NodeTable& nodes = cluster_.nodes();
  for (const model::PodOnNode& pod : nodes.pods(nodes.slot_of(row)))
    if (cluster_.text(cluster_.pod(pod.pod).uid) == uid) return pod.pod;
  throw Error(
      fmt::format("extender: {} claims to preempt pod (UID: &{{{}}}) on node: "
                  "{}, but the pod is not found on that node",
                  name(), uid, cluster_.node_name(row)));
}

std::vector<framework::ExtenderVictims> HttpExtender::preempt(
    const model::PodRecord& pod, std::span<const framework::ExtenderVictims> candidates) {
  const std::vector<MetaVictims> answer =
      read(post(config_.preempt_verb, preemption(pod, candidates)), read_preemption_answer);
  std::vector<framework::ExtenderVictims> left;
  for (const MetaVictims& one : answer) {
    const model::Row row = row_of(cluster_, one.node);
    if (row == model::kNoRow)
      throw Error(fmt::format("nodeinfo not found for node name \"{}\"", one.node));
    framework::ExtenderVictims& made = left.emplace_back();
    made.row = row;
    made.violations = one.violations;
    for (const std::string& uid : one.uids) made.victims.push_back(victim(row, uid));
  }
  return left;
}

void HttpExtender::bind(const model::PodRecord& pod, std::string_view node) {
  std::string json = "{\"PodName\":";
  append_text(cluster_.text(pod.name), json);
  json += ",\"PodNamespace\":";
  append_text(cluster_.text(pod.namespace_name), json);
  json += ",\"PodUID\":";
  append_text(cluster_.text(pod.uid), json);
  json += ",\"Node\":";
  append_text(node, json);
  if (const auto error = read(post(config_.bind_verb, json + "}"), read_bind_answer))
    throw Error(*error);
}

}  // namespace berth::extenders
