#include "engine/ingest/written/whole_reader.h"

namespace berth::ingest {
namespace {

// The object that was read last.
void keep(const Objects& read, const ObjectReader::Visited& object,
          std::vector<WholeObject>& whole) {
  if (!object.taken) return;
  const document::Value name = object.value.find("metadata").find("name");
  const uint32_t line = object.value.position().line;
  // Objects of other API groups may have the names of these kinds, and are not read.
  const auto is_it = [&](const auto& last, uint32_t its_line) {
    return its_line == line && (!name.is(document::Kind::kString) || name.as_string() == last.name);
  };
  if (object.kind == "Pod") {
    if (!read.pods.empty() && is_it(read.pods.back(), read.lines.pods.back()))
      whole.push_back(whole_pod(object.value, read.pods.back()));
  } else if (object.kind == "Node") {
    const auto* node =
        read.others.empty() ? nullptr : std::get_if<model::Node>(&read.others.back().object);
    if (node != nullptr && is_it(*node, read.lines.others.back()))
      whole.push_back(whole_node(object.value, *node));
  } else if (!read.workloads.empty() && is_it(read.workloads.back(), read.workloads.back().line)) {
    whole.push_back(whole_template(object.value, read.workloads.back()));
  }
}

}  // namespace

void keep_whole(ObjectReader& reader, std::vector<WholeObject>& whole) {
  reader.visit([&reader, &whole](const ObjectReader::Visited& object) {
    keep(reader.objects(), object, whole);
  });
}

}  // namespace berth::ingest
