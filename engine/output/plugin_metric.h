#pragma once

// A metric of a plugin (abi/include/berth/abi/metrics.h), and its form as JSON.

#include <cstdint>
#include <string>
#include <vector>

namespace berth::output {

struct PluginMetric {
  std::string plugin, name, help;
  bool counts = false;  // a counter: `value` is without a sign; else a gauge
  int64_t value = 0;
};

// The member `plugin_metrics` of an object. `Json`: JsonWriter or PrettyJsonWriter.
template <typename Json>
void write_plugin_metrics(Json& json, const std::vector<PluginMetric>& metrics) {
  json.array("plugin_metrics", metrics, [&](const PluginMetric& metric) {
    json.object([&] {
      json.member("plugin", metric.plugin);
      json.member("name", metric.name);
      json.member("help", metric.help);
      json.member("kind", metric.counts ? "counter" : "gauge");
      if (metric.counts) {
        json.member("value", static_cast<uint64_t>(metric.value));
      } else {
        json.member("value", metric.value);
      }
    });
  });
}

}  // namespace berth::output
