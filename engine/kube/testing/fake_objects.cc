#include "engine/kube/testing/fake_objects.h"

#include "engine/base/assert.h"
#include "engine/kube/testing/fake_http.h"

namespace berth::kube {

void FakeObjects::log(const char* type, const std::string& name, const std::string& uid,
                      const std::string& labels, const std::string& rest) {
  ++version_;
  std::string json = R"({"metadata":{"namespace":"default","name":")" + name + R"(","uid":")" +
                     uid + R"(","resourceVersion":")" + version() + R"(","labels":{)" + labels +
                     "}}" + (rest.empty() ? "" : ",") + rest + "}";
  history_.push_back({version_, type, name, std::move(json)});
}

void FakeObjects::put(const std::string& name, const std::string& uid, const std::string& labels,
                      const std::string& rest) {
  const auto known = uids_.find(name);
  if (known != uids_.end() && known->second != uid) remove(name);
  log(uids_.contains(name) ? "MODIFIED" : "ADDED", name, uid, labels, rest);
  uids_[name] = uid;
}

void FakeObjects::remove(const std::string& name) {
  const auto known = uids_.find(name);
  BERTH_ASSERT(known != uids_.end());
  log("DELETED", name, known->second, "", "");
  uids_.erase(known);
}

std::map<std::string, std::string> FakeObjects::objects_at(uint64_t version) const {
  std::map<std::string, std::string> objects;
  for (const Event& event : history_) {
    if (event.version > version) break;
    if (std::string_view(event.type) == "DELETED") {
      objects.erase(event.name);
    } else {
      objects[event.name] = event.json;
    }
  }
  return objects;
}

std::string FakeObjects::expired_status() {
  return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
         R"("message":"too old","reason":"Expired","code":410})";
}

// A token is "VERSION/NAME": the page begins behind that name.
Answer FakeObjects::page(std::string_view path) const {
  uint64_t version = version_;
  std::string after;
  if (const auto token = query_value(path, "continue")) {
    const size_t slash = token->find('/');
    version = number_of(token->substr(0, slash));
    after = token->substr(slash + 1);
  }
  if (version < oldest_) return {Answer::Fate::kAnswered, 410, expired_status()};
  const auto limit = query_value(path, "limit");
  const size_t most = limit ? std::stoull(*limit) : SIZE_MAX;
  std::string items, token;
  size_t count = 0;
  std::string last;
  for (const auto& [name, json] : objects_at(version)) {
    if (name <= after) continue;
    if (count++ == most) {
      token = text_of(version) + "/" + last;
      break;
    }
    items += (items.empty() ? "" : ",") + json;
    last = name;
  }
  return {Answer::Fate::kAnswered, 200,
          R"({"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":")" + text_of(version) +
              R"(","continue":")" + token + R"("},"items":)" +
              (items.empty() ? "null" : "[" + items + "]") + "}"};
}

std::string FakeObjects::events_after(std::string& version) const {
  const uint64_t after = number_of(version);
  if (after < oldest_) return R"({"type":"ERROR","object":)" + expired_status() + "}\n";
  std::string lines;
  for (const Event& event : history_) {
    if (event.version <= after) continue;
    lines += std::string(R"({"type":")") + event.type + R"(","object":)" + event.json + "}\n";
    version = text_of(event.version);
  }
  return lines;
}

std::string FakeObjects::initial_events() const {
  std::string lines;
  for (const auto& [name, json] : objects_at(version_))
    lines += R"({"type":"ADDED","object":)" + json + "}\n";
  return lines + R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":")" + version() +
         R"(","annotations":{"k8s.io/initial-events-end":"true"}}}})" + "\n";
}

std::string FakeObjects::bookmark() const {
  return R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":")" + version() + R"("}}})" +
         "\n";
}

}  // namespace berth::kube
