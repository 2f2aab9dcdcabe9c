// The objects that streams carry as JSON: objects of storage, PodGroups, Evictions, and volumes of
// pods. The readers are those of files.

#include <optional>
#include <utility>
#include <variant>

#include "engine/document/document.h"
#include "engine/ingest/stream/read/stream_decode.h"
#include "engine/ingest/validation/read_kinds.h"
#include "engine/ingest/volumes/decode_volumes.h"

namespace berth::ingest {
namespace {

using document::Document;
using document::Kind;
using document::Value;

}  // namespace

void ObjectDecoder::refuse_json(const Diagnostics& found) {
  const Error& error = found.kept().front();
  std::string message = error.message();
  if (error.place().line != 0)
    message += " (line " + std::to_string(error.place().line) + ", column " +
               std::to_string(error.place().column) + " of the JSON)";
  if (error.place().field.empty()) return refuse(std::move(message));
  refuse(error.place().field.c_str(), std::move(message));
}

template <typename Read>
void ObjectDecoder::json(const flatbuffers::String& in, Read read) {
  Diagnostics found;
  const Document document =
      Document::parse({in.c_str(), in.size()}, "", found, {.json_only = true});
  if (found.count() == 0 &&
      (document.roots().size() != 1 || !document.roots()[0].is(Kind::kObject)))
    return refuse("is not one object of JSON");
  if (found.count() == 0) read(document.roots()[0], found);
  if (found.count() != 0) refuse_json(found);
}

model::Object ObjectDecoder::storage_object(const flatbuffers::String* in) {
  std::optional<model::Object> out;
  if (in == nullptr) {
    refuse("storage_object", "is missing");
    return {};
  }
  json(*in, [&](Value value, Diagnostics& found) {
    const std::string kind(value.find("kind").text());
    const std::string version(value.find("apiVersion").text());
    const ReadKind* read = find_kind(kind);
    if (read != nullptr && read->as_json && !of_other_group(*read, version)) {
      out = decode_object(value, kind, found, Defaults::kNone);
    } else {
      refuse("kind", "\"" + kind + "\" of \"" + version + "\" is no object of storage");
    }
  });
  if (!out) return {};
  const auto check_names = [&](const auto& object) {
    check_name(object.name, "metadata.name");
    if constexpr (requires { object.namespace_name; })
      check_name(object.namespace_name, "metadata.namespace");
  };
  if (const auto* object = std::get_if<model::VolumeObject>(&*out)) {
    std::visit(check_names, *object);
  } else if (const auto* group = std::get_if<model::PodGroup>(&*out)) {
    check_names(*group);
  } else if (const auto* request = std::get_if<model::EvictionRequest>(&*out)) {
    check_names(*request);
  }
  return std::move(*out);
}

std::vector<model::PodVolume> ObjectDecoder::volumes(const Texts* in) {
  std::vector<model::PodVolume> out;
  if (in == nullptr) return out;
  for (flatbuffers::uoffset_t i = 0; i < in->size() && good(); ++i) {
    const Scope scope(*this, "volumes", i);
    json(*in->Get(i), [&](Value value, Diagnostics& found) {
      Faults faults(found);
      if (auto volume = read_pod_volume(object_reader(value, faults)))
        out.push_back(std::move(*volume));
    });
  }
  return out;
}

}  // namespace berth::ingest
