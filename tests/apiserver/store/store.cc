#include "tests/apiserver/store/store.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::apiserver {

Store::Store(size_t history, Listener listener)
    : history_(history), listener_(std::move(listener)), kept_(all_resources().size()) {}

Object* Store::find(const Resource& resource, std::string_view key) {
  auto& objects = kept(resource).objects;
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : &found->second;
}

VersionPtr Store::stamp(const Resource& resource, std::string key, json::value& tree) {
  tree.as_object()["metadata"].as_object()["resourceVersion"] = std::to_string(++revision_);
  return std::make_shared<const Version>(resource, std::move(key), tree, revision_);
}

void Store::record(const Resource& resource, StoreEvent event) {
  Kept& of = kept(resource);
  of.events.push_back(std::move(event));
  // The listener is told of a copy: no reference into the history outlives this.
  const StoreEvent told = of.events.back();
  while (of.events.size() > history_) {
    of.forgotten = of.events.front().now->revision();
    of.events.pop_front();
  }
  listener_(resource, told);
}

Object& Store::add(const Resource& resource, std::string key, json::value tree) {
  const auto [added, is_new] = kept(resource).objects.try_emplace(key);
  BERTH_ASSERT(is_new);
  Object& object = added->second;
  object.tree = std::move(tree);
  object.version = stamp(resource, std::move(key), object.tree);
  record(resource, {StoreEvent::Kind::kAdded, object.version, nullptr});
  return object;
}

void Store::write(const Resource& resource, Object& object) {
  VersionPtr before = object.version;
  object.version = stamp(resource, before->key(), object.tree);
  record(resource, {StoreEvent::Kind::kModified, object.version, std::move(before)});
}

VersionPtr Store::remove(const Resource& resource, std::string_view key) {
  auto& objects = kept(resource).objects;
  const auto found = objects.find(key);
  BERTH_ASSERT(found != objects.end());
  Object last = std::move(found->second);
  objects.erase(found);
  VersionPtr gone = stamp(resource, last.version->key(), last.tree);
  record(resource, {StoreEvent::Kind::kDeleted, gone, std::move(last.version)});
  return gone;
}

void Store::each(const Resource& resource, std::string_view prefix,
                 const std::function<bool(Object&)>& visit) {
  auto& objects = kept(resource).objects;
  for (auto at = objects.lower_bound(prefix); at != objects.end(); ++at) {
    if (!at->first.starts_with(prefix) || !visit(at->second)) return;
  }
}

void Store::each_at(const Resource& resource, uint64_t revision, std::string_view prefix,
                    std::string_view from, const Visit& visit) const {
  BERTH_ASSERT(remembers(resource, revision));
  // What objects were that changed since; null: they were not there.
  std::map<std::string_view, VersionPtr> then;
  replay(resource, revision,
         [&](const StoreEvent& event) { then.try_emplace(event.now->key(), event.before); });
  const std::string_view begin = std::max(prefix, from);
  const auto& objects = kept(resource).objects;
  auto now = objects.lower_bound(begin);
  auto past = then.lower_bound(begin);
  const auto in_range = [&](const auto& at, const auto& end) {
    return at != end && std::string_view(at->first).starts_with(prefix);
  };
  while (true) {
    const bool has_now = in_range(now, objects.end()), has_past = in_range(past, then.end());
    if (!has_now && !has_past) return;
    VersionPtr version;
    if (has_past && (!has_now || past->first <= now->first)) {
      if (has_now && past->first == now->first) ++now;
      version = (past++)->second;
    } else {
      version = (now++)->second.version;
    }
    if (version != nullptr && !visit(version)) return;
  }
}

void Store::replay(const Resource& resource, uint64_t revision,
                   const std::function<void(const StoreEvent&)>& visit) const {
  const auto& events = kept(resource).events;
  auto at = std::ranges::upper_bound(events, revision, {},
                                     [](const StoreEvent& event) { return event.now->revision(); });
  for (; at != events.end(); ++at) visit(*at);
}

void Store::compact() {
  for (Kept& of : kept_) {
    of.events.clear();
    of.forgotten = revision_;
  }
}

}  // namespace berth::apiserver
