#include "engine/kube/lease/lease_object.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/error.h"
#include "engine/document/json/json_writer.h"

namespace berth::kube {
namespace {

using document::JsonWriter;
using document::Kind;
using document::Value;

constexpr document::Limits kLeaseLimits = {
    .bytes = 4 << 20, .unique_keys = true, .json_only = true};
constexpr std::array<std::string_view, 5> kElectionFields = {
    "holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions"};

[[noreturn]] void refuse_lease(std::string field, std::string message) {
  Place place;
  place.field = std::move(field);
  throw Error(std::move(place), std::move(message));
}

// The member; absent if it is not set. Throws Error if it is of another kind.
Value lease_member(Value object, std::string_view key, Kind kind) {
  const Value value = object.find(key);
  if (!value.set()) return {};
  if (!value.is(kind))
    refuse_lease(value.path(), "is of type " + std::string(kind_name(value.kind())) +
                                   "; expected " + std::string(kind_name(kind)));
  return value;
}

std::string lease_text(Value object, std::string_view key) {
  return std::string(lease_member(object, key, Kind::kString).text());
}

// 0 if it is not set.
int64_t lease_number(Value object, std::string_view key) {
  const Value value = lease_member(object, key, Kind::kNumber);
  if (!value.present()) return 0;
  const auto number = value.as_int64();
  if (!number || *number < 0 || *number > INT32_MAX)
    refuse_lease(value.path(), "is out of range; expected 0 to 2147483647");
  return *number;
}

Value lease_root(const document::Document& parsed, const Diagnostics& found) {
  if (found.count() > 0) throw Error(found.kept().front());
  if (parsed.roots().size() != 1 || !parsed.roots()[0].is(Kind::kObject))
    throw Error("is no JSON object; expected a Lease");
  return parsed.roots()[0];
}

void write_record(JsonWriter& json, const LeaseRecord& record) {
  json.member("holderIdentity", record.holder);
  json.member("leaseDurationSeconds", record.duration_seconds);
  json.member("acquireTime", record.acquired);
  json.member("renewTime", record.renewed);
  json.member("leaseTransitions", record.transitions);
}

void copy_member(JsonWriter& json, const document::Member& member) {
  const std::string text = to_json(member.value);
  json.key(member.key);
  json.RawValue(text.data(), text.size(), rapidjson::kObjectType);
}

}  // namespace

LeaseObject::LeaseObject(std::string_view json) {
  Diagnostics found;
  document_ = document::Document::parse(json, "", found, kLeaseLimits);
  const Value root = lease_root(document_, found);
  const Value metadata = lease_member(root, "metadata", Kind::kObject);
  uid_ = lease_text(metadata, "uid");
  resource_version_ = lease_text(metadata, "resourceVersion");
  if (resource_version_.empty())
    refuse_lease("metadata.resourceVersion", "is not set; expected that of a Lease");
  const Value spec = lease_member(root, "spec", Kind::kObject);
  if (spec.present()) spec_ = to_json(spec);
  record_ = {.holder = lease_text(spec, "holderIdentity"),
             .duration_seconds = lease_number(spec, "leaseDurationSeconds"),
             .acquired = lease_text(spec, "acquireTime"),
             .renewed = lease_text(spec, "renewTime"),
             .transitions = lease_number(spec, "leaseTransitions")};
}

std::string LeaseObject::with(const LeaseRecord& record) const {
  const Value root = document_.roots()[0];
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] {
    for (const document::Member& member : root.members())
      if (member.key != "spec") copy_member(json, member);
    json.object("spec", [&] {
      for (const document::Member& member : root.find("spec").members())
        if (std::ranges::find(kElectionFields, member.key) == kElectionFields.end())
          copy_member(json, member);
      write_record(json, record);
    });
  });
  return {buffer.GetString(), buffer.GetSize()};
}

std::string new_lease(std::string_view namespace_name, std::string_view name,
                      const LeaseRecord& record) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] {
    json.member("apiVersion", "coordination.k8s.io/v1");
    json.member("kind", "Lease");
    json.object("metadata", [&] {
      json.member("namespace", namespace_name);
      json.member("name", name);
    });
    json.object("spec", [&] { write_record(json, record); });
  });
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace berth::kube
