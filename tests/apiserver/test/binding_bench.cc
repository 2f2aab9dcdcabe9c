// What a binding costs the server's core: with a watch of all pods, as a scheduler has it.

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "tests/apiserver/api/server.h"

namespace berth::apiserver {
namespace {

constexpr int kBatch = 1000;

class StandingClock : public Clock {
 public:
  Nanoseconds now() const override { return 1'700'000'000 * kSecond; }
  void at(Nanoseconds, std::function<void()>) override {}
};

class CountingReply : public Reply {
 public:
  void begin(int its_status, std::map<std::string, std::string>) override { status = its_status; }
  void write(std::string_view part) override { bytes += part.size(); }
  void end() override {}
  void cut() override {}
  bool open() const override { return true; }

  int status = 0;
  uint64_t bytes = 0;
};

// Returns the status.
int call(ApiServer& server, Request request) {
  const auto reply = std::make_shared<CountingReply>();
  server.handle(request, reply);
  return reply->status;
}

// About 2 kB, as of a Deployment.
std::string pod_text(const std::string& name) {
  std::string containers;
  for (int i = 0; i < 3; ++i) {
    containers += i == 0 ? "" : ",";
    containers += R"({"name":"c)" + std::to_string(i) + R"(","image":"registry.example.com/web:1",
      "resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"cpu":"200m"}},
      "env":[{"name":"LOG","value":"debug"},{"name":"PORT","value":"8080"}],
      "volumeMounts":[{"name":"token","mountPath":"/var/run/secrets","readOnly":true}],
      "terminationMessagePath":"/dev/termination-log","imagePullPolicy":"IfNotPresent"})";
  }
  return R"({"metadata":{"name":")" + name + R"(","labels":{"app":"web","tier":"front",
    "pod-template-hash":"5d4f8c7b9"},"ownerReferences":[{"apiVersion":"apps/v1","kind":
    "ReplicaSet","name":"web-5d4f8c7b9","uid":"0b7c","controller":true}]},"spec":{"containers":[)" +
         containers +
         R"(],"tolerations":[{"key":"a","operator":"Exists"}],"volumes":[{"name":"token",
    "emptyDir":{}}],"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":
    "topology.kubernetes.io/zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":
    {"app":"web"}}}]}})";
}

void add_pods(benchmark::State& state, ApiServer& server) {
  for (int i = 0; i < kBatch; ++i) {
    const int status = call(
        server,
        {"POST", "/api/v1/namespaces/default/pods", {}, {}, pod_text("web-" + std::to_string(i))});
    if (status != 201) state.SkipWithError("a pod was not created");
  }
}

void bind_pods(benchmark::State& state) {
  StandingClock clock;
  ApiServer server({}, clock);
  call(server, {"POST",
                "/api/v1/nodes",
                {},
                {},
                R"({"metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"z"}}})"});
  const auto watch = std::make_shared<CountingReply>();
  server.handle({"GET", "/api/v1/pods", {{"watch", "1"}}, {}, {}}, watch);
  while (state.KeepRunningBatch(kBatch)) {
    state.PauseTiming();
    call(server,
         {"DELETE", "/api/v1/namespaces/default/pods", {{"gracePeriodSeconds", "0"}}, {}, {}});
    add_pods(state, server);
    state.ResumeTiming();
    for (int i = 0; i < kBatch; ++i) {
      const std::string name = "web-" + std::to_string(i);
      const int status = call(server, {"POST",
                                       "/api/v1/namespaces/default/pods/" + name + "/binding",
                                       {},
                                       {},
                                       R"({"metadata":{"name":")" + name +
                                           R"("},"target":{"kind":"Node","name":"n"}})"});
      if (status != 201) state.SkipWithError("a pod was not bound");
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(bind_pods);

void create_pods(benchmark::State& state) {
  StandingClock clock;
  ApiServer server({}, clock);
  while (state.KeepRunningBatch(kBatch)) {
    state.PauseTiming();
    call(server,
         {"DELETE", "/api/v1/namespaces/default/pods", {{"gracePeriodSeconds", "0"}}, {}, {}});
    state.ResumeTiming();
    add_pods(state, server);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(create_pods);

}  // namespace
}  // namespace berth::apiserver

BENCHMARK_MAIN();
