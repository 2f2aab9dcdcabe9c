#include "engine/ingest/objects/rejected_pod.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

std::string string_at(Value value) {
  return value.is(Kind::kString) ? std::string(value.as_string()) : std::string();
}

}  // namespace

RejectedPod rejected_pod(Value pod, std::string message) {
  const Value metadata = pod.find("metadata");
  RejectedPod rejected{string_at(metadata.find("namespace")), string_at(metadata.find("name")),
                       std::move(message)};
  if (rejected.name.empty()) rejected.name = string_at(metadata.find("generateName"));
  if (rejected.namespace_name.empty() && !rejected.name.empty())
    rejected.namespace_name = "default";
  return rejected;
}

}  // namespace berth::ingest
