#include "engine/document/json/json_writer.h"
#include "engine/explain/explanation.h"
#include "engine/host/calls/checks/code_name.h"

namespace berth::explain {
namespace {

using Writer = document::PrettyJsonWriter;

const char* unit_name(uint32_t unit) {
  if (unit == BERTH_UNIT_MILLI_CPU) return "milliCPU";
  return unit == BERTH_UNIT_BYTES ? "bytes" : "";
}

void write_fact(Writer& writer, const host::Fact& fact) {
  writer.member("fact", fact.name);
  switch (fact.kind) {
    case host::Fact::Kind::kNumber:
      writer.member("number", fact.number);
      writer.member_if("unit", unit_name(fact.unit));
      return;
    case host::Fact::Kind::kText:
      writer.member("text", fact.text);
      return;
    case host::Fact::Kind::kPods:
      writer.member("pods", fact.pods.count);
      writer.texts("names", fact.pods.names);
      return;
  }
}

void write_numbers(Writer& writer, const std::vector<host::Item>& items) {
  writer.array_if("numbers", items, [&](const host::Item& item) {
    writer.object([&] {
      writer.member("item", item.name);
      writer.array("facts", item.facts, [&](const host::Fact& fact) {
        writer.object([&] { write_fact(writer, fact); });
      });
    });
  });
}

void write_filter(Writer& writer, const Explanation::Filter& filter) {
  writer.StartObject();
  writer.member("plugin", filter.plugin);
  writer.member("verdict",
                filter.skipped ? std::string_view("Skipped") : host::code_name(filter.code));
  if (filter.code != 0) {
    writer.texts("reasons", filter.reasons);
    writer.member("countingNominatedPods", filter.counting_nominated);
    writer.member("reported", filter.reported);
    write_numbers(writer, filter.numbers);
  }
  writer.EndObject();
}

void write_scores(Writer& writer, const Explanation& explanation, const Explanation::Node& node) {
  writer.key("scores");
  writer.StartArray();
  for (size_t i = 0; i < node.scores.size(); ++i) {
    if (explanation.score_plugins[i].skipped) continue;
    writer.StartObject();
    writer.member("plugin", explanation.score_plugins[i].plugin);
    if (node.scores[i].raw) writer.member("raw", *node.scores[i].raw);
    writer.member("normalised", node.scores[i].normalised);
    writer.member("weighted", node.scores[i].weighted);
    write_numbers(writer, node.scores[i].numbers);
    writer.EndObject();
  }
  writer.EndArray();
  writer.member("total", node.total);
}

void write_change(Writer& writer, const Explanation::Node& node) {
  writer.key("smallestChange");
  if (!node.change) {
    writer.Null();
    return;
  }
  writer.StartArray();
  for (const Explanation::Change& change : *node.change) {
    writer.StartObject();
    writer.member("attribute", change.column);
    writer.member("change", change.words);
    if (change.missing) writer.member("missing", *change.missing);
    writer.EndObject();
  }
  writer.EndArray();
}

void write_node(Writer& writer, const Explanation& explanation, const Explanation::Node& node) {
  writer.StartObject();
  writer.member("name", node.name);
  writer.member("feasible", node.feasible);
  writer.member("won", node.won);
  writer.member("searched", node.searched);
  if (!node.outside.empty()) writer.member("leftOutByPreFilter", node.outside);
  writer.key("filters");
  writer.StartArray();
  for (const Explanation::Filter& filter : node.filters) write_filter(writer, filter);
  writer.EndArray();
  if (!node.scores.empty()) write_scores(writer, explanation, node);
  if (node.group) writer.member("group", uint64_t{*node.group});
  if (!node.feasible) write_change(writer, node);
  writer.EndObject();
}

void write_groups(Writer& writer, const Explanation& explanation) {
  writer.array("groups", explanation.groups, [&](const Explanation::Group& group) {
    const Explanation::Node& closest = explanation.nodes[group.nodes[0]];
    writer.object([&] {
      writer.member("nodes", uint64_t{group.nodes.size()});
      writer.member("closest", closest.name);
      writer.member_if("leftOutByPreFilter", closest.outside);
      writer.key("refusals");
      writer.StartArray();
      for (const Explanation::Filter& filter : closest.filters)
        if (filter.code != 0) write_filter(writer, filter);
      writer.EndArray();
    });
  });
}

void write_outcome(Writer& writer, const Explanation& explanation) {
  writer.member("pod", explanation.pod);
  writer.member("profile", explanation.profile);
  writer.member("kubeVersion", explanation.kube_version);
  writer.member("result", outcome_name(explanation.outcome));
  if (explanation.outcome == runtime::PodOutcome::kScheduled) {
    writer.member("node", explanation.node);
    writer.member("why", explanation.why);
    writer.array_if("notAsked", explanation.not_asked, [&](const Explanation::NotAsked& plugin) {
      writer.object([&] {
        writer.member("plugin", plugin.plugin);
        writer.texts("points", plugin.points);
      });
    });
  } else {
    writer.member("message", explanation.message);
  }
  if (!explanation.gated_by.empty()) writer.member("gatedBy", explanation.gated_by);
  if (explanation.pre_filter) {
    writer.key("preFilter");
    writer.StartObject();
    writer.member("plugin", explanation.pre_filter->plugin);
    writer.member("code", host::code_name(explanation.pre_filter->code));
    writer.texts("reasons", explanation.pre_filter->reasons);
    writer.EndObject();
  }
}

void write_post_filter(Writer& writer, const Explanation& explanation) {
  if (!explanation.post_filter) return;
  const Explanation::PostFilter& told = *explanation.post_filter;
  writer.key("postFilter");
  writer.object([&] {
    writer.member_if("notAsked", told.not_asked);
    writer.array_if("texts", told.texts, [&](const Explanation::PostFilter::Text& text) {
      writer.object([&] {
        writer.member("plugin", text.plugin);
        writer.member("text", text.text);
      });
    });
    if (told.plugin.empty()) return;
    writer.member("plugin", told.plugin);
    writer.member("node", told.node);
    writer.array("victims", told.victims, [&](const Explanation::PostFilter::Victim& victim) {
      writer.object([&] {
        writer.member("pod", victim.pod);
        writer.member("priority", int64_t{victim.priority});
      });
    });
    writer.member("draws", told.draws);
  });
}

void write_wakers(Writer& writer, const Explanation& explanation) {
  if (explanation.outcome != runtime::PodOutcome::kUnschedulable &&
      explanation.outcome != runtime::PodOutcome::kGated)
    return;
  writer.array("wokenBy", explanation.wakers, [&](const Explanation::Waker& waker) {
    writer.object([&] {
      writer.member("plugin", waker.plugin);
      writer.array("events", waker.events, [&](const Explanation::Waker::Event& event) {
        writer.object([&] {
          writer.member("event", event.name);
          writer.member("always", event.always);
        });
      });
    });
  });
}

}  // namespace

std::string to_json(const Explanation& explanation) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  writer.SetIndent(' ', 2);
  writer.StartObject();
  write_outcome(writer, explanation);
  write_post_filter(writer, explanation);
  write_wakers(writer, explanation);
  writer.key("scorePlugins");
  writer.StartArray();
  for (const Explanation::ScorePlugin& plugin : explanation.score_plugins) {
    writer.StartObject();
    writer.member("plugin", plugin.plugin);
    writer.member("weight", plugin.weight);
    writer.member("skipped", plugin.skipped);
    writer.EndObject();
  }
  writer.EndArray();
  write_groups(writer, explanation);
  writer.key("nodes");
  writer.StartArray();
  for (const Explanation::Node& node : explanation.nodes) write_node(writer, explanation, node);
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::explain
