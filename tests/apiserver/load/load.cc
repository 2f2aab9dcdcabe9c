#include "tests/apiserver/load/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/base/error.h"
#include "tests/apiserver/load/objects.h"

namespace berth::apiserver {
namespace {

constexpr Nanoseconds kTick = kSecond / 1000, kPrint = kSecond / 10;
// What one tick creates at most, so that clients are served in between.
constexpr size_t kMostATick = 200;

constexpr int kCreated = 201, kNotFound = 404;

// Keeps the status of an answer that comes at once.
class Status final : public Reply {
 public:
  void begin(int status, std::map<std::string, std::string>) override { value = status; }
  void write(std::string_view part) override { text += part; }
  void end() override {}
  void cut() override {}
  bool open() const override { return true; }

  int value = 0;
  std::string text;
};

}  // namespace

Load::Load(ApiServer& server, Clock& clock, const LoadOptions& options,
           std::function<void(const std::string&)> print)
    : server_(server),
      clock_(clock),
      options_(options),
      print_(std::move(print)),
      tally_(server, clock) {
  for (; next_node_ < options_.nodes; ++next_node_) create("/api/v1/nodes", load_node(next_node_));
  for (; next_pod_ < options_.pods; ++next_pod_)
    create("/api/v1/namespaces/default/pods", load_pod(next_pod_));
  tick();
}

void Load::create(const char* path, std::string body) {
  const auto reply = std::make_shared<Status>();
  server_.handle({"POST", path, {}, {}, std::move(body)}, reply);
  if (reply->value != kCreated) throw Error("the load is refused: " + reply->text);
}

void Load::remove(const std::string& path) {
  const auto reply = std::make_shared<Status>();
  server_.handle({"DELETE", path, {}, {}, {}}, reply);
  if (reply->value >= 300 && reply->value != kNotFound)
    throw Error("a deletion of the load is refused: " + reply->text);
}

void Load::tick() {
  const Nanoseconds now = clock_.now();
  if (began_ == 0 && options_.rate > 0 && tally_.bound() == options_.pods) began_ = now;
  if (began_ != 0) come();
  go();
  if (now - printed_ >= kPrint) {
    printed_ = now;
    print_(tally_.line(false));
  }
  clock_.at(now + kTick, [this] { tick(); });
}

void Load::come() {
  const double seconds = static_cast<double>(clock_.now() - began_) / kSecond;
  const auto due = [&](double rate) { return static_cast<size_t>(seconds * rate); };
  const size_t pods = std::min({options_.pods + due(options_.rate),
                                options_.pods + options_.more_pods, next_pod_ + kMostATick});
  const bool comes = next_pod_ < options_.pods + options_.more_pods;
  for (; next_pod_ < pods; ++next_pod_)
    create("/api/v1/namespaces/default/pods", load_pod(next_pod_));
  const size_t nodes = std::min(options_.nodes + due(options_.node_rate), next_node_ + kMostATick);
  for (; comes && next_node_ < nodes; ++next_node_) {
    remove(fmt::format("/api/v1/nodes/n-{}", first_node_++));
    create("/api/v1/nodes", load_node(next_node_));
  }
}

void Load::go() {
  Tally::Seen pods = tally_.take_bound(), events = tally_.take_events();
  if (options_.life == 0) return;
  const auto life = static_cast<Nanoseconds>(options_.life * kSecond);
  for (const auto& [time, name] : pods)
    pods_.emplace_back(time + life, "/api/v1/namespaces/default/pods/" + name);
  for (const auto& [time, name] : events)
    events_.emplace_back(time + life, "/api/v1/namespaces/default/events/" + name);
  end_old(pods_);
  end_old(events_);
}

void Load::end_old(Ends& ends) {
  for (size_t i = 0; i < kMostATick && !ends.empty() && ends.front().first <= clock_.now(); ++i) {
    remove(ends.front().second);
    ends.pop_front();
  }
}

}  // namespace berth::apiserver
