#pragma once

// All objects, and what became of them: one counter of revisions, and for each kind the events
// since some revision. Memory: an object is kept as a tree, which writes change in place, and as
// its text.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/apiserver/objects/json.h"
#include "tests/apiserver/store/version.h"

namespace berth::apiserver {

struct Object {
  json::value tree;
  VersionPtr version;  // of the tree; after a change of it, until Store::write(), the one before
};

struct StoreEvent {
  enum class Kind : uint8_t { kAdded, kModified, kDeleted } kind;
  VersionPtr now;     // of a deletion: the last state, with the revision of the deletion
  VersionPtr before;  // null: it is new
};

// Resources are those that are stored, no views. Keys as of Route::key().
class Store {
 public:
  // Is told of each write, before write functions return. May not write.
  using Listener = std::function<void(const Resource&, const StoreEvent&)>;
  // False: no more.
  using Visit = std::function<bool(const VersionPtr&)>;

  // `history`: events that are kept of each kind.
  Store(size_t history, Listener listener);

  uint64_t revision() const { return revision_; }
  size_t size(const Resource& resource) const { return kept(resource).objects.size(); }

  // Null: there is none. Valid until it is removed.
  Object* find(const Resource& resource, std::string_view key);
  // Requires: there is none with the key; the tree is normalised.
  Object& add(const Resource& resource, std::string key, json::value tree);
  // The object's tree was changed, and is still normalised.
  void write(const Resource& resource, Object& object);
  // Requires: it is there. The returned version is that of the deletion.
  VersionPtr remove(const Resource& resource, std::string_view key);

  // Objects whose keys begin with `prefix`, in the order of keys.
  void each(const Resource& resource, std::string_view prefix,
            const std::function<bool(Object&)>& visit);
  // The same as they were at a revision, from the key `from` on. Requires: remembers() it.
  void each_at(const Resource& resource, uint64_t revision, std::string_view prefix,
               std::string_view from, const Visit& visit) const;

  // True if all events after the revision are kept.
  bool remembers(const Resource& resource, uint64_t revision) const {
    return revision >= forgotten(resource);
  }
  // The revision of the last event that is not kept; 0: all are.
  uint64_t forgotten(const Resource& resource) const { return kept(resource).forgotten; }
  // The events after a revision that it remembers().
  void replay(const Resource& resource, uint64_t revision,
              const std::function<void(const StoreEvent&)>& visit) const;
  // Forgets all events.
  void compact();

 private:
  struct Kept {
    std::map<std::string, Object, std::less<>> objects;
    std::deque<StoreEvent> events;
    uint64_t forgotten = 0;
  };

  Kept& kept(const Resource& resource) { return kept_[storage_of(resource)]; }
  const Kept& kept(const Resource& resource) const { return kept_[storage_of(resource)]; }
  VersionPtr stamp(const Resource& resource, std::string key, json::value& tree);
  void record(const Resource& resource, StoreEvent event);

  uint64_t revision_ = 0;
  size_t history_;
  Listener listener_;
  std::vector<Kept> kept_;
};

}  // namespace berth::apiserver
