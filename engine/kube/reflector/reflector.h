#pragma once

// Lists the objects of one kind, then watches them, and tells a sink what changes: client-go's
// reflector (tools/cache/reflector.go) as a state machine.
//
//   idle -> listing <-> waiting <-> watching       any -> stopped
//
// A list comes in pages. If it takes longer than the server keeps its version, the whole is asked
// for at once: the server could go on with a newer version, but then the watch, which begins at the
// version of the first page, would play old states over the newer ones of the last pages. The watch
// goes on from the last version that an event or a bookmark told. When that is too old, or the
// watch makes no sense, all is listed again, and the sink is told the difference (mirror.h).
//
// With `streaming`, the watch itself begins with the objects that are there, up to a bookmark that
// says so, which costs the server less memory than a list. A server that cannot is asked for lists.
//
// What fails is asked for again, after a wait (retry.h) that is not shorter than the server's
// Retry-After. An expired version counts as failed, as for client-go, so that not all clients list
// at the moment in which a server begins. A watch that ends well, or whose connection ends, goes on
// at once, unless it was short and without events. An optional kind that a server does not have, or
// that may not be read, has no objects; it is asked for again now and then.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/kube/api/list_page.h"
#include "engine/kube/api/status.h"
#include "engine/kube/api/watch_lines.h"
#include "engine/kube/http/http.h"
#include "engine/kube/kinds.h"
#include "engine/kube/loop.h"
#include "engine/kube/reflector/mirror.h"
#include "engine/kube/reflector/retry.h"
#include "engine/kube/reflector/sink.h"

namespace berth::kube {

// One thread, that of the loop.
class Reflector {
 public:
  struct Options {
    bool keep_whole = false;  // Watched::whole
    bool streaming = false;
    uint64_t seed = 0;  // of the waits and of the length of watches
  };

  static constexpr Time kAbsentAgain = std::chrono::minutes(5);  // an optional kind is asked for
  static constexpr Time kShortWatch = std::chrono::seconds(1);
  static constexpr uint64_t kShortestTimeout = 300, kLongestTimeout = 600;  // of watches, seconds
  // The server ends lists after a minute, and watches at their timeout. What takes so much longer
  // is lost.
  static constexpr Time kListLimit = std::chrono::minutes(2);
  static constexpr Time kWatchGrace = std::chrono::minutes(1);

  // All arguments but the options must outlive the reflector.
  Reflector(const ServedKind& kind, Http& http, Loop& loop, Sink& sink, Options options);
  ~Reflector() { stop(); }
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;

  // Once, and not after stop(). The sink is not called within.
  void start();
  // Ends the request at hand. The sink is not called any more.
  void stop();

  const ServedKind& kind() const { return kind_; }
  bool synced() const { return synced_; }
  // The version that the sink has. Null: it has no such object. Valid until the sink is called
  // again. `namespace_name`: empty if the kind has none.
  const ObjectVersion* find(std::string_view namespace_name, std::string_view name) const {
    return mirror_.find(namespace_name, name);
  }

 private:
  enum class State : uint8_t { kIdle, kListing, kStreaming, kWatching, kWaiting, kStopped };
  // The step after a wait.
  enum class Next : uint8_t { kList, kPage, kWatch };
  using Changes = std::vector<Watched>;

  // The cause that ends a request before its time.
  struct Failure {
    Next next = Next::kList;
    std::string text;  // to tell; empty: nothing
    std::optional<Time> retry_after{};
    bool refused = false;  // the server does not take such a request
  };

  void go_on(Next next);
  void list();  // from the beginning
  void ask_page();
  void page_came(const Answer& answer);
  void take_page(std::string_view body);
  void page_failed(const Answer& answer);
  void be_absent(std::string why);  // told once
  void watch(State state);          // kStreaming or kWatching
  void data_came(std::string_view data);
  std::optional<Failure> take_line(std::string_view line, Changes& changes);
  Asked asked() const { return {Method::kGet, kind_.resource}; }
  Failure failure_of(const Status& status) const;
  void watch_ended(const Answer& answer);
  void fail(Failure failure);
  void wait(Time time, Next next);
  // Tells the sink, which may stop this.
  void hand_on(Changes changes);
  void be_synced();
  void tell(std::string text);
  uint64_t drawn();

  const ServedKind& kind_;
  Http& http_;
  Loop& loop_;
  Sink& sink_;
  Options options_;
  Mirror mirror_;
  State state_ = State::kIdle;
  uint64_t request_ = 0, timer_ = 0;  // at most one of them is not 0
  Retry retry_;
  uint64_t draws_ = 0;
  bool synced_ = false, absent_ = false;
  std::string told_;  // why the last request failed; empty: it did not

  // Of the list.
  bool at_once_ = false;        // without pages
  std::string continue_token_;  // of the next page
  std::string version_;         // of the first page, and where the watch goes on
  // Of the watch.
  WatchLines lines_;
  Time began_{};
  bool has_events_ = false;
};

}  // namespace berth::kube
