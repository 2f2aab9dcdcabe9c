#pragma once

// A world in virtual time for the tests of this module's lease and rate limit: machines with their
// loops, the network between them and a server, and a server with one Lease.

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"

namespace berth::kube::lease_test {

using namespace std::chrono_literals;

inline constexpr int64_t kStartWall = 1'784'020'000'000'000'000;  // 2026-07-14T09:06:40Z

class Machine;

// Time, and what is due. A machine that is stopped (SIGSTOP) finds its due calls late.
class World {
 public:
  Time now() const { return now_; }
  uint64_t at(Time time, const Machine* owner, std::function<void()> due);
  void cancel(uint64_t number) {
    std::erase_if(due_, [number](const auto& one) { return one.first.second == number; });
  }
  // Calls all that is due until then, `after` behind each call.
  void run(
      Time until, const std::function<void()>& after = [] {});
  // The clock goes on while nothing is called.
  void jump(Time by) { now_ += by; }

 private:
  struct Due {
    const Machine* owner;  // null: it cannot be stopped
    std::function<void()> call;
  };

  Time now_{};
  uint64_t last_ = 0;
  std::map<std::pair<Time, uint64_t>, Due> due_;
};

class Machine : public Loop {
 public:
  explicit Machine(World& world) : world_(world) {}

  Time now() const override { return world_.now(); }
  int64_t wall() const override { return kStartWall + (world_.now() + wall_ahead).count(); }
  uint64_t at(Time time, std::function<void()> due) override {
    return world_.at(time, this, std::move(due));
  }
  void cancel(uint64_t timer) override { world_.cancel(timer); }

  Time wall_ahead{};
  Time stopped_until{};

 private:
  World& world_;
};

inline uint64_t World::at(Time time, const Machine* owner, std::function<void()> due) {
  due_.emplace(std::pair(std::max(time, now_), ++last_), Due{owner, std::move(due)});
  return last_;
}

inline void World::run(Time until, const std::function<void()>& after) {
  while (!due_.empty() && due_.begin()->first.first <= until) {
    auto next = due_.extract(due_.begin());
    now_ = std::max(now_, next.key().first);
    const Machine* owner = next.mapped().owner;
    if (owner != nullptr && owner->stopped_until > now_) {
      next.key().first = owner->stopped_until;
      due_.insert(std::move(next));
      continue;
    }
    next.mapped().call();
    after();
  }
  now_ = std::max(now_, until);
}

// The travel of a request. A part that is lost leaves the client waiting until the request's limit.
struct Journey {
  Time there = 1ms, back = 1ms;
  bool request_lost = false, answer_lost = false;
};

// The network of one machine.
class Wire : public Http {
 public:
  using Server = std::function<Answer(const Request&)>;

  Wire(World& world, Machine& machine, Server server)
      : world_(world), machine_(machine), server_(std::move(server)) {}
  ~Wire() override {
    for (const auto& [number, ends] : waiting_) machine_.cancel(ends.limit);
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  uint64_t send(Request request, Done done) override {
    return stream(std::move(request), nullptr, std::move(done));
  }
  // Without `data` it is `send`.
  uint64_t stream(Request request, Data data, Done done) override {
    const uint64_t number = ++last_;
    const Journey way = journey(request);
    Ends& ends = waiting_[number];
    ends = {.data = std::move(data), .done = std::move(done)};
    if (request.limit > Time{}) {
      ends.limit = machine_.after(request.limit, [this, number] {
        Answer none;
        none.fate = Answer::Fate::kLost;
        none.error = "no answer in time";
        arrive(number, std::move(none));
      });
    }
    if (way.request_lost) return number;
    world_.at(world_.now() + way.there, nullptr,
              [this, server = server_, number, way, alive = std::weak_ptr(alive_),
               request = std::move(request)] {
                // Also what was cancelled arrives.
                Answer answer = server(request);
                if (way.answer_lost || alive.expired()) return;
                machine_.after(way.back, [this, number, alive, answer = std::move(answer)] {
                  if (!alive.expired()) arrive(number, answer);
                });
              });
    return number;
  }
  void cancel(uint64_t request) override {
    const auto found = waiting_.find(request);
    if (found == waiting_.end()) return;
    machine_.cancel(found->second.limit);
    waiting_.erase(found);
  }

  size_t waiting() const { return waiting_.size(); }

  std::function<Journey(const Request&)> journey = [](const Request&) { return Journey{}; };

 private:
  struct Ends {
    Data data{};
    Done done{};
    uint64_t limit = 0;
  };

  void arrive(uint64_t number, Answer answer) {
    auto ends = waiting_.extract(number);
    if (ends.empty()) return;
    machine_.cancel(ends.mapped().limit);
    if (ends.mapped().data && answer.status == 200)
      ends.mapped().data(std::exchange(answer.body, {}));
    ends.mapped().done(std::move(answer));
  }

  World& world_;
  Machine& machine_;
  Server server_;
  std::map<uint64_t, Ends> waiting_;
  uint64_t last_ = 0;
  std::shared_ptr<int> alive_ = std::make_shared<int>();
};

inline std::string json_of(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return buffer.GetString();
}

// The server: the Lease kube-system/kube-scheduler, and events. Checks what a real one checks.
class LeaseServer {
 public:
  explicit LeaseServer(World& world) : world_(world) {}

  Answer answer(const Request& request) {
    const std::string folder = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    if (request.path == "/api/v1/namespaces/kube-system/events" &&
        request.method == Method::kPost) {
      events.push_back(request.body);
      return {.status = 201, .body = request.body};
    }
    log.emplace_back(world_.now(), request.method);
    all_urgent = all_urgent && request.urgent;
    if (request.path == folder + "?timeout=5s" && request.method == Method::kPost)
      return post(request.body);
    if (request.path != folder + "/kube-scheduler?timeout=5s") return status(404, "no such path");
    if (request.method == Method::kPut) return put(request.body);
    return exists() ? Answer{.status = 200, .body = json_of(lease)} : status(404, "no such lease");
  }

  bool exists() const { return lease.IsObject(); }
  void set(const std::string& json) {
    lease.SetNull();
    lease.GetAllocator().Clear();
    lease.Parse(json.c_str());
    version(++version_);
  }
  void remove() { lease.SetNull(); }
  const rapidjson::Value& spec(const char* field) const { return lease["spec"][field]; }
  std::string holder() const { return exists() ? spec("holderIdentity").GetString() : "absent"; }

  // Since the last call: "0.002 GET" for each request of the Lease that came.
  std::vector<std::string> taken_log() {
    std::vector<std::string> lines;
    for (const auto& [time, method] : std::exchange(log, {})) {
      const std::string millis = std::to_string(time / 1ms % 1000);
      lines.push_back(std::to_string(time / 1s) + "." + std::string(3 - millis.size(), '0') +
                      millis + " " + std::string(method_name(method)));
    }
    return lines;
  }

  rapidjson::Document lease;
  std::vector<std::string> events;
  std::vector<std::pair<Time, Method>> log;
  bool all_urgent = true;  // the requests of the Lease

 private:
  static Answer status(int code, const std::string& message) {
    return {.status = code, .body = R"({"kind":"Status","message":")" + message + "\"}"};
  }
  void version(int number) {
    rapidjson::Value& metadata = lease["metadata"];
    metadata.RemoveMember("resourceVersion");
    const std::string text = std::to_string(number);
    metadata.AddMember("resourceVersion", rapidjson::Value(text.c_str(), lease.GetAllocator()),
                       lease.GetAllocator());
  }
  Answer post(const std::string& body) {
    if (exists()) return status(409, "already exists");
    set(body);
    return {.status = 201, .body = json_of(lease)};
  }
  Answer put(const std::string& body) {
    if (!exists()) return status(404, "no such lease");
    rapidjson::Document update;
    update.Parse(body.c_str());
    if (update["metadata"]["resourceVersion"] != lease["metadata"]["resourceVersion"])
      return status(409, "the object has been modified");
    set(body);
    return {.status = 200, .body = json_of(lease)};
  }

  World& world_;
  int version_ = 100;
};

}  // namespace berth::kube::lease_test
