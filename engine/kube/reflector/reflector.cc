#include "engine/kube/reflector/reflector.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/draw.h"
#include "engine/base/text/printable.h"
#include "engine/kube/api/query.h"

namespace berth::kube {
namespace {

constexpr std::string_view kNotServed =
    "the server does not have this kind, so there are no objects of it";

constexpr std::string_view kPageSize = "500";
constexpr int kBegun = 200;  // the status of a watch, also of one whose connection ended later

// The server may take the request later, when its state, its load or the rights of the user have
// changed. False: not as it is.
bool is_taken_later(const Status& status) {
  return status.code != 0 &&
         (status.may_pass() || status.is_unauthorized() || status.is_forbidden());
}

}  // namespace

Reflector::Reflector(const ServedKind& kind, Http& http, Loop& loop, Sink& sink, Options options)
    : kind_(kind),
      http_(http),
      loop_(loop),
      sink_(sink),
      options_(options),
      mirror_(kind, options.keep_whole, [this](std::string fault) {
        if (state_ != State::kStopped) sink_.note(kind_, std::move(fault));
      }) {}

void Reflector::start() {
  BERTH_ASSERT(state_ == State::kIdle);
  list();
}

void Reflector::stop() {
  state_ = State::kStopped;
  http_.cancel(std::exchange(request_, 0));
  loop_.cancel(std::exchange(timer_, 0));
}

uint64_t Reflector::drawn() { return draw(options_.seed, draws_++, 0, Purpose::kApiClient); }

void Reflector::go_on(Next next) {
  switch (next) {
    case Next::kList:
      return list();
    case Next::kPage:
      return ask_page();
    case Next::kWatch:
      return watch(State::kWatching);
  }
}

void Reflector::list() {
  mirror_.begin_list();
  continue_token_.clear();
  version_.clear();
  options_.streaming ? watch(State::kStreaming) : ask_page();
}

void Reflector::ask_page() {
  BERTH_ASSERT(request_ == 0 && timer_ == 0);
  state_ = State::kListing;
  Request request;
  request.path = with_query(list_path(kind_), {{"limit", at_once_ ? "" : kPageSize},
                                               {"continue", continue_token_},
                                               {"fieldSelector", kind_.field_selector}});
  request.limit = kListLimit;
  request_ = http_.send(std::move(request), [this](const Answer& answer) { page_came(answer); });
}

void Reflector::page_came(const Answer& answer) {
  BERTH_ASSERT(state_ == State::kListing);
  request_ = 0;
  answer.ok() ? take_page(answer.body) : page_failed(answer);
}

void Reflector::take_page(std::string_view body) {
  std::string fault;
  const auto page = read_list_page(body, fault);
  if (!page) return fail({Next::kList, "the list cannot be read: " + fault});
  told_.clear();
  absent_ = false;
  if (version_.empty()) version_ = page->resource_version;
  continue_token_ = page->continue_token;
  const bool is_last = continue_token_.empty();
  Changes changes;
  for (const document::Value item : page->items.elements())
    mirror_.take(model::Operation::kAdded, item, changes);
  if (is_last) mirror_.end_list(changes);
  hand_on(std::move(changes));
  if (state_ == State::kStopped) return;
  if (!is_last) return ask_page();
  at_once_ = false;
  be_synced();
  if (state_ != State::kStopped) watch(State::kWatching);
}

void Reflector::page_failed(const Answer& answer) {
  std::string text = "the list failed: " + failure_text(answer, asked());
  if (answer.fate != Answer::Fate::kAnswered)
    return fail({Next::kPage, std::move(text), answer.retry_after});
  const Status status = status_of(answer, asked());
  if (status.is_not_found() && kind_.optional) return be_absent(std::string(kNotServed));
  // A server asks who may read a kind before it looks whether it has that. Objects that are known
  // stay.
  if (status.is_forbidden() && kind_.optional && (absent_ || !synced_))
    return be_absent(text + "; its objects are taken as absent");
  if (status.is_expired() && !continue_token_.empty()) {
    tell("the list took longer than the server keeps its version; it is asked for without pages");
    if (state_ == State::kStopped) return;
    at_once_ = true;
    return list();
  }
  fail({is_taken_later(status) ? Next::kPage : Next::kList, std::move(text), status.retry_after});
}

void Reflector::be_absent(std::string why) {
  Changes gone;
  mirror_.begin_list();
  mirror_.end_list(gone);
  hand_on(std::move(gone));
  if (!std::exchange(absent_, true) && state_ != State::kStopped) sink_.note(kind_, std::move(why));
  if (state_ != State::kStopped) be_synced();
  if (state_ != State::kStopped) wait(kAbsentAgain, Next::kList);
}

void Reflector::watch(State state) {
  BERTH_ASSERT(request_ == 0 && timer_ == 0);
  BERTH_ASSERT((state == State::kWatching) != version_.empty());
  const bool streams = state == State::kStreaming;
  constexpr uint64_t kTimeouts = kLongestTimeout - kShortestTimeout + 1;
  const uint64_t seconds = kShortestTimeout + below(drawn(), kTimeouts);
  state_ = state;
  lines_ = WatchLines();
  began_ = loop_.now();
  has_events_ = false;
  Request request;
  request.path =
      with_query(list_path(kind_), {{"watch", "true"},
                                    {"allowWatchBookmarks", "true"},
                                    {"sendInitialEvents", streams ? "true" : ""},
                                    {"resourceVersionMatch", streams ? "NotOlderThan" : ""},
                                    {"resourceVersion", version_},
                                    {"timeoutSeconds", std::to_string(seconds)},
                                    {"fieldSelector", kind_.field_selector}});
  request.limit = std::chrono::seconds(seconds) + kWatchGrace;
  request_ = http_.stream(
      std::move(request), [this](std::string_view data) { data_came(data); },
      [this](const Answer& answer) { watch_ended(answer); });
}

void Reflector::data_came(std::string_view data) {
  BERTH_ASSERT(state_ == State::kStreaming || state_ == State::kWatching);
  Changes changes;
  std::optional<Failure> failure;
  lines_.feed(data);
  while (!failure)
    if (const auto line = lines_.next()) {
      failure = take_line(*line, changes);
    } else {
      break;
    }
  if (lines_.too_long())
    failure = {Next::kList, "the watch cannot be read: an event has more than " +
                                std::to_string(WatchLines::kMostBytes) + " bytes"};
  hand_on(std::move(changes));
  if (state_ == State::kWatching && !synced_) be_synced();
  if (state_ == State::kStopped || !failure) return;
  http_.cancel(std::exchange(request_, 0));
  fail(std::move(*failure));
}

std::optional<Reflector::Failure> Reflector::take_line(std::string_view line, Changes& changes) {
  using Type = WatchEvent::Type;
  std::string fault;
  const auto event = read_watch_event(line, fault);
  if (!event) return Failure{Next::kList, "the watch cannot be read: " + fault};
  if (event->type == Type::kError) return failure_of(status_of(event->object));
  const auto version = event->resource_version();
  if (event->type == Type::kBookmark && version.empty())
    return Failure{Next::kList, "the watch cannot be read: expected a bookmark with a version"};
  has_events_ = true;
  told_.clear();
  if (event->type != Type::kBookmark)
    mirror_.take(event->type == Type::kAdded      ? model::Operation::kAdded
                 : event->type == Type::kModified ? model::Operation::kModified
                                                  : model::Operation::kDeleted,
                 event->object, changes);
  if (!version.empty()) version_ = version;
  if (state_ == State::kStreaming && event->ends_initial_events()) {
    mirror_.end_list(changes);
    absent_ = false;
    state_ = State::kWatching;
  }
  return std::nullopt;
}

Reflector::Failure Reflector::failure_of(const Status& status) const {
  if (status.is_expired()) return {Next::kList, "", status.retry_after};
  // An internal error may come from what follows this version, and would come again.
  const bool goes_on =
      state_ == State::kWatching && is_taken_later(status) && !status.is_internal_error();
  return {goes_on ? Next::kWatch : Next::kList, "the watch failed: " + status.text(),
          status.retry_after, !is_taken_later(status)};
}

void Reflector::watch_ended(const Answer& answer) {
  BERTH_ASSERT(state_ == State::kStreaming || state_ == State::kWatching);
  request_ = 0;
  const bool is_begun = state_ == State::kWatching;
  if (answer.ok() && !is_begun)
    return fail({Next::kList, "the watch ended before all objects came", {}, true});
  const bool is_short = !has_events_ && loop_.now() - began_ < kShortWatch;
  if (answer.ok() && is_short) return fail({Next::kWatch, ""});
  if (answer.ok() || (is_begun && !is_short && answer.status == kBegun))
    return watch(State::kWatching);
  if (answer.fate != Answer::Fate::kAnswered)
    return fail({is_begun ? Next::kWatch : Next::kList,
                 "the watch failed: " + failure_text(answer, asked()), answer.retry_after});
  const Status status = status_of(answer, asked());
  if (!is_begun && status.is_not_found() && kind_.optional)
    return be_absent(std::string(kNotServed));
  fail(failure_of(status));
}

void Reflector::fail(Failure failure) {
  BERTH_ASSERT(request_ == 0);
  if (!failure.text.empty()) tell(std::move(failure.text));
  if (state_ == State::kStopped) return;
  if (state_ == State::kStreaming && failure.refused) {
    options_.streaming = false;
    return list();
  }
  const Time pause = retry_.next(loop_.now(), drawn());
  wait(std::max(pause, failure.retry_after.value_or(Time{})), failure.next);
}

void Reflector::wait(Time time, Next next) {
  BERTH_ASSERT(request_ == 0 && timer_ == 0);
  state_ = State::kWaiting;
  timer_ = loop_.after(time, [this, next] {
    timer_ = 0;
    go_on(next);
  });
}

void Reflector::hand_on(Changes changes) {
  if (state_ != State::kStopped && !changes.empty()) sink_.take(kind_, std::move(changes));
}

void Reflector::be_synced() {
  if (!std::exchange(synced_, true)) sink_.synced(kind_);
}

void Reflector::tell(std::string text) {
  text = printable(text);
  if (text == told_) return;
  told_ = text;
  sink_.note(kind_, std::move(text));
}

}  // namespace berth::kube
