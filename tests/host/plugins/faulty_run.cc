// The faulty plugin calls the services of time, random numbers, threads and metrics.

#include <cstdint>
#include <string>
#include <thread>

#include "tests/host/plugins/faulty.h"

namespace faulty {
namespace {

void say(const berth_text_sink* error, const std::string& words) {
  error->write(error->context, {words.data(), words.size()});
}

template <typename Service>
const Service* find(const berth_host* host, const char* id) {
  return static_cast<const Service*>(host->service(host, text(id)));
}

// A thread of the plugin's own may change metrics and nothing else.
void ask_on_a_thread(const Plugin& plugin) {
  std::thread([&] {
    plugin.strings->find(plugin.host, text("rack"));
    plugin.worker->index(plugin.host);
    plugin.clock->now(plugin.host);
    plugin.metrics->gauge(plugin.host, text("more"), text(""));
    plugin.metrics->add(plugin.host, plugin.counter, 1);
    plugin.host->service(plugin.host, text("berth.log/0"));
  }).join();
}

void raise_on_a_thread(const Plugin& plugin) {
  std::thread([&] {
    plugin.outside->raise(plugin.host, plugin.load);
    plugin.outside->wake(plugin.host);
  }).join();
}

// More names than there may be, and one that is known.
void name_strange_epochs(Plugin& plugin) {
  plugin.outside->epoch(plugin.host, text(""));
  for (uint32_t i = 2; i <= BERTH_EXTERNAL_MAX_EPOCHS; ++i)
    plugin.outside->epoch(plugin.host, text(("epoch-" + std::to_string(i)).c_str()));
  plugin.same_epoch = plugin.outside->epoch(plugin.host, text("heat")) == plugin.heat;
}

// "below the count, aligned, once": what is true of the thread's number and memory.
std::string of_worker(const Plugin& plugin) {
  const berth_worker_service& worker = *plugin.worker;
  std::string said;
  const auto note = [&](bool is, const char* what) {
    if (is) said += (said.empty() ? "" : ", ") + std::string(what);
  };
  note(worker.index(plugin.host) < plugin.workers, "below the count");
  void* first = worker.scratch(plugin.host, 1);
  note(first != nullptr && reinterpret_cast<uintptr_t>(first) % 64 == 0, "aligned");
  if (first != nullptr) *static_cast<char*>(first) = 1;
  note(worker.scratch(plugin.host, 4096) == first, "the same again");
  note(worker.scratch(plugin.host, BERTH_SCRATCH_MAX_BYTES + uint64_t{1}) == nullptr, "bounded");
  return said;
}

}  // namespace

void Plugin::find_services_of_run() {
  clock = find<berth_clock_service>(host, BERTH_CLOCK_SERVICE);
  random = find<berth_random_service>(host, BERTH_RANDOM_SERVICE);
  worker = find<berth_worker_service>(host, BERTH_WORKER_SERVICE);
  metrics = find<berth_metrics_service>(host, BERTH_METRICS_SERVICE);
  outside = find<berth_external_service>(host, BERTH_EXTERNAL_SERVICE);
  heat = outside->epoch(host, text("heat"));
  load = outside->epoch(host, text("load"));
  if (is("init names strange epochs")) name_strange_epochs(*this);
  workers = worker->count(host);
  counter = metrics->counter(host, text("calls_total"), text("Calls of the plugin."));
  gauge = metrics->gauge(host, text("heat"), text("The rack's temperature."));
  if (is("init makes strange metrics")) {
    for (const char* name : {"", "7up", "hot-rack", "heat"})
      metrics->counter(host, text(name), text(""));
    same_counter = metrics->counter(host, text("calls_total"), text("")) == counter;
  }
}

bool ask_services_of_run(const Plugin& plugin, const std::string& where,
                         const berth_text_sink* error) {
  const auto is = [&](const char* fault) { return plugin.fault == where + fault; };
  if (is(" asks the time")) plugin.clock->now(plugin.host);
  if (is(" draws")) plugin.random->bits(plugin.host, 5);
  if (is(" asks on a thread of its own")) ask_on_a_thread(plugin);
  if (is(" raises on a thread of its own")) raise_on_a_thread(plugin);
  if (is(" raises")) plugin.outside->raise(plugin.host, plugin.heat);
  if (is(" raises a wrong epoch")) plugin.outside->raise(plugin.host, 3);
  if (is(" names an epoch")) plugin.outside->epoch(plugin.host, text("late"));
  if (is(" counts")) {
    plugin.metrics->add(plugin.host, plugin.counter, 2);
    plugin.metrics->set(plugin.host, plugin.gauge, -3);
    if (plugin.same_counter) plugin.metrics->add(plugin.host, plugin.counter, 100);
  }
  if (is(" counts with a wrong handle")) {
    plugin.metrics->add(plugin.host, plugin.gauge, 2);
    plugin.metrics->set(plugin.host, 77, 2);
  }
  if (is(" reads a text by address")) {
    berth_string read = {};
    plugin.strings->read(plugin.host, 1, &read);
    const berth_string same = plugin.strings->text(plugin.host, 1);
    say(error,
        read.size != 0 && std::string(read.data, read.size) == std::string(same.data, same.size)
            ? "the same"
            : "another");
    return true;
  }
  if (plugin.same_epoch && where == "filter") return say(error, "the same epoch"), true;
  if (is(" tells the time"))
    return say(error, std::to_string(plugin.clock->now(plugin.host))), true;
  if (is(" tells random bits")) {
    say(error, std::to_string(plugin.random->bits(plugin.host, 5)));
    return true;
  }
  if (is(" tells of its worker")) return say(error, of_worker(plugin)), true;
  return false;
}

}  // namespace faulty
