#include "tests/apiserver/store/watches.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tests/apiserver/api/backlog.h"

namespace berth::apiserver {

struct Watches::Watcher {
  WatchOrder order;
  std::shared_ptr<Reply> reply;
  const Backlog* backlog;  // null: the reply does not know
  uint64_t after;          // only events behind this revision
  bool ended = false;

  bool matches(const Version& version) const {
    return version.key().starts_with(order.prefix) && order.selector.matches(version);
  }
};

namespace {

constexpr std::string_view kTypes[] = {"ADDED", "MODIFIED", "DELETED"};

std::string line_of(std::string_view type, std::string_view object) {
  std::string line;
  line.reserve(object.size() + 40);
  line.append("{\"type\":\"").append(type).append("\",\"object\":").append(object).append("}\n");
  return line;
}

std::string line_for(const WatchOrder& order, std::string_view type, std::string_view object) {
  return order.form ? line_of(type, order.form(object)) : line_of(type, object);
}

}  // namespace

// The lines of one event, made when the first watch needs them. An event is shown as a deletion
// also where an object no longer matches: then as it was, with the revision of the event.
struct Watches::Lines {
  enum Form : uint8_t { kAdded, kModified, kDeleted, kLeft };

  std::string_view get(const WatchOrder& order, const StoreEvent& event, Form form) {
    std::string& shared = made[static_cast<size_t>(order.resource->view)][form];
    std::string& line = order.form ? own : shared;
    if (order.form || line.empty()) line = make(order, event, form);
    return line;
  }

  static std::string make(const WatchOrder& order, const StoreEvent& event, Form form) {
    if (form != kLeft) return line_for(order, kTypes[form], event.now->whole(*order.resource));
    const uint64_t revision = event.now->revision();
    return line_for(order, "DELETED", event.before->with_revision(*order.resource, revision));
  }

  std::array<std::array<std::string, 4>, 2> made;
  std::string own;  // of the last watch that has a form of its own
};

std::string Watches::bookmark(const Resource& resource, uint64_t revision, bool initial_end) {
  std::string object = "{\"kind\":\"" + std::string(resource.kind) + "\",\"apiVersion\":\"";
  object.append(api_version(resource)).append("\",\"metadata\":{\"resourceVersion\":\"");
  object.append(std::to_string(revision)).append("\"");
  if (initial_end) object += ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}";
  return line_of("BOOKMARK", object.append("}}"));
}

void Watches::send(Watcher& watcher, std::string_view line) {
  if (watcher.ended) return;
  if (!watcher.reply->open()) {
    watcher.ended = true;
    return;
  }
  watcher.reply->write(line);
  if (watcher.backlog != nullptr && watcher.backlog->waiting() > backlog_) {
    watcher.ended = true;
    watcher.reply->end();
  }
}

void Watches::tell(Watcher& watcher, const StoreEvent& event, Lines& lines) {
  if (event.now->revision() <= watcher.after) return;
  const bool deleted = event.kind == StoreEvent::Kind::kDeleted;
  const bool before = event.before != nullptr && watcher.matches(*event.before);
  const bool now = !deleted && watcher.matches(*event.now);
  if (!before && !now) return;
  Lines::Form form = Lines::kModified;
  if (!now) {
    form = deleted ? Lines::kDeleted : Lines::kLeft;
  } else if (!before) {
    form = Lines::kAdded;
  }
  send(watcher, lines.get(watcher.order, event, form));
}

void Watches::deliver(const Resource& resource, const StoreEvent& event) {
  const size_t storage = storage_of(resource);
  if (storage >= watchers_.size()) return;
  Lines lines;
  // Those that end are removed behind the loop.
  bool ended = false;
  for (const std::shared_ptr<Watcher>& watcher : watchers_[storage]) {
    tell(*watcher, event, lines);
    ended |= watcher->ended;
  }
  if (ended) std::erase_if(watchers_[storage], [](const auto& watcher) { return watcher->ended; });
}

void Watches::open(WatchOrder order, std::shared_ptr<Reply> reply, const Store& store,
                   uint64_t revision, bool initial, bool mark) {
  const Resource& resource = *order.resource;
  const size_t storage = storage_of(resource);
  const Nanoseconds timeout = order.timeout;
  const bool bookmarks = order.bookmarks;
  auto watcher = std::make_shared<Watcher>(
      Watcher{std::move(order), reply, dynamic_cast<const Backlog*>(reply.get()), revision});
  reply->begin(200, {{"content-type", "application/json"}, {"cache-control", "no-cache, private"}});
  if (initial) {
    watcher->after = store.revision();
    store.each_at(resource, store.revision(), watcher->order.prefix, {}, [&](const auto& version) {
      if (watcher->matches(*version)) {
        send(*watcher, line_for(watcher->order, "ADDED", version->whole(resource)));
      }
      return !watcher->ended;
    });
    if (mark) send(*watcher, bookmark(resource, store.revision(), true));
  } else {
    store.replay(resource, revision, [&](const StoreEvent& event) {
      Lines lines;
      tell(*watcher, event, lines);
    });
  }
  if (watcher->ended) return;
  if (watchers_.size() <= storage) watchers_.resize(storage + 1);
  watchers_[storage].push_back(watcher);
  if (bookmarks) schedule_bookmark(watcher, store);
  if (timeout == 0) return;
  // Watchers are owned here alone, so while one is there, this is, too.
  clock_.at(clock_.now() + timeout, [weak = std::weak_ptr(watcher)] {
    const std::shared_ptr<Watcher> at = weak.lock();
    if (at == nullptr || std::exchange(at->ended, true)) return;
    at->reply->end();
  });
}

void Watches::schedule_bookmark(const std::shared_ptr<Watcher>& watcher, const Store& store) {
  clock_.at(clock_.now() + bookmark_period_, [this, &store, weak = std::weak_ptr(watcher)] {
    const std::shared_ptr<Watcher> at = weak.lock();
    if (at == nullptr || at->ended) return;
    send(*at, bookmark(*at->order.resource, std::max(store.revision(), at->after), false));
    if (!at->ended) schedule_bookmark(at, store);
  });
}

size_t Watches::count() const {
  size_t count = 0;
  for (const auto& of : watchers_) {
    count += static_cast<size_t>(
        std::ranges::count_if(of, [](const auto& at) { return !at->ended && at->reply->open(); }));
  }
  return count;
}

}  // namespace berth::apiserver
