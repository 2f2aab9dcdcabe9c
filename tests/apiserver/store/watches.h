#pragma once

// The watches that are open, and what they are told. An event becomes text once for all watches
// that show it in the same way, but for those that have a form of their own.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/apiserver/api/clock.h"
#include "tests/apiserver/api/exchange.h"
#include "tests/apiserver/store/selector.h"
#include "tests/apiserver/store/store.h"

namespace berth::apiserver {

struct WatchOrder {
  const Resource* resource = nullptr;
  std::string prefix;  // of keys: "default/"; empty: all namespaces
  Selector selector;
  bool bookmarks = false;
  Nanoseconds timeout = 0;  // 0: none
  // Makes of an object's text what the events hold in its place; none: the text itself. Bookmarks
  // are as they are.
  std::function<std::string(std::string_view)> form{};
};

class Watches {
 public:
  // `backlog`: see Options::watch_backlog. All are references to what outlives this.
  Watches(Clock& clock, Nanoseconds bookmark_period, uint64_t backlog)
      : clock_(clock), bookmark_period_(bookmark_period), backlog_(backlog) {}

  // Begins the answer: the objects that are there as ADDED if `initial`, then a bookmark that says
  // so if `mark`; else the events after `revision`, which may be ahead of the store. Then all that
  // comes. Requires: without `initial`, the store remembers the revision.
  void open(WatchOrder order, std::shared_ptr<Reply> reply, const Store& store, uint64_t revision,
            bool initial, bool mark);
  // A write of the stored resource.
  void deliver(const Resource& resource, const StoreEvent& event);
  size_t count() const;

 private:
  struct Watcher;
  struct Lines;

  void tell(Watcher& watcher, const StoreEvent& event, Lines& lines);
  void send(Watcher& watcher, std::string_view line);
  void schedule_bookmark(const std::shared_ptr<Watcher>& watcher, const Store& store);
  static std::string bookmark(const Resource& resource, uint64_t revision, bool initial_end);

  Clock& clock_;
  Nanoseconds bookmark_period_;
  uint64_t backlog_;
  std::vector<std::vector<std::shared_ptr<Watcher>>> watchers_;  // by storage
};

}  // namespace berth::apiserver
