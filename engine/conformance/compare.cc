#include "engine/conformance/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "engine/conformance/canonical.h"
#include "engine/conformance/controllers/compare_timeline.h"
#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {
namespace {

using document::Kind;
using document::Value;

std::string shown(Value value) { return value.present() ? document::to_json(value) : "nothing"; }

// "0/5 nodes are available: 2 A, 3 B." in parts, without regard to their order.
void add_parts(std::string_view sentence, std::multiset<std::string>& parts) {
  constexpr std::string_view kCounted = "available: ";
  const size_t counted = sentence.find(kCounted);
  const size_t colon =
      counted != std::string_view::npos ? counted + kCounted.size() - 2 : sentence.find(": ");
  const std::string begin(sentence.substr(0, colon));
  parts.insert(begin);
  if (colon == std::string_view::npos) return;
  std::string_view rest = sentence.substr(colon + 2);
  while (true) {
    const size_t comma = rest.find(", ");
    parts.insert(begin + ": " + std::string(rest.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 2);
  }
}

// A message is one sentence, an event may be several, each with parts of its own.
std::multiset<std::string> message_parts(std::string_view message) {
  std::multiset<std::string> parts;
  if (message.ends_with('.')) message.remove_suffix(1);
  while (true) {
    const size_t end = message.find(". ");
    add_parts(message.substr(0, end), parts);
    if (end == std::string_view::npos) return parts;
    message.remove_prefix(end + 2);
  }
}

std::set<std::string> texts(Value array) {
  std::set<std::string> set;
  for (Value text : array.elements()) set.insert(document::to_json(text));
  return set;
}

using Keys = std::span<const std::string_view>;

// Keys of a recorded entry: compared as they are, compared by a rule of their own, and those of a
// step that are its input. All others are not compared.
constexpr std::string_view kEqualInResult[] = {"pod", "result", "gatedBy", "best", "bind"};
constexpr std::string_view kByRuleInResult[] = {"message",   "event",   "preemption",
                                                "preFilter", "nodes",   "scores",
                                                "boundBy",   "plugins", "requests"};
// Members whose lists and texts may be empty or absent alike.
constexpr std::string_view kEqualOrEmpty[] = {"boundBy", "plugins", "requests"};
// Parts of texts of errors in transport, which differ from client to client.
constexpr std::string_view kTransport[] = {"invalid character", "deadline exceeded",
                                           "Client.Timeout", "unexpected end of JSON",
                                           "unexpected EOF"};
constexpr std::string_view kEqualInHistory[] = {
    "op",   "pod",         "result",  "plugins",      "evaluated",     "feasible",
    "next", "active",      "backoff", "errorBackoff", "unschedulable", "nominations",
    "pods", "terminating", "waiting"};
constexpr std::string_view kByRuleInHistory[] = {"at", "attempts", "finished", "node"};
constexpr std::string_view kInputOfHistory[] = {"object",  "name", "seconds", "grace",
                                                "message", "seen", "n",       "plugin"};
constexpr std::string_view kEqualInAttempt[] = {"pod",      "attempts", "result",  "node",
                                                "plugins",  "victims",  "cleared", "evaluated",
                                                "feasible", "next",     "calls"};
constexpr std::string_view kByRuleInAttempt[] = {"at", "message", "nominated"};
// Keys of the whole case: its description, its input, and the lists of entries.
constexpr std::string_view kOfCase[] = {
    "apiVersion", "name",  "feature", "reference", "version", "config",    "objects",       "pods",
    "expect",     "steps", "history", "nodeOrder", "script",  "extenders", "popFromBackoff"};

bool holds(Keys keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

class Comparer {
 public:
  explicit Comparer(size_t most) : most_(most) {}

  void run(Value expected, Value answer) {
    if (!expected.find("expect").present() && !expected.find("steps").present() &&
        !expected.find("history").present())
      found_.differences.emplace_back(
          "the case has no recorded answer: no expect, steps or history");
    note_others(expected, kOfCase, {});
    if (Value list = expected.find("expect"); list.present())
      each(list, answer.find("expect"), "expect", &Comparer::result);
    if (Value list = expected.find("steps"); list.present())
      each(list, answer.find("steps"), "steps", &Comparer::exact_members);
    if (Value list = expected.find("history"); list.present())
      each(list, answer.find("history"), "history", &Comparer::history_step);
    if (Value order = expected.find("nodeOrder"); order.present())
      exact(order, answer.find("nodeOrder"), "nodeOrder");
  }

  Comparison take() { return std::move(found_); }

 private:
  void differ(const std::string& where, const std::string& expected, const std::string& answer) {
    if (found_.differences.size() < most_)
      found_.differences.push_back(where + ": expected " + expected + ", got " + answer);
  }

  void equal(Value expected, Value answer, const std::string& where) {
    if (canonical(expected) != canonical(answer)) differ(where, shown(expected), shown(answer));
  }

  // Equal to the millisecond.
  void time(Value expected, Value answer, const std::string& where) {
    constexpr double kPerSecond = 1000;
    const auto whole = [](Value time) {
      return std::llround(kPerSecond * time.as_double().value_or(-1));
    };
    if (whole(expected) != whole(answer)) differ(where, shown(expected), shown(answer));
  }

  // Notes the keys of a recorded entry that are in neither list.
  void note_others(Value entry, Keys known, Keys more) {
    for (document::Member member : entry.members())
      if (!holds(known, member.key) && !holds(more, member.key) && !says_nothing(member.value))
        found_.not_compared.emplace(member.key);
  }

  void exact(Value expected, Value answer, const std::string& where) {
    if (shown(expected) != shown(answer)) differ(where, shown(expected), shown(answer));
  }

  template <typename Each>
  void each(Value expected, Value answer, const std::string& where, Each compare) {
    if (expected.size() != answer.size())
      differ(where, std::to_string(expected.size()) + " entries", std::to_string(answer.size()));
    std::vector<Value> answers;
    for (Value entry : answer.elements()) answers.push_back(entry);
    size_t i = 0;
    for (Value entry : expected.elements()) {
      if (i == answers.size()) return;
      (this->*compare)(entry, answers[i], where + "[" + std::to_string(i) + "]");
      ++i;
    }
  }

  void exact_members(Value expected, Value answer, const std::string& where) {
    for (document::Member member : expected.members())
      exact(member.value, answer.find(member.key), where + "." + std::string(member.key));
  }

  // `node` is the answer to an attempt and the input of other steps; `attempts` is a list, or the
  // number of a pod that was popped.
  void history_step(Value expected, Value answer, const std::string& where) {
    for (const std::string_view key : kEqualInHistory)
      equal(expected.find(key), answer.find(key), where + "." + std::string(key));
    if (expected.find("at").present()) time(expected.find("at"), answer.find("at"), where + ".at");
    if (canonical(expected.find("op")) == "\"attempt\"")
      equal(expected.find("node"), answer.find("node"), where + ".node");
    const Value attempts = expected.find("attempts"), tried = answer.find("attempts");
    if (attempts.is(Kind::kArray) || tried.is(Kind::kArray)) {
      each(attempts, tried, where + ".attempts", &Comparer::attempt);
    } else {
      equal(attempts, tried, where + ".attempts");
    }
    each(expected.find("finished"), answer.find("finished"), where + ".finished",
         &Comparer::attempt);
    for (document::Member member : expected.members())
      if (!holds(kEqualInHistory, member.key) && !holds(kByRuleInHistory, member.key) &&
          !holds(kInputOfHistory, member.key) && !says_nothing(member.value))
        found_.not_compared.emplace(member.key);
  }

  void attempt(Value expected, Value answer, const std::string& where) {
    const std::string at = where + " " + shown(expected.find("pod"));
    for (const std::string_view key : kEqualInAttempt)
      equal(expected.find(key), answer.find(key), at + " " + std::string(key));
    time(expected.find("at"), answer.find("at"), at + " at");
    // Cleared ("") and not changed (absent) are not the same.
    exact(expected.find("nominated"), answer.find("nominated"), at + " nominated");
    event(expected.find("message"), answer.find("message"), at + " message");
    note_others(expected, kEqualInAttempt, kByRuleInAttempt);
  }

  // A text that was cut is compared as it is.
  void event(Value expected, Value answer, const std::string& where) {
    if (expected.present() && expected.as_string().ends_with(" ..."))
      return exact(expected, answer, where);
    message(expected, answer, where);
  }

  void result(Value expected, Value answer, const std::string& where) {
    std::string at = where + " " + shown(expected.find("pod"));
    for (const std::string_view key : kEqualInResult)
      exact(expected.find(key), answer.find(key), at + " " + std::string(key));
    note_others(expected, kEqualInResult, kByRuleInResult);
    for (const std::string_view key : kEqualOrEmpty)
      if (!says_nothing(expected.find(key)) || !says_nothing(answer.find(key)))
        exact(expected.find(key), answer.find(key), at + " " + std::string(key));
    message(expected.find("message"), answer.find("message"), at + " message");
    message(expected.find("event"), answer.find("event"), at + " event");
    preemption(expected.find("preemption"), answer.find("preemption"), at + " preemption");
    verdict(expected.find("preFilter"), answer.find("preFilter"), at + " preFilter");
    nodes(expected.find("nodes"), answer.find("nodes"), at + " node ");
    scores(expected.find("scores"), answer.find("scores"), at + " scores of ");
  }

  // The length of what comes before the text of an error in transport: all, nothing, or up to the
  // end of "preemption: ".
  static size_t before_transport(std::string_view text) {
    const auto in_transport = [&](std::string_view part) { return text.find(part) != text.npos; };
    if (std::none_of(std::begin(kTransport), std::end(kTransport), in_transport)) return text.npos;
    constexpr std::string_view kPreemption = "preemption: ";
    const size_t at = text.find(kPreemption);
    return at == text.npos ? 0 : at + kPreemption.size();
  }

  void message(Value expected, Value answer, const std::string& where) {
    bool same = expected.present() == answer.present();
    if (same && expected.present()) {
      const size_t comparable = before_transport(expected.as_string());
      same = message_parts(expected.as_string().substr(0, comparable)) ==
             message_parts(answer.as_string().substr(0, comparable));
    }
    if (!same) differ(where, shown(expected), shown(answer));
  }

  // Any one of the recorded outcomes is right.
  void preemption(Value expected, Value answer, const std::string& where) {
    bool same = expected.present() == answer.present();
    if (same && expected.present()) {
      std::set<std::string> right;
      for (Value outcome : expected.elements()) right.insert(outcome_text(outcome));
      same = answer.size() == 1;
      for (Value outcome : answer.elements()) same = same && right.contains(outcome_text(outcome));
    }
    if (!same) differ(where, shown(expected), shown(answer));
  }

  static std::string outcome_text(Value outcome) {
    std::string text = std::string(outcome.find("node").as_string());
    for (Value victim : outcome.find("victims").elements()) text += ' ' + shown(victim);
    return text;
  }

  void verdict(Value expected, Value answer, const std::string& where) {
    bool same = expected.present() == answer.present();
    for (const char* key : {"feasible", "plugin", "code"})
      same = same && shown(expected.find(key)) == shown(answer.find(key));
    same = same && texts(expected.find("reasons")) == texts(answer.find("reasons"));
    if (!same) differ(where, shown(expected), shown(answer));
  }

  void nodes(Value expected, Value answer, const std::string& where) {
    if (expected.size() != answer.size())
      differ(where + "count", std::to_string(expected.size()), std::to_string(answer.size()));
    for (document::Member node : expected.members())
      verdict(node.value, answer.find(node.key), where + std::string(node.key));
  }

  // A plugin that skipped scoring may be absent or 0.
  void scores(Value expected, Value answer, const std::string& where) {
    if (expected.size() != answer.size())
      differ(where + "nodes", std::to_string(expected.size()), std::to_string(answer.size()));
    for (document::Member node : expected.members()) {
      Value mine = answer.find(node.key);
      std::set<std::string> plugins;
      for (document::Member score : node.value.members()) plugins.emplace(score.key);
      for (document::Member score : mine.members()) plugins.emplace(score.key);
      for (const std::string& plugin : plugins) {
        int64_t theirs = node.value.find(plugin).as_int64().value_or(0);
        int64_t ours = mine.find(plugin).as_int64().value_or(0);
        if (theirs != ours)
          differ(where + std::string(node.key) + " by " + plugin, std::to_string(theirs),
                 std::to_string(ours));
      }
    }
  }

  size_t most_;
  Comparison found_;
};

}  // namespace

Comparison compare(Value expected, Value answer, size_t most) {
  if (has_timeline(expected)) return {compare_timelines(expected, answer, most), {}};
  Comparer comparer(most);
  comparer.run(expected, answer);
  return comparer.take();
}

}  // namespace berth::conformance
