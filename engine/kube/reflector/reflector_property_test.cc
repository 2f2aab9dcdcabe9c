// Whatever happens to lists and watches, the sink ends with the objects of the server, and every
// change on the way follows from what it had (RecordingSink throws otherwise).

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/kube/reflector/reflector.h"
#include "engine/kube/reflector/testing.h"
#include "engine/kube/testing/fake_objects.h"

namespace berth::kube {
namespace {

// A server of pods that answers a bit at a time, and a reflector of it.
class PlayedServer {
 public:
  explicit PlayedServer(bool streams) : played_("Pod", {false, streams}) {}

  // One step; `choice` and `number` are drawn.
  void step(uint8_t choice, uint8_t number) {
    const std::string name(1, static_cast<char>('a' + number % 5));
    switch (choice % 16) {
      case 0:
      case 1:
      case 2:
        return put(name, objects_.uids().contains(name) ? objects_.uids().at(name) : new_uid());
      case 3:
        return put(name, new_uid());
      case 4:
        if (objects_.uids().contains(name)) objects_.remove(name);
        return;
      case 5:
        return objects_.pass();
      case 6:
        return objects_.compact();
      case 7:
        return fail(number);
      case 8:
        return played_.loop.advance(std::chrono::seconds(number % 8));
      case 9:
        if (begun()) unsent_ += objects_.events_after(position_) + objects_.bookmark();
        return;
      default:
        return go_on(number);
    }
  }

  // Until the reflector watches, and has heard all.
  void settle() {
    for (int i = 0; i < 1000; ++i) {
      if (played_.http.open().empty()) {
        played_.loop.advance(std::chrono::minutes(1));
        continue;
      }
      if (is_new() || !played_.watches()) {
        go_on(0);
        continue;
      }
      unsent_ += objects_.events_after(position_);
      if (unsent_.empty()) return;
      send(unsent_.size());
    }
    RC_FAIL("the reflector does not settle");
  }

  void check() const {
    std::map<std::string, std::string> expected, seen;
    for (const auto& [name, uid] : objects_.uids())
      expected["default/" + name] = uid + " " + labels_.at(name);
    for (const auto& [name, object] : played_.sink.objects)
      seen[name] = std::get<model::TemplatePod>(object).uid + " " + label_of(object);
    RC_ASSERT(seen == expected);
    for (const auto& [name, uid] : objects_.uids()) {
      const ObjectVersion* version = played_.reflector.find("default", name);
      RC_ASSERT(version != nullptr && version->uid == uid);
    }
  }

 private:
  std::string new_uid() { return "u" + std::to_string(++uids_); }

  void put(const std::string& name, const std::string& uid) {
    const std::string label = std::to_string(++labels_given_);
    objects_.put(name, uid, R"("v":")" + label + "\"", "");
    labels_[name] = label;
  }

  // True if the open request is one that the server has not seen.
  bool is_new() const { return !played_.http.open().empty() && played_.open().number != seen_; }
  // True if a watch is open that the server has begun to answer.
  bool begun() const { return !played_.http.open().empty() && !is_new() && played_.watches(); }

  void begin_watch() {
    seen_ = played_.open().number;
    position_ = played_.query("resourceVersion");
    unsent_.clear();
    if (!position_.empty()) return;
    unsent_ = objects_.initial_events();
    position_ = objects_.version();
  }

  void go_on(uint8_t number) {
    if (played_.http.open().empty()) return;
    if (!played_.watches()) {
      std::string path = played_.path();
      if (const size_t limit = path.find("limit=500"); limit != path.npos)
        path.replace(limit, 9, "limit=2");
      const Answer page = objects_.page(path);
      return played_.answer(page.status, page.body);
    }
    if (is_new()) return begin_watch();
    unsent_ += objects_.events_after(position_);
    send(std::min<size_t>(unsent_.size(), number * size_t{4}));
  }

  void send(size_t bytes) {
    const std::string part = unsent_.substr(0, bytes);
    unsent_.erase(0, bytes);
    played_.part(part);
  }

  void fail(uint8_t number) {
    if (played_.http.open().empty()) return;
    switch (number % 8) {
      case 0:
        return played_.lose(Answer::Fate::kNotSent);
      case 1:
        return played_.answer(429, "busy", std::chrono::seconds(number));
      case 2:
        return played_.answer(410, FakeObjects::expired_status());
      case 3:
        return played_.answer(400);
      case 4:
        if (!played_.watches()) return;
        return played_.part("nonsense\n");
      case 5:
        if (!played_.watches()) return;
        return played_.answer(200);
      default:
        return played_.lose();
    }
  }

  FakeObjects objects_;
  std::map<std::string, std::string> labels_;
  int uids_ = 0, labels_given_ = 0;
  Played played_;
  uint64_t seen_ = 0;     // the watch that the server answers
  std::string position_;  // of its events
  std::string unsent_;    // of them
};

RC_GTEST_PROP(ReflectorProperty, TheSinkEndsWithTheObjectsOfTheServer,
              (const std::vector<std::pair<uint8_t, uint8_t>>& steps, bool streams)) {
  PlayedServer server(streams);
  for (const auto& [choice, number] : steps) server.step(choice, number);
  server.settle();
  server.check();
}

// The same with histories that are long enough for lists to expire between their pages.
RC_GTEST_PROP(ReflectorProperty, HoldsForLongHistories, (bool streams)) {
  PlayedServer server(streams);
  const auto steps = *rc::gen::container<std::vector<std::pair<uint8_t, uint8_t>>>(
      400, rc::gen::arbitrary<std::pair<uint8_t, uint8_t>>());
  for (const auto& [choice, number] : steps) server.step(choice, number);
  server.settle();
  server.check();
}

}  // namespace
}  // namespace berth::kube
