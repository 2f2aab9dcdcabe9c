#include "engine/conformance/controllers/compare_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "engine/conformance/canonical.h"
#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {
namespace {

using document::Value;

// The texts that an entry may have: several texts if chance chooses one of them in Kubernetes.
using Choices = std::vector<std::string>;

struct Instant {
  std::vector<Choices> expected_in_order, expected;
  std::vector<std::string> got_in_order, got;
};

bool is_ordered(Value root, Value entry) {
  const std::string_view feature = root.find("feature").text(), type = entry.find("type").text();
  if (feature == "eviction-api") return type == "response";
  if (feature != "node-pressure" && feature != "kubelet-admission") return false;
  return type == "evict" || type == "preempt";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

Choices choices(Value entry) {
  constexpr std::string_view kAlternatives = "messageAlternatives";
  const std::string text = canonical(entry, kAlternatives);
  Choices all{text};
  const Value message = entry.find("message");
  for (Value other : entry.find(kAlternatives).elements())
    all.push_back(replaced(text, document::to_json(message), document::to_json(other)));
  return all;
}

class TimelineComparer {
 public:
  TimelineComparer(Value root, Value answer) {
    for (Value entry : root.find("expect").elements()) {
      Instant& at = instants_[seconds_at(entry, "at")];
      (is_ordered(root, entry) ? at.expected_in_order : at.expected).push_back(choices(entry));
    }
    for (Value entry : answer.find("expect").elements()) {
      Instant& at = instants_[seconds_at(entry, "at")];
      (is_ordered(root, entry) ? at.got_in_order : at.got).push_back(canonical(entry));
    }
  }

  std::vector<std::string> run(size_t most) {
    for (auto& [time, at] : instants_) {
      in_order(at);
      in_any_order(at);
    }
    if (differences_.size() > most) differences_.resize(most);
    return std::move(differences_);
  }

 private:
  static bool has(const Choices& choices, const std::string& text) {
    return std::ranges::find(choices, text) != choices.end();
  }
  void differ(const std::string& expected, const std::string& got) {
    differences_.push_back(fmt::format("expected {}, got {}", expected, got));
  }
  void in_order(const Instant& at) {
    for (size_t i = 0; i < std::max(at.expected_in_order.size(), at.got_in_order.size()); ++i) {
      const bool wanted = i < at.expected_in_order.size(), came = i < at.got_in_order.size();
      if (wanted && came && has(at.expected_in_order[i], at.got_in_order[i])) continue;
      differ(wanted ? at.expected_in_order[i].front() : "nothing",
             came ? at.got_in_order[i] : "nothing");
    }
  }
  void in_any_order(Instant& at) {
    for (const Choices& expected : at.expected) {
      const auto got =
          std::ranges::find_if(at.got, [&](const auto& text) { return has(expected, text); });
      if (got == at.got.end()) {
        differ(expected.front(), "nothing");
      } else {
        at.got.erase(got);
      }
    }
    for (const std::string& text : at.got) differ("nothing", text);
  }

  std::map<Time, Instant> instants_;
  std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> compare_timelines(Value expected, Value answer, size_t most) {
  return TimelineComparer(expected, answer).run(most);
}

}  // namespace berth::conformance
