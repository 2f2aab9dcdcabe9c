// apiserver: the API server in memory behind a socket of 127.0.0.1, for tests of whole programs,
// and to try Berth without a cluster.
//
//   apiserver --kubeconfig FILE [--port N] [--plain] [--grace-scale X] [--ahead SECONDS]
//             [--fault FAULT ...]
//             [--nodes N --pods N [--rate N --more-pods N [--life S] [--node-rate N]]]
//
// It writes a kubeconfig with which clients reach it, prints its URL, and serves until SIGTERM,
// SIGINT, or the end of standard input. With a load (load/load.h) it prints lines about that, too.

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/program/program.h"
#include "tests/apiserver/api/server.h"
#include "tests/apiserver/load/load.h"
#include "tests/apiserver/net/socket_server.h"
#include "tests/apiserver/net/tls/authority.h"
#include "tests/apiserver/program/fault_text.h"

namespace berth::apiserver {
namespace {

struct ProgramOptions {
  std::string kubeconfig;
  uint16_t port = 0;
  bool plain = false;
  double grace_scale = 1;
  int64_t ahead = 0;  // seconds
  uint64_t seed = 1;
  size_t history = Options{}.history;
  std::vector<std::string> faults;
  LoadOptions load;
};

// The clock of the machine, or one that is ahead of it.
class MachineClock final : public Clock {
 public:
  MachineClock(SocketServer& server, Nanoseconds ahead) : server_(server), ahead_(ahead) {}

  Nanoseconds now() const override {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::nanoseconds(since).count() + ahead_;
  }
  void at(Nanoseconds time, std::function<void()> due) override {
    server_.at(SocketServer::now() + Time(time - now()), std::move(due));
  }

 private:
  SocketServer& server_;
  const Nanoseconds ahead_;
};

void write_kubeconfig(const std::string& path, const std::string& url, const Authority* authority) {
  const std::string files = path + ".";
  std::string cluster = fmt::format("    server: {}\n", url), user = "    {}\n";
  if (authority != nullptr) {
    const Identity client = authority->client("kubernetes-admin", {"system:masters"});
    std::ofstream(files + "ca.crt") << authority->certificate();
    std::ofstream(files + "client.crt") << client.certificate;
    std::ofstream(files + "client.key") << client.key;
    const std::string name = path.substr(path.find_last_of('/') + 1);
    cluster += fmt::format("    certificate-authority: {}.ca.crt\n", name);
    user = fmt::format("    client-certificate: {0}.client.crt\n    client-key: {0}.client.key\n",
                       name);
  }
  std::ofstream file(path);
  file << fmt::format(
      "apiVersion: v1\nkind: Config\ncurrent-context: memory\n"
      "clusters:\n- name: memory\n  cluster:\n{}"
      "users:\n- name: admin\n  user:\n{}"
      "contexts:\n- name: memory\n  context:\n    cluster: memory\n    user: admin\n",
      cluster, user);
  if (!file.flush()) throw Error(Place{.file = path, .field = {}}, "cannot be written");
}

std::atomic<SocketServer*> running = nullptr;

void stop(int) {
  if (SocketServer* server = running) server->stop();
}

void print_line(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

// Returns when standard input ends.
void watch_input(SocketServer& server) {
  std::array<char, 256> bytes;
  while (read(STDIN_FILENO, bytes.data(), bytes.size()) > 0) {
  }
  server.stop();
}

void serve(const ProgramOptions& options) {
  std::unique_ptr<Authority> authority;
  ServerOptions sockets;
  sockets.port = options.port;
  if (!options.plain) {
    authority = std::make_unique<Authority>();
    const Identity identity = authority->server();
    sockets.tls = TlsOptions{identity.certificate, identity.key, authority->certificate()};
  }
  SocketServer server(sockets);
  MachineClock clock(server, options.ahead * kSecond);
  Options core;
  core.seed = options.seed;
  core.grace_scale = options.grace_scale;
  core.history = options.history;
  if (authority != nullptr) core.client_authority = authority->certificate();
  ApiServer api(core, clock);
  for (const std::string& fault : options.faults) api.faults().add(fault_rule(fault));
  const std::string url =
      fmt::format("{}://127.0.0.1:{}", options.plain ? "http" : "https", server.port());
  write_kubeconfig(options.kubeconfig, url, authority.get());
  running = &server;
  std::signal(SIGTERM, stop);
  std::signal(SIGINT, stop);
  std::signal(SIGPIPE, SIG_IGN);
  std::optional<Load> load;
  if (options.load.nodes + options.load.pods != 0)
    load.emplace(api, clock, options.load, print_line);
  print_line(url);
  std::thread(watch_input, std::ref(server)).detach();
  server.run(api);
  running = nullptr;
  if (load) print_line(load->last_line());
}

}  // namespace
}  // namespace berth::apiserver

int main(int argc, char** argv) {
  using namespace berth::apiserver;
  CLI::App app("An API server in memory, for tests.", "apiserver");
  ProgramOptions options;
  int status = berth::kOk;
  app.add_option("--kubeconfig", options.kubeconfig, "the file to write")->required();
  app.add_option("--port", options.port, "of 127.0.0.1 (any that is free)");
  app.add_flag("--plain", options.plain, "http instead of https");
  app.add_option("--grace-scale", options.grace_scale, "of the grace periods of pods (1)");
  app.add_option("--ahead", options.ahead,
                 "seconds between the clock of the machine and its own (0)");
  app.add_option("--seed", options.seed, "of UIDs, names and faults (1)");
  app.add_option("--history", options.history, "events that are kept of each kind");
  app.add_option("--fault", options.faults, "ACTION[,KEY=VALUE...], see fault_text.h");
  app.add_option("--nodes", options.load.nodes, "that are there (0)");
  app.add_option("--pods", options.load.pods, "that are there, without a node (0)");
  app.add_option("--rate", options.load.rate, "pods that come a second once those are bound (0)");
  app.add_option("--more-pods", options.load.more_pods, "that come so in all (0)");
  app.add_option("--life", options.load.life,
                 "seconds of a bound pod, and of an event (they stay)");
  app.add_option("--node-rate", options.load.node_rate, "nodes that are replaced a second (0)");
  CLI11_PARSE(app, argc, argv);
  try {
    serve(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "apiserver: {}\n", error.what());
    status = berth::kFailed;
  }
  std::fflush(nullptr);
  std::_Exit(status);  // the thread that waits for input
}
