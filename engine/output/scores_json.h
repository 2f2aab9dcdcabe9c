#pragma once

// The scores of a node as JSON: an element of lists in results, comparisons and replays.
// `Json`: JsonWriter or PrettyJsonWriter.

#include "engine/output/pod_result.h"

namespace berth::output {

template <typename Json>
void write_plugin_score(Json& json, const PluginScore& score) {
  json.object(score.plugin, [&] {
    if (score.raw) json.member("raw", *score.raw);
    json.member("normalised", score.normalised);
    json.member("weight", score.weight);
  });
}

template <typename Json>
void write_node_scores(Json& json, const NodeScores& scores) {
  json.object([&] {
    json.member("node", scores.node);
    json.member("total", scores.total);
    json.object("plugins", [&] {
      for (const PluginScore& score : scores.plugins) write_plugin_score(json, score);
    });
    if (scores.extenders.empty()) return;
    json.object("extenders", [&] {
      for (const auto& [name, weighted] : scores.extenders) json.member(name, weighted);
    });
  });
}

}  // namespace berth::output
