#pragma once

// Shared by the tests of reflectors.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/kube/reflector/reflector.h"
#include "engine/kube/testing/fake_http.h"
#include "engine/kube/testing/fake_loop.h"

namespace berth::kube {

using Texts = std::vector<std::string>;

// The value of the label v, which the tests count versions with.
inline std::string label_of(const model::Object& object) {
  const auto find = [](const model::StringMap& labels) {
    for (const auto& [key, value] : labels)
      if (key == "v") return value;
    return std::string();
  };
  if (const auto* pod = std::get_if<model::TemplatePod>(&object))
    return pod->spec == nullptr ? "" : find(pod->spec->labels);
  if (const auto* node = std::get_if<model::Node>(&object)) return find(node->labels);
  return {};
}

// Writes down what it is told, and throws std::logic_error if changes do not follow from what it
// has.
class RecordingSink final : public Sink {
 public:
  // "ADDED default/a 1", with the label; one entry a batch, its changes separated by commas.
  Texts log;
  Texts notes;
  int times_synced = 0;
  std::map<std::string, model::Object> objects;  // by name
  std::function<void()> then;                    // called at the end of each function

  void take(const ServedKind& kind, std::vector<Watched> changes) override {
    std::string batch;
    for (Watched& watched : changes) {
      const model::Change& change = watched.change;
      const std::string name = model::full_name(change.object);
      batch += (batch.empty() ? "" : ", ") + std::string(model::event_type(change.operation)) +
               " " + name;
      if (const std::string label = label_of(change.object); !label.empty()) batch += " " + label;
      const bool follows = model::kind_of(change.object) == kind.name &&
                           objects.contains(name) == (change.operation != model::Operation::kAdded);
      if (!follows) throw std::logic_error(batch);
      if (change.operation == model::Operation::kDeleted) {
        objects.erase(name);
      } else {
        objects.insert_or_assign(name, change.object);
      }
    }
    if (batch.empty()) throw std::logic_error("a batch without changes");
    log.push_back(std::move(batch));
    if (then) then();
  }
  void synced(const ServedKind&) override {
    ++times_synced;
    if (then) then();
  }
  void note(const ServedKind&, std::string text) override {
    notes.push_back(std::move(text));
    if (then) then();
  }

  Texts take_log() { return std::exchange(log, {}); }
  Texts take_notes() { return std::exchange(notes, {}); }
};

// One reflector, that was started, with a server that the test plays.
struct Played {
  explicit Played(std::string_view kind, Reflector::Options options = {})
      : reflector(*find_served(kind), http, loop, sink, options) {
    reflector.start();
  }

  // The one open request.
  const FakeHttp::Open& open() const {
    if (http.open().size() != 1) throw std::logic_error("expected one open request");
    return http.open().front();
  }
  const std::string& path() const { return open().request.path; }
  std::string query(std::string_view key) const { return query_value(path(), key).value_or(""); }
  bool watches() const { return query("watch") == "true"; }

  void answer(int status, std::string body = {}, std::optional<Time> retry_after = {}) {
    http.answer(open().number, {Answer::Fate::kAnswered, status, std::move(body), retry_after});
  }
  void lose(Answer::Fate fate = Answer::Fate::kLost) {
    http.answer(open().number, {fate, 0, {}, {}, "why"});
  }
  void part(std::string_view data) { http.part(open().number, data); }

  // The time for which the reflector waits. Time passes until then.
  Time waited() {
    if (!http.open().empty() || !loop.next()) throw std::logic_error("expected a wait");
    const Time wait = *loop.next() - loop.now();
    loop.advance(wait);
    return wait;
  }

  FakeLoop loop;
  FakeHttp http;
  RecordingSink sink;
  Reflector reflector;
};

// A node, or with a namespace a pod, in JSON.
inline std::string object_json(const std::string& name, const std::string& version,
                               const std::string& uid = "u") {
  const size_t slash = name.find('/');
  const std::string space =
      slash == name.npos ? "" : R"("namespace":")" + name.substr(0, slash) + R"(",)";
  return R"({"metadata":{)" + space + R"("name":")" +
         (slash == name.npos ? name : name.substr(slash + 1)) + R"(","uid":")" + uid +
         R"(","resourceVersion":")" + version + R"(","labels":{"v":")" + version + R"("}}})";
}

inline std::string page_json(const Texts& items, const std::string& version,
                             const std::string& token = "") {
  std::string json = R"({"kind":"List","metadata":{"resourceVersion":")" + version +
                     R"(","continue":")" + token + R"("},"items":[)";
  for (size_t i = 0; i < items.size(); ++i) json += (i == 0 ? "" : ",") + items[i];
  return json + "]}";
}

inline std::string event_line(const std::string& type, const std::string& json) {
  return R"({"type":")" + type + R"(","object":)" + json + "}\n";
}

inline std::string bookmark_line(const std::string& version) {
  return event_line("BOOKMARK", R"({"metadata":{"resourceVersion":")" + version + R"("}})");
}

inline std::string status_json(int code, const std::string& reason = "",
                               const std::string& message = "") {
  return R"({"kind":"Status","status":"Failure","reason":")" + reason + R"(","message":")" +
         message + R"(","code":)" + std::to_string(code) + "}";
}

}  // namespace berth::kube
