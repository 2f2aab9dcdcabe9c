#include "tests/apiserver/test/testing.h"

#include <algorithm>

namespace berth::apiserver::testing {

void ManualClock::pass(Nanoseconds wait) {
  const Nanoseconds until = now_ + wait;
  while (!timers_.empty() && timers_.begin()->first <= until) {
    auto next = timers_.extract(timers_.begin());
    now_ = std::max(now_, next.key());
    next.mapped()();
  }
  now_ = until;
}

void Recorded::begin(int status_given, std::map<std::string, std::string> headers_given) {
  EXPECT_EQ(status, 0);
  status = status_given;
  headers = std::move(headers_given);
}

void Recorded::write(std::string_view part) {
  EXPECT_NE(status, 0);
  EXPECT_FALSE(ended || broken);
  body += part;
}

void Recorded::end() {
  EXPECT_FALSE(ended || broken);
  ended = true;
}

void Recorded::cut() {
  EXPECT_FALSE(ended || broken);
  broken = true;
}

std::vector<std::string> Recorded::events() {
  std::vector<std::string> events;
  for (size_t end; (end = body.find('\n', read_)) != body.npos; read_ = end + 1) {
    const json::value event = json::parse(body.substr(read_, end - read_));
    const std::string type(text_at(event, "type"));
    const char* shown =
        type == "BOOKMARK" ? "object.metadata.resourceVersion" : "object.metadata.name";
    events.push_back(type + " " + std::string(text_at(event, shown)));
  }
  return events;
}

std::shared_ptr<Recorded> Server::start(std::string method, std::string_view target,
                                        std::string body,
                                        std::map<std::string, std::string> headers) {
  Request request{std::move(method), {}, {}, std::move(headers), std::move(body)};
  const size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  while (target.find_first_of("?&") != target.npos) {
    target.remove_prefix(target.find_first_of("?&") + 1);
    const std::string_view pair = target.substr(0, target.find('&'));
    const size_t sign = pair.find('=');
    request.query[std::string(pair.substr(0, sign))] = pair.substr(sign + 1);
  }
  auto reply = std::make_shared<Recorded>();
  server->handle(request, reply);
  return reply;
}

Recorded Server::call(std::string method, std::string_view target, std::string body,
                      std::map<std::string, std::string> headers) {
  const auto reply = start(std::move(method), target, std::move(body), std::move(headers));
  EXPECT_TRUE(reply->ended) << target;
  return *reply;
}

Recorded Server::patch(std::string_view target, std::string body, std::string type) {
  return call("PATCH", target, std::move(body), {{"content-type", std::move(type)}});
}

std::shared_ptr<Recorded> Server::watch(std::string_view target, std::string_view query) {
  std::string whole(target);
  whole += "?watch=true";
  if (!query.empty()) whole.append("&").append(query);
  return start("GET", whole);
}

json::value Server::get(std::string_view target) {
  const Recorded answer = call("GET", target);
  EXPECT_EQ(answer.status, 200) << answer.body;
  return answer.tree();
}

json::value Server::create(std::string_view collection, std::string body) {
  const Recorded answer = call("POST", collection, std::move(body));
  EXPECT_EQ(answer.status, 201) << answer.body;
  return answer.tree();
}

void Server::add_pod(std::string_view name, std::string_view spec, std::string_view metadata) {
  std::string body = "{\"metadata\":{\"name\":\"" + std::string(name) + "\"";
  create(kPods, body.append(metadata).append("},\"spec\":").append(spec).append("}"));
}

void Server::add_node(std::string_view name, std::string_view labels) {
  std::string body = "{\"metadata\":{\"name\":\"" + std::string(name) + "\",\"labels\":";
  create(kNodes, body.append(labels).append("}}"));
}

Recorded Server::bind(std::string_view pod, std::string_view node, std::string_view metadata) {
  std::string body = "{\"kind\":\"Binding\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"";
  body.append(pod).append("\"").append(metadata).append("},\"target\":{\"kind\":\"Node\",");
  body.append("\"name\":\"").append(node).append("\"}}");
  return call("POST", std::string(kPods).append("/").append(pod).append("/binding"), body);
}

std::string problem_of(const Recorded& answer) {
  const json::value status = answer.tree();
  EXPECT_EQ(number_at(status, "code", 0), answer.status);
  std::string made = std::to_string(answer.status);
  if (const std::string_view reason = text_at(status, "reason"); !reason.empty()) {
    made.append(" ").append(reason);
  }
  return made.append(": ").append(text_at(status, "message"));
}

std::vector<std::string> names_of(const json::value& list) {
  std::vector<std::string> names;
  for (const json::value& item : list.at("items").as_array()) {
    names.emplace_back(text_at(item, "metadata.name"));
  }
  return names;
}

}  // namespace berth::apiserver::testing
