#pragma once

// Checks shared by the fuzz targets of Kubernetes objects: invariants of decoded objects, whatever
// bytes they come from, and checks for whole JSON and YAML files.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/document/items/list_items.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/workloads/creation.h"

namespace berth::fuzz {

using document::Document;
using document::Kind;
using document::Value;

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Lower than in production: short aliases can expand to many values, and the fuzzer finds such
// inputs quickly.
inline document::Limits limits() { return {.alias_values = 10'000}; }

// Every value has a place in the text, and its path is consistent.
inline void check_places(Value value, int depth) {
  BERTH_ASSERT(depth < 128);
  Place place = value.place();
  BERTH_ASSERT(place.line != 0 && place.column != 0);
  for (Value element : value.elements()) check_places(element, depth + 1);
  for (document::Member member : value.members()) {
    BERTH_ASSERT(member.key_value.as_string() == member.key);
    check_places(member.value, depth + 1);
  }
}

// A parsed value can be written, and parsing the result gives the same text again.
inline void check_round_trip(Value root) {
  if (!root.is(Kind::kArray) && !root.is(Kind::kObject)) return;  // no file of JSON
  std::string json = document::to_json(root);
  Diagnostics diagnostics;
  Document again = Document::parse(json, "again", diagnostics);
  BERTH_ASSERT(diagnostics.count() == 0);
  BERTH_ASSERT(again.roots().size() == 1);
  BERTH_ASSERT(document::to_json(again.roots()[0]) == json);
}

inline void check_sorted(const auto& map) {
  auto not_less = [](const auto& a, const auto& b) { return a.first >= b.first; };
  BERTH_ASSERT(std::adjacent_find(map.begin(), map.end(), not_less) == map.end());
}

inline void check_amounts(const model::ResourceList& list) {
  check_sorted(list);
  for (const auto& [name, amount] : list) {
    BERTH_ASSERT(!amount.negative());
    BERTH_ASSERT(model::Quantity::parse(amount.to_string()) == amount);
  }
}

inline void check_node(const model::Node& node) {
  BERTH_ASSERT(!node.name.empty());
  check_sorted(node.labels);
  check_sorted(node.annotations);
  check_amounts(node.allocatable);
}

inline void check_spec(const model::PodSpec& spec) {
  check_sorted(spec.labels);
  check_sorted(spec.node_selector);
  check_amounts(spec.overhead);
  check_amounts(spec.pod_requests);
  for (const auto* containers : {&spec.init_containers, &spec.containers}) {
    for (const model::Container& container : *containers) {
      check_amounts(container.requests);
      for (const model::ContainerPort& port : container.ports) {
        BERTH_ASSERT(port.host_port >= 0 && port.host_port <= 65535);
      }
    }
  }
  const auto check_status = [](const model::ContainerStatus& status) {
    check_amounts(status.requests);
    check_amounts(status.allocated_resources);
  };
  std::ranges::for_each(spec.container_statuses, check_status);
  check_status(spec.own_status);
}

inline void check_selector_owner(const model::SelectorOwner& owner) {
  BERTH_ASSERT(!owner.name.empty());
  BERTH_ASSERT(owner.kind <= model::SelectorOwnerKind::kStatefulSet);
  if (owner.selector) check_sorted(owner.selector->match_labels);
}

inline void check_objects(const ingest::Objects& objects) {
  model::each<model::Node>(objects.others, check_node);
  model::each<model::SelectorOwner>(objects.others, check_selector_owner);
  for (const model::Pod& pod : objects.pods) {
    BERTH_ASSERT(!pod.name.empty());
    check_spec(pod.spec);
  }
}

// Rejected objects are reported with a message.
inline void check_decoding(const Document& document, ingest::Defaults defaults) {
  Diagnostics diagnostics;
  ingest::ObjectReader reader(diagnostics, defaults);
  for (Value root : document.roots()) reader.add(root);
  BERTH_ASSERT(reader.objects().rejected <= diagnostics.count());
  BERTH_ASSERT((reader.objects().rejected == 0) == (diagnostics.count() == 0));
  for (const Error& error : diagnostics.kept()) BERTH_ASSERT(!error.message().empty());
  check_objects(reader.objects());
}

// Manifests become pods, and pods are admitted or refused. A few bytes may ask for a million pods;
// so many are not made here.
inline void check_creation(const Document& document, ingest::Validation validation) {
  constexpr uint64_t kMostPods = 1000;
  Diagnostics diagnostics;
  ingest::ObjectReader reader(diagnostics, ingest::Defaults::kApiServer,
                              ingest::Workloads::kManifests, validation);
  for (Value root : document.roots()) reader.add(root);
  ingest::Objects objects = reader.take();
  uint64_t pods = 0;
  for (const ingest::Workload& workload : objects.workloads) pods += workload.pods;
  if (pods > kMostPods) return;
  const auto nodes = model::objects_of<model::Node>(objects.others);
  ingest::Creation creation([&] { return nodes; }, true);
  creation.create(objects, "file", diagnostics);
  BERTH_ASSERT(objects.pods.size() == objects.pods_asked.size());
  BERTH_ASSERT(objects.pods.size() == objects.lines.pods.size());
  BERTH_ASSERT((objects.rejected == 0) == (diagnostics.count() == 0));
  check_objects(objects);
}

// The items of a list that are read one by one are those of the whole file.
inline void check_items(std::string_view text, const Document& document, bool faultless) {
  using document::ListItems;
  const auto roots = document.roots();
  const Value items = roots.empty() ? Value() : roots[0].find("items");
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  const auto list = ListItems::of(source, "file", limits());
  ListItems::Next next = list->next();
  auto item = items.elements().begin();
  uint64_t left = items.size();
  bool more = false;  // of a list that is lost as a whole or in part, or of another
  if (next == ListItems::Next::kItem)
    more = left == 0 || list->item().position() != (*item).position();
  for (; next == ListItems::Next::kItem; next = list->next()) {
    more = more || left == 0;
    if (more) continue;
    BERTH_ASSERT(list->item().position() == (*item).position());
    BERTH_ASSERT(to_json(list->item()) == to_json(*item));
    ++item;
    --left;
  }
  if (next == ListItems::Next::kEnd)
    BERTH_ASSERT(faultless && roots.size() == 1 && left == 0 && !more);
}

// Checks a whole file. `diagnostics` gets the syntax errors.
inline Document check_file(std::string_view text, Diagnostics& diagnostics) {
  Document document = Document::parse(text, "file", diagnostics, limits());
  check_items(text, document, diagnostics.count() == 0);
  for (Value root : document.roots()) {
    check_places(root, 0);
    check_round_trip(root);
  }
  check_decoding(document, ingest::Defaults::kNone);
  check_decoding(document, ingest::Defaults::kApiServer);
  check_creation(document, ingest::Validation::kNone);
  check_creation(document, ingest::Validation::kNew1_36);
  return document;
}

}  // namespace berth::fuzz
