#include "cli/serve/service.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "cli/log/decision_log.h"
#include "cli/run/watches.h"
#include "cli/serve/connections.h"
#include "cli/serve/service_answers.h"
#include "cli/serve/state_log.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/program.h"
#include "engine/base/text/printable.h"
#include "engine/framework/evaluation/workers.h"
#include "engine/framework/verification/difference.h"
#include "engine/kube/http/network.h"
#include "engine/service/endpoint/endpoint.h"
#include "engine/service/loop/comparison.h"
#include "engine/service/loop/scheduling.h"
#include "engine/service/loop/signals.h"
#include "engine/service/network/client_metrics.h"
#include "engine/service/network/metered_http.h"
#include "engine/service/network/server_link.h"
#include "engine/service/review/client_authority.h"
#include "engine/service/review/delegated_reviewer.h"
#include "engine/startup/notices.h"

namespace berth::cli {
namespace {

using service::Word;
using Machine = std::chrono::steady_clock;

// Writes that are under way at SIGTERM are finished by then; a kubelet waits for 30 s.
constexpr Time kEndLimit = std::chrono::seconds(20);
// The age that the sizes in metrics, and the health of the lease, may have.
constexpr Time kFresh = std::chrono::seconds(1);
constexpr Time kRest = std::chrono::seconds(5);
// The level of kube-scheduler's lines about the beginning and the end of a comparison.
constexpr int kComparerLevel = 3;
// The exit status of a decision that differs from the reference evaluation's, as of `berth run`.
constexpr int kDecisionDiffers = 4;

int64_t wall_now() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Lines of klog, which have their own head.
void print_log(const std::string& text) { fmt::print(stderr, "{}", text); }

void say_safely(const std::string& text) { say(printable(text)); }

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

uint64_t random_number() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    throw Error("the system gives no random numbers");
  return number;
}

kube::LeaseOptions lease_options(const config::LeaderElection& election,
                                 const std::string& component) {
  kube::LeaseOptions lease;
  lease.namespace_name = election.resource_namespace;
  lease.name = election.resource_name;
  lease.identity = fmt::format("{}_{:016x}{:016x}", host_name(), random_number(), random_number());
  lease.component = component;
  lease.lease_duration = election.lease_duration;
  lease.renew_deadline = election.renew_deadline;
  lease.retry_period = election.retry_period;
  lease.seed = random_number();
  kube::check_lease_options(lease);
  return lease;
}

service::LinkOptions link_options(const config::Configuration& configuration,
                                  service::ClientMetrics& metrics, const std::string& server) {
  const config::ServiceSettings& settings = configuration.service;
  service::LinkOptions link;
  if (settings.leader_election.leader_elect)
    link.lease =
        lease_options(settings.leader_election, configuration.profiles.front().scheduler_name);
  link.qps = settings.client_connection.qps;
  link.burst = settings.client_connection.burst;
  link.writes.host = host_name();
  link.writes.sender.seed = random_number();
  link.seed = random_number();
  link.metrics = &metrics;
  link.host = service::host_of(server);
  return link;
}

service::SchedulingOptions scheduling_options(const startup::ServeOptions& options,
                                              framework::Workers& workers, Watches& watches) {
  service::SchedulingOptions scheduling{.core = options.core};
  scheduling.core.scheduler.decide.watch = &watches;
  scheduling.core.scheduler.full.workers = &workers;
  scheduling.core.deadlines = options.plugins.deadlines();
  return scheduling;
}

// A network and its thread, which it joins.
class RunningNetwork {
 public:
  explicit RunningNetwork(const kube::Connection& connection) : network_(connection) {}
  RunningNetwork(const RunningNetwork&) = delete;
  RunningNetwork& operator=(const RunningNetwork&) = delete;
  ~RunningNetwork() { stop(); }

  kube::Network& operator*() { return network_; }
  kube::Network* operator->() { return &network_; }
  void start() {
    thread_ = std::thread([this] { network_.run(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    network_.stop();
    thread_.join();
  }

 private:
  kube::Network network_;
  std::thread thread_;
};

// The secure port, and who may read it.
class SecurePort {
 public:
  // `http`: the API server that is asked; null: there is none.
  SecurePort(const startup::ServeOptions& options, service::Answers& answers, kube::Network& loop,
             kube::Http* http) {
    if (!options.unauthenticated_endpoint) reviewer_.emplace(loop, http, http);
    endpoint_.emplace(options.endpoint, answers,
                      service::Access{.reviewer = reviewer_ ? &*reviewer_ : nullptr,
                                      .post = [&loop](std::function<void()> call) {
                                        loop.post(std::move(call));
                                      }});
    if (reviewer_ && http != nullptr)
      authority_.emplace(
          loop, *http,
          [this](std::string pem) { endpoint_->set_client_authorities(std::move(pem)); },
          [](const std::string& problem) { say_safely(problem); });
  }

 private:
  std::optional<service::DelegatedReviewer> reviewer_;
  std::optional<service::Endpoint> endpoint_;
  std::optional<service::ClientAuthority> authority_;
};

class Service {
 public:
  Service(const startup::ServeOptions& options, config::Configuration configuration,
          runtime::Plugins& plugins, const kube::Connection& connection)
      : log_level_(options.log_level),
        workers_(options.threads),
        network_(connection),
        link_(
            *network_, *network_,
            [this](std::function<void()> call) { network_->post(std::move(call)); }, say_safely,
            inbox_, link_options(configuration, client_metrics_, connection.server)),
        scheduling_(scheduling_options(options, workers_, watches_), std::move(configuration),
                    plugins, link_,
                    {.now = [this] { return Time(Machine::now() - begun_); }, .wall = wall_now},
                    [this](const runtime::Report& report) { take(report); }),
        metrics_(scheduling_.core()),
        answers_(metrics_, client_metrics_, scheduling_.core().configuration()) {
    watches_.add(metrics_);
    startup::name_what_is_not_done(core().configuration(), core().assembly());
    if (options.log_level != 0) start_log(options.log_level);
    if (options.endpoint.port != 0) open_port(options, connection);
  }
  ~Service() {
    if (reviews_) reviews_->stop();
    network_.stop();
  }

  int run() {
    network_->post([this] { link_.start(core().door().reads_whole()); });
    network_->post([this] { watch_link(); });
    network_.start();
    if (reviews_) reviews_->start();
    while (!scheduling_.ended() && !scheduling_.lost()) turn();
    return scheduling_.lost() ? lost() : end();
  }

 private:
  runtime::Core& core() { return scheduling_.core(); }

  void start_log(int level) {
    log_.emplace(level, core(), print_log);
    watches_.add(*log_);
    core().scheduler().queue().watch_moves(log_->hears_moves() ? &*log_ : nullptr);
  }

  // `own`: that of the scheduler. Its network asks for reviews, too, if the server and the user are
  // the same, as client-go's clients share their connections.
  void open_port(const startup::ServeOptions& options, const kube::Connection& own) {
    const std::string& file = options.authentication_kubeconfig;
    if (file != options.authorization_kubeconfig)
      throw UsageError(Error(
          "--authorization-kubeconfig: expected the file of --authentication-kubeconfig: one API "
          "server is asked for both"));
    const bool in_pod = std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
    kube::Network* reviewing = nullptr;
    if (!options.unauthenticated_endpoint && (!file.empty() || in_pod)) {
      const kube::Connection connection = connection_to(file, {});
      if (connection != own) reviews_ = std::make_unique<RunningNetwork>(connection);
      reviewing = reviews_ ? &**reviews_ : &*network_;
      review_http_.emplace(*reviewing, *reviewing, client_metrics_,
                           service::host_of(connection.server));
    }
    port_.emplace(options, answers_, reviewing != nullptr ? *reviewing : *network_,
                  review_http_ ? &*review_http_ : nullptr);
  }

  void take(const runtime::Report& report) {
    // Within the constructor of the core nothing is reported.
    metrics_.take(report);
    if (log_) log_->take(report);
  }

  void turn() {
    const std::optional<Time> due =
        scheduling_.turn(inbox_.take(), [this] { return inbox_.waits(); });
    if (scheduling_.synced()) answers_.set_synced();
    refresh();
    tell_faults();
    if (scheduling_.take_dump()) dump();
    if (auto listed = scheduling_.take_listed()) compare(std::move(*listed));
    if (scheduling_.ended() || scheduling_.lost()) return;
    const Machine::time_point rested = Machine::now() + kRest;
    rest(due ? std::min(begun_ + *due, rested) : rested);
  }

  // Threads of plugins end the rest, too, when they raise an epoch or wake pods.
  void rest(Machine::time_point until) {
    if (!core().hears_threads()) return inbox_.wait_until(until);
    while (!inbox_.waits() && !core().threads_said() && Machine::now() < until)
      inbox_.wait_until(std::min(until, Machine::now() + drive::Pace::kNap));
  }

  void refresh() {
    if (Machine::now() - refreshed_ < kFresh) return;
    metrics_.refresh();
    refreshed_ = Machine::now();
  }

  // Objects that contradict others.
  void tell_faults() {
    const Diagnostics& faults = core().diagnostics();
    for (; told_ < faults.kept().size(); ++told_) say(faults.kept()[told_].what());
  }

  // The work of kube-scheduler's cache debugger on SIGUSR2, and the core's own check.
  void dump() {
    log_state(core(), print_log);
    const std::string fault = core().fault();
    say(fault.empty() ? "the state of the cache and the queue is whole"
                      : "the state of the cache or the queue is wrong: " + fault);
    if (!scheduling_.synced())
      return say("the cache is not compared: not all lists of the cluster have come");
    if (!comparison_.begin()) return say("the cache is being compared already");
    if (log_level_ >= kComparerLevel) log_words("Cache comparer started", core(), print_log);
    list(Time(0));
  }

  void list(Time wait) {
    network_->post([this, wait] { link_.list(wait); });
  }

  void compare(service::Listed listed) {
    const std::string fault = listed.fault;
    const auto result = comparison_.take(std::move(listed), core().cluster());
    if (comparison_.under_way()) return list(service::Comparison::kAgain);
    if (!result) {
      say("the cache is not compared: " + fault);
    } else if (result->nodes.empty() && result->pods.empty()) {
      say(fmt::format("the cache has the {} nodes and {} pods of the API server",
                      result->cached_nodes, result->cached_pods));
    } else {
      log_differences(*result, core(), print_log);
    }
    if (log_level_ >= kComparerLevel) log_words("Cache comparer finished", core(), print_log);
  }

  // On the network's thread, as long as that runs.
  void watch_link() {
    answers_.set_healthy(link_.healthy());
    client_metrics_.events_dropped(link_.writes().events().dropped());
    network_->after(kFresh, [this] { watch_link(); });
  }

  int lost() {
    say("the lease is lost: another process may schedule now");
    return kFailed;
  }

  int end() {
    scheduling_.end();
    std::promise<void> done;
    network_->post([this, &done] { link_.finish(kEndLimit, [&done] { done.set_value(); }); });
    done.get_future().wait();
    return kOk;
  }

  const Machine::time_point begun_ = Machine::now();
  service::Inbox inbox_;
  // Before all that has threads.
  const service::Signals signals_{
      [this](int signal) { inbox_.put(signal == SIGUSR2 ? Word::kDump : Word::kEnd); }};
  const int log_level_;
  Watches watches_;
  framework::Workers workers_;
  service::ClientMetrics client_metrics_;
  RunningNetwork network_;
  service::ServerLink link_;
  service::Scheduling scheduling_;
  metrics::SchedulerMetrics metrics_;
  std::optional<DecisionLog> log_;
  ServiceAnswers answers_;
  std::unique_ptr<RunningNetwork> reviews_;
  std::optional<service::MeteredHttp> review_http_;
  std::optional<SecurePort> port_;
  service::Comparison comparison_;
  Machine::time_point refreshed_{};
  size_t told_ = 0;
};

}  // namespace

int serve(startup::ServeOptions& options) {
  ask_for_large_pages();
  startup::Settings settings = startup::settings_of(options);
  for (const std::string& notice : settings.notices) say_safely(notice);
  const config::ClientConnection& client = settings.configuration.service.client_connection;
  const kube::Connection connection = connection_to(client.kubeconfig, options.master);
  runtime::Plugins plugins = options.plugins.discover(settings.configuration.isolation);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(options.threads));
  std::signal(SIGPIPE, SIG_IGN);
  Service service(options, std::move(settings.configuration), plugins, connection);
  try {
    return service.run();
  } catch (const framework::EvaluationDiffers& difference) {
    say(difference.what());
    return kDecisionDiffers;
  }
}

}  // namespace berth::cli
