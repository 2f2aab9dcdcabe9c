#include "cli/fit/fit.h"
#include "engine/document/json/json_writer.h"

namespace berth::cli {
namespace {

using Json = document::PrettyJsonWriter;

void write_unit(Json& json, const FittedUnit& unit) {
  json.object([&] {
    json.member("name", unit.name);
    json.member("pods_per_copy", unit.pods);
    json.member("copies", unit.copies);
    if (unit.wanted) json.member("wanted", *unit.wanted);
  });
}

void write_end(Json& json, const FitAnswer& answer) {
  const CopiesEnd& end = answer.end;
  json.member("why", why_name(end.why));
  if (!end.is_limit()) return;
  json.member("name", end.unit < answer.units.size() ? answer.units[end.unit].name : "");
  json.member("message", end.message);
  json.array_if("reasons", end.reasons, [&](const auto& reason) {
    json.object([&] {
      json.member("reason", reason.first);
      json.member("nodes", reason.second);
    });
  });
}

// With several units, the pods of each.
void write_pods(Json& json, const FittedPlace& place) {
  json.member("pods", place.all());
  if (place.pods.size() < 2) return;
  json.array("pods_of_each", place.pods, [&](uint64_t pods) { json.Uint64(pods); });
}

void write_places(Json& json, const FitAnswer& answer) {
  json.array("zones", answer.zones, [&](const FittedPlace& zone) {
    json.object([&] {
      json.member("zone", zone.name);
      json.member("nodes", zone.nodes);
      write_pods(json, zone);
    });
  });
  json.array("nodes", answer.nodes, [&](const FittedPlace& node) {
    json.object([&] {
      json.member("node", node.name);
      json.member_if("zone", node.zone);
      write_pods(json, node);
    });
  });
}

}  // namespace

std::string to_json(const FitAnswer& answer) {
  rapidjson::StringBuffer buffer;
  Json json(buffer);
  json.SetIndent(' ', 2);
  json.object([&] {
    json.member("fits", answer.fits());
    json.member("partial", answer.partial);
    json.member("copies", answer.copies());
    json.member("pods", answer.pods());
    json.array("copied", answer.units, [&](const FittedUnit& unit) { write_unit(json, unit); });
    json.object("stopped_by", [&] { write_end(json, answer); });
    json.member("evictions", answer.evicted);
    write_places(json, answer);
    json.object("utilisation", [&] {
      for (const output::ResourceUse& use : answer.resources)
        json.object(use.resource, [&] {
          json.member("requested", use.requested);
          json.member("allocatable", use.allocatable);
        });
    });
    json.member("decisions", answer.decisions);
    json.member("seconds", answer.seconds);
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::cli
