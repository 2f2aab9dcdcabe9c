#include "cli/need/need.h"
#include "engine/document/json/json_writer.h"

namespace berth::cli {
namespace {

using NeedJson = document::PrettyJsonWriter;

void write_use(NeedJson& json, const std::vector<output::ResourceUse>& uses) {
  json.object("utilisation", [&] {
    for (const output::ResourceUse& use : uses)
      json.object(use.resource, [&] {
        json.member("requested", use.requested);
        json.member("allocatable", use.allocatable);
      });
  });
}

void write_nodes(NeedJson& json, const NeededNodes& nodes) {
  json.object([&] {
    json.member("template", nodes.name);
    json.member("count", nodes.nodes);
    json.member("price", nodes.price);
    json.member("pods", nodes.pods);
    write_use(json, nodes.use);
    json.texts("names", nodes.names);
  });
}

void write_bound(NeedJson& json, const NeedAnswer& answer) {
  json.object("bound", [&] {
    json.member("price", answer.bound_below.price);
    json.member("nodes", answer.bound_below.nodes);
    json.member_if("resource", answer.bound_by);
  });
}

}  // namespace

std::string to_json(const NeedAnswer& answer) {
  rapidjson::StringBuffer buffer;
  NeedJson json(buffer);
  json.SetIndent(' ', 2);
  json.object([&] {
    json.member("fits", answer.fits());
    json.member("partial", answer.partial);
    json.member("confirmed", answer.confirmed);
    json.member("minimal", answer.minimal);
    json.member("exact", answer.exact);
    json.member("count", answer.count);
    json.member("price", answer.price);
    write_bound(json, answer);
    json.member("pods", answer.pods);
    json.member("bound_pods", answer.bound);
    json.array("nodes", answer.nodes, [&](const NeededNodes& nodes) { write_nodes(json, nodes); });
    json.array_if("not_helped", answer.stuck, [&](const StuckPods& stuck) {
      json.object([&] {
        json.member("pods", stuck.pods);
        json.member("first", stuck.first);
        json.member("message", stuck.message);
      });
    });
    write_use(json, answer.resources);
    json.member("trials", answer.trials);
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::cli
