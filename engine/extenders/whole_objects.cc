#include "engine/extenders/whole_objects.h"

#include <algorithm>
#include <unordered_set>

namespace berth::extenders {
namespace {

const ingest::WholeObject* find(const std::unordered_map<std::string, ingest::WholeObject>& objects,
                                const std::string& key) {
  const auto known = objects.find(key);
  return known == objects.end() ? nullptr : &known->second;
}

}  // namespace

void WholeObjects::put(std::span<const ingest::WholeObject> objects) {
  if (size() >= collect_at_) collect();
  for (const ingest::WholeObject& object : objects) put(object);
}

void WholeObjects::put(const ingest::WholeObject& object) {
  Objects& objects = object.kind == ingest::WholeObject::Kind::kPod    ? pods_
                     : object.kind == ingest::WholeObject::Kind::kNode ? nodes_
                                                                       : templates_;
  if (object.kept()) {
    objects.insert_or_assign(object.key, object);
  } else {
    objects.erase(object.key);
  }
}

// A pod of this name may be another one than the object's.
const ingest::WholeObject* WholeObjects::of_pod(const model::PodRecord& pod) const {
  const ingest::WholeObject* own = find(pods_, key_of(pod));
  if (own != nullptr && (own->uid.empty() || own->uid == cluster_.text(pod.uid))) return own;
  return pod.controller == 0 ? nullptr : find(templates_, template_key_of(pod));
}

const ingest::WholeObject* WholeObjects::of_node(std::string_view name) const {
  return find(nodes_, std::string(name));
}

std::string WholeObjects::key_of(const model::PodRecord& pod) const {
  return ingest::key_of_pod(cluster_.text(pod.namespace_name), cluster_.text(pod.name));
}

std::string WholeObjects::template_key_of(const model::PodRecord& pod) const {
  return ingest::key_of_template(cluster_.text(pod.namespace_name),
                                 cluster_.templates().controller(pod.controller));
}

// As many objects again may come before the next look.
void WholeObjects::collect() {
  std::unordered_set<std::string> pods, templates, nodes;
  cluster_.pods().for_each([&](const model::PodRecord& pod) {
    pods.insert(key_of(pod));
    if (pod.controller != 0) templates.insert(template_key_of(pod));
  });
  const model::NodeTable& table = cluster_.nodes();
  for (model::Slot slot = 0; slot < table.slots(); ++slot)
    if (table.node(slot).present) nodes.emplace(table.name(slot));
  std::erase_if(pods_, [&](const auto& one) { return !pods.contains(one.first); });
  std::erase_if(nodes_, [&](const auto& one) { return !nodes.contains(one.first); });
  std::erase_if(templates_, [&](const auto& one) { return !templates.contains(one.first); });
  collect_at_ = std::max(2 * size(), kFirstLook);
}

}  // namespace berth::extenders
