#include "engine/ingest/objects.h"

#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::ingest {
namespace {

std::string text_of(document::Value value) {
  return value.is(document::Kind::kString) ? std::string(value.as_string()) : std::string();
}

// "PodList" is a list of pods, whose items need not say that they are.
std::string item_kind(const std::string& list_kind) {
  return list_kind.substr(0, list_kind.size() - 4);
}

}  // namespace

struct ObjectReader::Seen {
  boost::unordered_flat_map<std::string, Place> places;  // by kind, namespace and name
};

ObjectReader::ObjectReader(Diagnostics& diagnostics, Defaults defaults)
    : diagnostics_(diagnostics), defaults_(defaults), seen_(std::make_unique<Seen>()) {}

ObjectReader::~ObjectReader() = default;

Objects ObjectReader::take() {
  seen_ = std::make_unique<Seen>();
  return std::exchange(objects_, {});
}

void ObjectReader::read(const std::string& path) {
  uint64_t before = diagnostics_.count();
  document::Document document = document::Document::read(path, diagnostics_);
  for (document::Value root : document.roots()) add(root);
  if (document.roots().empty() && diagnostics_.count() == before)
    diagnostics_.report(Error(Place{.file = path, .field = {}}, "there is no object in it"));
}

void ObjectReader::add(document::Value value) { add_of_kind(value, ""); }

void ObjectReader::add_of_kind(document::Value value, const std::string& assumed) {
  if (value.is(document::Kind::kArray)) {
    for (document::Value element : value.elements()) add_of_kind(element, assumed);
    return;
  }
  if (!value.is(document::Kind::kObject)) return reject(value, "expected a Kubernetes object");
  std::string kind = text_of(value.find("kind"));
  if (kind.empty()) kind = assumed;
  if (kind.empty()) return reject(value, "an object needs a kind, such as Node or Pod");
  if (kind.ends_with("List") && kind != "List" && !value.find("items").present())
    return reject(value, "a list needs items");
  if (kind.ends_with("List")) {
    document::Value items = value.find("items");
    if (items.present() && !items.is(document::Kind::kArray) && !items.is(document::Kind::kNull))
      return reject(items, "the items of a list are an array");
    for (document::Value item : items.elements()) add_of_kind(item, item_kind(kind));
    return;
  }
  add_object(value, kind);
}

void ObjectReader::reject(document::Value value, std::string message) {
  ++objects_.rejected;
  diagnostics_.report(Error(value.place(), std::move(message)));
}

// Of several objects of one name the first stays.
bool ObjectReader::is_new(document::Value value, const std::string& kind, const std::string& name) {
  auto [at, fresh] = seen_->places.try_emplace(kind + " " + name, value.place());
  if (!fresh)
    reject(value, kind + " \"" + name + "\" is there already, at " + at->second.to_string() +
                      "; this one is left out");
  return fresh;
}

void ObjectReader::add_object(document::Value value, const std::string& kind) {
  auto keep = [&](auto decoded, auto& list, auto name_of) {
    if (!decoded) {
      ++objects_.rejected;
    } else if (is_new(value, kind, name_of(*decoded))) {
      list.push_back(std::move(*decoded));
    }
  };
  if (kind == "Node") {
    keep(decode_node(value, diagnostics_, defaults_), objects_.nodes,
         [](const model::Node& node) { return node.name; });
  } else if (kind == "Pod") {
    keep(decode_pod(value, diagnostics_, defaults_), objects_.pods,
         [](const model::Pod& pod) { return pod.namespace_name + "/" + pod.name; });
  } else if (kind == "Namespace") {
    keep(decode_namespace(value, diagnostics_, defaults_), objects_.namespaces,
         [](const model::Namespace& object) { return object.name; });
  } else {
    ++objects_.unread_kinds[kind];
  }
}

Objects read_objects(const std::vector<std::string>& paths, Diagnostics& diagnostics,
                     Defaults defaults) {
  ObjectReader reader(diagnostics, defaults);
  for (const std::string& path : paths) reader.read(path);
  return reader.take();
}

}  // namespace berth::ingest
