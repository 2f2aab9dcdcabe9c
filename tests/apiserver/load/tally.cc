#include "tests/apiserver/load/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/base/assert.h"

namespace berth::apiserver {
namespace {

// The text behind `before`, up to a quotation mark; empty if it is not there.
std::string_view text_behind(std::string_view line, std::string_view before) {
  const size_t at = line.find(before);
  if (at == line.npos) return {};
  line.remove_prefix(at + before.size());
  return line.substr(0, line.find('"'));
}

double seconds_of(Nanoseconds time) { return static_cast<double>(time) / kSecond; }

float at_percent(std::vector<float>& values, size_t percent) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<ptrdiff_t>((values.size() - 1) * percent / 100);
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

// The answer to a watch. The server writes an event at a time.
class Tally::Lines final : public Reply {
 public:
  explicit Lines(std::function<void(std::string_view)> take) : take_(std::move(take)) {}
  void begin(int status, std::map<std::string, std::string>) override {
    BERTH_ASSERT(status == 200);
  }
  void write(std::string_view line) override { take_(line); }
  void end() override {}
  void cut() override {}
  bool open() const override { return true; }

 private:
  const std::function<void(std::string_view)> take_;
};

Tally::Tally(ApiServer& server, const Clock& clock) : server_(server), clock_(clock) {
  open_watch("/api/v1/pods", {}, [this](std::string_view line) { take_pod(line); });
  open_watch("/api/v1/events", {{"fieldSelector", "reason=Scheduled"}},
             [this](std::string_view line) { take_event(line); });
}

void Tally::open_watch(const char* path, std::map<std::string, std::string> query,
                       std::function<void(std::string_view)> take) {
  query["watch"] = "true";
  server_.handle({"GET", path, std::move(query), {}, {}}, std::make_shared<Lines>(std::move(take)));
}

void Tally::take_pod(std::string_view line) {
  // Metadata begin with the name.
  std::string name(text_behind(line, R"("metadata":{"name":")"));
  const Nanoseconds now = clock_.now();
  const std::string_view type = text_behind(line, R"({"type":")");
  if (type == "ADDED") {
    ++created_count_;
    created_.emplace(std::move(name), now);
  } else if (type == "DELETED") {
    ++deleted_;
    created_.erase(name);
  } else if (const auto found = created_.find(name);
             found != created_.end() && line.find(R"("nodeName":")") != line.npos) {
    if (bound_++ == 0) first_bound_ = now;
    last_bound_ = now;
    latencies_.push_back(static_cast<float>(now - found->second) / 1e6F);
    created_.erase(found);
    bound_names_.emplace_back(now, std::move(name));
  }
}

void Tally::take_event(std::string_view line) {
  if (text_behind(line, R"({"type":")") != "ADDED") return;
  ++events_;
  last_event_ = clock_.now();
  event_names_.emplace_back(last_event_, text_behind(line, R"("metadata":{"name":")"));
}

std::string Tally::line(bool latency) const {
  std::string text =
      fmt::format(R"({{"created":{},"bound":{},"events":{},"deleted":{},"first_bound":{:.6f},)"
                  R"("last_bound":{:.6f},"last_event":{:.6f})",
                  created_count_, bound_, events_, deleted_, seconds_of(first_bound_),
                  seconds_of(last_bound_), seconds_of(last_event_));
  if (latency) {
    std::vector<float> values = latencies_;
    text += ",\"latency_ms\":{";
    for (const size_t percent : {50, 90, 99})
      text += fmt::format(R"("p{}":{:.3f},)", percent, at_percent(values, percent));
    text +=
        fmt::format(R"("max":{:.3f}}})", values.empty() ? 0 : *std::ranges::max_element(values));
  }
  return text + "}";
}

}  // namespace berth::apiserver
