#include "engine/extenders/whole_objects.h"

#include <algorithm>
#include <unordered_set>

namespace berth::extenders {
namespace {

template <typename Objects>
auto find(const Objects& objects, const std::string& key) -> const typename Objects::mapped_type* {
  const auto known = objects.find(key);
  return known == objects.end() ? nullptr : &known->second;
}

}  // namespace

void WholeObjects::put(std::span<const ingest::WholeObject> objects) {
  if (size() >= collect_at_) collect();
  for (const ingest::WholeObject& object : objects) put(object);
}

void WholeObjects::put(const ingest::WholeObject& object) {
  const bool node = object.kind == ingest::WholeObject::Kind::kNode;
  Objects& objects = object.kind == ingest::WholeObject::Kind::kPod ? pods_
                     : node                                         ? nodes_
                                                                    : templates_;
  if (node && !read_.objects) return;
  Kept& kept = objects[object.key];
  release(kept);
  if (read_.objects) {
    kept.object = object;
  } else {
    kept.object.uid = object.uid;
  }
  kept.object.annotations.clear();
  if (read_.annotations) put_annotations(object.annotations, kept);
}

void WholeObjects::put_annotations(const model::StringMap& annotations, Kept& kept) {
  model::Strings& strings = cluster_.strings();
  for (const auto& [key, value] : annotations) {
    kept.annotations.emplace_back(strings.intern_counted(key), strings.intern_counted(value));
    strings.retain(kept.annotations.back().first);
    strings.retain(kept.annotations.back().second);
  }
}

void WholeObjects::release(Kept& kept) {
  for (const auto& [key, value] : kept.annotations) {
    cluster_.strings().release(key);
    cluster_.strings().release(value);
  }
  kept.annotations.clear();
}

// A pod of this name may be another one than the object's.
const WholeObjects::Kept* WholeObjects::kept_of_pod(const model::PodRecord& pod) const {
  const Kept* own = find(pods_, key_of(pod));
  if (own != nullptr && (own->object.uid.empty() || own->object.uid == cluster_.text(pod.uid)))
    return own;
  return pod.controller == 0 ? nullptr : find(templates_, template_key_of(pod));
}

const ingest::WholeObject* WholeObjects::of_pod(const model::PodRecord& pod) const {
  const Kept* kept = kept_of_pod(pod);
  return kept != nullptr && kept->object.kept() ? &kept->object : nullptr;
}

const ingest::WholeObject* WholeObjects::of_node(std::string_view name) const {
  const Kept* kept = find(nodes_, std::string(name));
  return kept != nullptr && kept->object.kept() ? &kept->object : nullptr;
}

model::StringId WholeObjects::annotation(const model::PodRecord& pod, model::StringId key) const {
  const Kept* kept = kept_of_pod(pod);
  if (kept == nullptr) return 0;
  const auto known = std::ranges::find(kept->annotations, key,
                                       &std::pair<model::StringId, model::StringId>::first);
  return known == kept->annotations.end() ? 0 : known->second;
}

std::string WholeObjects::key_of(const model::PodRecord& pod) const {
  return ingest::key_of_pod(cluster_.text(pod.namespace_name), cluster_.text(pod.name));
}

std::string WholeObjects::template_key_of(const model::PodRecord& pod) const {
  return ingest::key_of_template(cluster_.text(pod.namespace_name),
                                 cluster_.templates().controller(pod.controller));
}

template <typename Gone>
void WholeObjects::forget(Objects& objects, Gone&& gone) {
  for (auto at = objects.begin(); at != objects.end();) {
    if (gone(at->first)) {
      release(at->second);
      at = objects.erase(at);
    } else {
      ++at;
    }
  }
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
  forget(pods_, [&](const std::string& key) { return !pods.contains(key); });
  forget(nodes_, [&](const std::string& key) { return !nodes.contains(key); });
  forget(templates_, [&](const std::string& key) { return !templates.contains(key); });
  collect_at_ = std::max(2 * size(), kFirstLook);
}

}  // namespace berth::extenders
