// bench_api: loads an API server, and measures how fast it takes what a scheduler writes.
//
//   bench_api nodes --count 1000
//   bench_api pods  --count 5000               pods that wait for a scheduler
//   bench_api bind  --watch --events           what is the wall: binds all that wait
//   bench_api pods  --count 5000 --rate 300 --bound    latency from creation to binding

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <string>
#include <vector>

#include "bench/service/api_client.h"
#include "engine/base/error.h"
#include "engine/base/program/program.h"
#include "engine/kube/api/list_page.h"
#include "engine/kube/config/kubeconfig.h"

namespace berth::bench {
namespace {

struct Options {
  std::string kubeconfig;
  size_t under_way = 64;
  uint32_t count = 1000;
  std::string prefix = "p";
  double rate = 0;
  bool bound = false, watch = false, events = false;
};

double seconds(Time time) { return std::chrono::duration<double>(time).count(); }

// "5000 pods in 6.20 s, 806/s"
std::string rate_text(size_t count, Time time) {
  return fmt::format("{} pods in {:.2f} s, {:.0f}/s", count, seconds(time),
                     static_cast<double>(count) / seconds(time));
}

Time at_share(const std::vector<Time>& sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

class Client {
 public:
  explicit Client(const Options& options)
      : options_(options),
        network_(kube::Kubeconfig::read(options.kubeconfig).connection()),
        requests_(network_, options.under_way) {}

  void nodes() {
    for (uint32_t i = 0; i < options_.count; ++i)
      requests_.add(node_creation(i), [this](const kube::Answer&) { stop_if_idle(); });
    run();
  }

  // Creates pods, and with `bound` waits until a scheduler has bound them.
  void pods() {
    BoundPods bound(network_, [this](const SeenPod& pod) { pod_bound(pod.name); });
    if (options_.bound) {
      read_pods();
      bound.start(version_);
    }
    began_ = network_.now();
    for (uint32_t i = 0; i < options_.count; ++i) {
      if (options_.rate == 0) {
        create(i);
      } else {
        const Time due =
            std::chrono::duration_cast<Time>(std::chrono::duration<double>(i / options_.rate));
        network_.at(began_ + due, [this, i] { create(i); });
      }
    }
    run();
    if (!bound.fault().empty()) throw Error(bound.fault());
    if (options_.bound) print_latency();
  }

  // Binds all pods that have no node, in turns to all nodes.
  void bind() {
    read_nodes();
    read_pods();
    if (pending_.empty()) throw Error("no pod waits: create some with `bench_api pods`");
    if (nodes_.empty()) throw Error("there is no node: create some with `bench_api nodes`");
    BoundPods bound(network_, [](const SeenPod&) {});
    if (options_.watch) bound.start(version_);
    began_ = network_.now();
    for (size_t i = 0; i < pending_.size(); ++i) {
      pending_[i].node = nodes_[i % nodes_.size()];
      requests_.add(pod_binding(pending_[i]), [this, i](const kube::Answer&) {
        if (options_.events)
          requests_.add(scheduled_event(pending_[i], network_.wall()),
                        [this](const kube::Answer&) { stop_if_idle(); });
        stop_if_idle();
      });
    }
    run();
    if (!bound.fault().empty()) throw Error(bound.fault());
    fmt::print("bound {}\n", rate_text(pending_.size(), network_.now() - began_));
  }

 private:
  void stop_if_idle() {
    if (requests_.idle()) network_.stop();
  }
  void run() {
    network_.run();
    if (!requests_.fault().empty()) throw Error(requests_.fault());
  }

  void create(uint32_t number) {
    const std::string name = fmt::format("{}-{:06}", options_.prefix, number);
    created_[name] = network_.now();
    requests_.add(pod_creation(name), [this](const kube::Answer&) {
      if (!options_.bound && created_.size() == options_.count) stop_if_idle();
    });
  }

  void pod_bound(const std::string& name) {
    const auto at = created_.find(name);
    if (at == created_.end()) return;
    waits_.push_back(network_.now() - at->second);
    if (waits_.size() == options_.count) network_.stop();
  }

  void print_latency() {
    const Time all = network_.now() - began_;
    std::sort(waits_.begin(), waits_.end());
    fmt::print("bound {}; creation to binding p50 {:.1f} ms, p99 {:.1f} ms\n",
               rate_text(waits_.size(), all), seconds(at_share(waits_, 0.5)) * 1e3,
               seconds(at_share(waits_, 0.99)) * 1e3);
  }

  void read_nodes() {
    read("/api/v1/nodes?resourceVersion=0", [this](document::Value item) {
      nodes_.emplace_back(item.find("metadata").find("name").text());
    });
  }
  void read_pods() {
    read("/api/v1/pods?fieldSelector=spec.nodeName%3D", [this](document::Value item) {
      const document::Value metadata = item.find("metadata");
      pending_.push_back({std::string(metadata.find("name").text()),
                          std::string(metadata.find("uid").text()),
                          {}});
    });
  }
  void read(const char* path, const std::function<void(document::Value)>& each) {
    requests_.add(reading(path), [&](const kube::Answer& answer) {
      std::string fault;
      const auto page = kube::read_list_page(answer.body, fault);
      if (!page) throw Error(fault);
      version_ = page->resource_version;
      for (const document::Value item : page->items.elements()) each(item);
      network_.stop();
    });
    run();
  }

  const Options& options_;
  kube::Network network_;
  Requests requests_;
  Time began_{};
  std::vector<std::string> nodes_;
  std::string version_;  // of the last list
  std::vector<SeenPod> pending_;
  std::map<std::string, Time, std::less<>> created_;
  std::vector<Time> waits_;
};

CLI::App& add_command(CLI::App& app, const char* name, const char* what, Options& options,
                      void (Client::*run)()) {
  CLI::App& command = *app.add_subcommand(name, what);
  command.add_option("--kubeconfig", options.kubeconfig, "the file that names the server")
      ->required();
  command.add_option("--under-way", options.under_way, "requests at once")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.callback([&options, run] { (Client(options).*run)(); });
  return command;
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth::bench;
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Loads an API server, and measures how fast it takes a scheduler's writes.",
               "bench_api");
  app.require_subcommand(1);
  Options options;
  int status = berth::kOk;
  CLI::App& nodes = add_command(app, "nodes", "create nodes", options, &Client::nodes);
  nodes.add_option("--count", options.count, "how many")->capture_default_str();
  CLI::App& pods = add_command(app, "pods", "create pods", options, &Client::pods);
  pods.add_option("--count", options.count, "how many")->capture_default_str();
  pods.add_option("--prefix", options.prefix, "of their names")->capture_default_str();
  pods.add_option("--rate", options.rate, "pods a second; 0: as fast as the server takes them")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  pods.add_flag("--bound", options.bound, "wait until a scheduler has bound them; print latencies");
  CLI::App& bind = add_command(app, "bind", "bind the pods that wait, to all nodes in turns",
                               options, &Client::bind);
  bind.add_flag("--watch", options.watch, "watch all pods meanwhile");
  bind.add_flag("--events", options.events, "write an event for each pod");
  return berth::run_program(app, argc, argv, status);
}
