#include "engine/host/instance/services/services.h"
#include "engine/host/instance/services/service_thread.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/program/version.h"
#include "engine/base/text/printable.h"
#include "engine/host/instance/bounded_text.h"
#include "engine/host/instance/services/counts_service.h"
#include "engine/host/instance/services/selector_arguments.h"
#include "engine/host/instance/services/volumes_service.h"
#include "engine/host/instance/standard_log.h"
#include "engine/host/instance/text.h"
#include "engine/host/run/clock_service.h"
#include "engine/host/run/external_service.h"
#include "engine/host/run/metrics_service.h"
#include "engine/host/run/rules_service.h"
#include "engine/host/run/worker_service.h"

namespace berth::host {
namespace {

class StandardLog final : public LogServices {
 public:
  StandardLog() : logger_("berth", std::make_shared<spdlog::sinks::stderr_sink_mt>()) {
    logger_.set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
    logger_.set_level(spdlog::level::debug);
  }

  uint32_t level() const override { return level_.load(std::memory_order_relaxed); }
  void set_level(uint32_t level) { level_.store(level, std::memory_order_relaxed); }

  void write(uint32_t level, std::string_view plugin, std::string_view text) override {
    logger_.log(to_spdlog(level), "plugin {}: {}", printable(plugin), printable(text));
  }

 private:
  static spdlog::level::level_enum to_spdlog(uint32_t level) {
    switch (level) {
      case BERTH_LOG_ERROR:
        return spdlog::level::err;
      case BERTH_LOG_WARNING:
        return spdlog::level::warn;
      case BERTH_LOG_INFO:
        return spdlog::level::info;
      default:
        return spdlog::level::debug;
    }
  }

  spdlog::logger logger_;
  std::atomic<uint32_t> level_{BERTH_LOG_INFO};
};

StandardLog& the_log() {
  static StandardLog log;
  return log;
}

}  // namespace

LogServices& standard_log() { return the_log(); }

std::string_view host_name() {
  static const std::string name = "Berth " + std::string(program_version());
  return name;
}

void set_standard_log_level(uint32_t level) {
  BERTH_ASSERT(level >= BERTH_LOG_ERROR && level <= BERTH_LOG_DEBUG);
  the_log().set_level(level);
}

// The functions of the services. Exceptions must not pass through the plugin: they are logged under
// the plugin's name, and the plugin gets the answer that means failure.
struct ServiceFunctions {
  static HostServices& of(const berth_host* host) {
    return *static_cast<HostServices*>(host->context);
  }
  static ModelServices& model(const berth_host* host) { return of(host).environment_.model; }

  template <typename Answer, typename Function>
  static Answer guarded(const berth_host* host, Answer no, Function&& function) noexcept {
    try {
      return function();
    } catch (const std::exception& failure) {
      of(host).environment_.log.write(BERTH_LOG_ERROR, of(host).plugin_, failure.what());
      return no;
    }
  }

  // For functions that read or change the model. `name`: as refuses_thread() takes it.
  template <typename Answer, typename Function>
  static Answer of_model(const berth_host* host, const char* name, Answer no,
                         Function&& function) noexcept {
    if (refuses_thread(host, name)) return no;
    return guarded(host, no, std::forward<Function>(function));
  }

  static const void* service(const berth_host* host, berth_string id) {
    return guarded(host, static_cast<const void*>(nullptr), [&]() -> const void* {
      if (refuses_lookup(host, readable(id))) return nullptr;
      return of(host).service(readable(id));
    });
  }

  static void log_write(const berth_host* host, uint32_t level, berth_string text) {
    guarded(host, 0, [&] {
      LogServices& log = of(host).environment_.log;
      if (level <= log.level()) log.write(level, of(host).plugin_, bounded(text));
      return 0;
    });
  }

  static uint32_t log_shows(const berth_host* host, uint32_t level) {
    return level <= of(host).environment_.log.level() ? 1 : 0;
  }

  static uint32_t intern(const berth_host* host, berth_string text) {
    return of_model(host, "strings.intern", 0u, [&] { return model(host).intern(readable(text)); });
  }
  static uint32_t find(const berth_host* host, berth_string text) {
    return of_model(host, "strings.find", 0u, [&] { return model(host).find(readable(text)); });
  }
  static berth_string text(const berth_host* host, uint32_t id) {
    return guarded(host, berth_string{}, [&] {
      return id < model(host).string_count() ? to_abi(model(host).text(id)) : berth_string{};
    });
  }

  static void read(const berth_host* host, uint32_t id, berth_string* text) {
    *text = ServiceFunctions::text(host, id);
  }

  static void read_all(const berth_host* host, uint64_t count, const uint32_t* ids,
                       berth_string* texts) {
    for (uint64_t i = 0; i < count; ++i) texts[i] = ServiceFunctions::text(host, ids[i]);
  }

  static uint32_t find_column(const berth_host* host, berth_string id) {
    return of_model(host, "columns.find", 0u,
                    [&] { return model(host).find_column(readable(id)); });
  }

  static bool is_selector(const berth_host* host, uint32_t selector) {
    return model(host).has_selector(selector);
  }
  static uint32_t match_column(const berth_host* host, uint32_t selector) {
    return of_model(host, "selectors.match_column", 0u, [&] {
      return is_selector(host, selector) ? model(host).match_column(selector) : 0u;
    });
  }
  static void problem(const berth_host* host, uint32_t selector, const berth_text_sink* sink) {
    of_model(host, "selectors.problem", 0, [&] {
      check_sink(sink);
      if (!is_selector(host, selector)) return 0;
      if (const auto problem = model(host).selector_problem(selector))
        sink->write(sink->context, to_abi(*problem));
      return 0;
    });
  }
  // The tree that init is reading, if `config` is that tree and has this node; else null.
  static ConfigTree* arguments(const berth_host* host, const berth_config* config, uint32_t node) {
    ConfigTree* tree = ConfigTree::of(config);
    return tree == of(host).arguments_ && tree != nullptr && tree->has(node) ? tree : nullptr;
  }
  static uint32_t node_selector(const berth_host* host, const berth_config* config, uint32_t node) {
    return of_model(host, "selectors.node_selector", 0u, [&]() -> uint32_t {
      ConfigTree* tree = arguments(host, config, node);
      if (tree == nullptr) return 0;
      const auto selector = read_node_selector(*tree, node);
      return selector ? model(host).add_selector(*selector) : 0;
    });
  }
  static uint32_t node_selector_term(const berth_host* host, const berth_config* config,
                                     uint32_t node) {
    return of_model(host, "selectors.node_selector_term", 0u, [&]() -> uint32_t {
      ConfigTree* tree = arguments(host, config, node);
      if (tree == nullptr) return 0;
      const auto term = read_node_selector_term(*tree, node);
      return term ? model(host).add_selector_term(*term) : 0;
    });
  }
  static uint32_t label_selector(const berth_host* host, const berth_config* config,
                                 uint32_t node) {
    return of_model(host, "selectors.label_selector", 0u, [&]() -> uint32_t {
      ConfigTree* tree = arguments(host, config, node);
      if (tree == nullptr) return 0;
      const auto selector = read_label_selector(*tree, node);
      if (!selector) return 0;
      const uint32_t handle = model(host).add_label_selector(*selector);
      const std::optional<std::string> problem = model(host).label_selector_problem(handle);
      if (!problem) return handle;
      tree->report(node, "", *problem);
      return 0;
    });
  }

  static berth_code write_bindings(const berth_host* host, uint64_t count, const uint64_t* pods,
                                   const uint32_t* nodes) {
    return guarded(host, berth_code{BERTH_ERROR}, [&]() -> berth_code {
      const auto size = static_cast<size_t>(count);
      const bool written = of(host).environment_.bindings->write({pods, size}, {nodes, size});
      return written ? BERTH_SUCCESS : BERTH_ERROR;
    });
  }
  static void write_each(const berth_host* host, uint64_t count, const uint64_t* pods,
                         const uint32_t* nodes, uint8_t* codes) {
    std::fill_n(codes, count, uint8_t{BERTH_SUCCESS});
    if (write_bindings(host, count, pods, nodes) == BERTH_SUCCESS) return;
    for (uint64_t i = 0; i < count; ++i)
      codes[i] = static_cast<uint8_t>(write_bindings(host, 1, pods + i, nodes + i));
  }
};

namespace {

constexpr berth_strings_service kStrings = {sizeof kStrings,           0,
                                            ServiceFunctions::intern,  ServiceFunctions::find,
                                            ServiceFunctions::text,    ServiceFunctions::read,
                                            ServiceFunctions::read_all};
constexpr berth_columns_service kColumns = {sizeof kColumns, 0, ServiceFunctions::find_column};
constexpr berth_selectors_service kSelectors = {sizeof kSelectors,
                                                0,
                                                ServiceFunctions::match_column,
                                                ServiceFunctions::problem,
                                                ServiceFunctions::node_selector,
                                                ServiceFunctions::node_selector_term,
                                                ServiceFunctions::label_selector};
constexpr berth_bindings_service kBindings = {sizeof kBindings, 0, ServiceFunctions::write_bindings,
                                              ServiceFunctions::write_each};

}  // namespace

HostServices::HostServices(std::string plugin, const Environment& environment)
    : plugin_(std::move(plugin)),
      profile_(environment.profile),
      environment_(environment),
      host_{sizeof host_,        BERTH_ABI_MAJOR, BERTH_ABI_MINOR, this, ServiceFunctions::service,
            to_abi(host_name()), to_abi(profile_)},
      log_{sizeof log_, environment.log.level(), ServiceFunctions::log_write,
           ServiceFunctions::log_shows} {
  if (environment_.moment != nullptr) random_key_ = random_key(environment_.moment->seed, plugin_);
}

HostServices::~HostServices() {
  if (epochs_ != nullptr) environment_.external->remove(*epochs_);
}

std::span<const std::string_view> known_services() {
  static constexpr std::string_view kAll[] = {
      BERTH_LOG_SERVICE,       BERTH_STRINGS_SERVICE, BERTH_COLUMNS_SERVICE,
      BERTH_SELECTORS_SERVICE, BERTH_COUNTS_SERVICE,  BERTH_VOLUMES_SERVICE,
      BERTH_BINDINGS_SERVICE,  BERTH_WHAT_IF_SERVICE, BERTH_PARALLEL_SERVICE,
      BERTH_WAITING_SERVICE,   BERTH_RULES_SERVICE,   BERTH_PREEMPT_EXTENDERS_SERVICE,
      BERTH_SIGNING_SERVICE,   BERTH_WORKER_SERVICE,  BERTH_METRICS_SERVICE,
      BERTH_CLOCK_SERVICE,     BERTH_RANDOM_SERVICE,  BERTH_EXTERNAL_SERVICE};
  return kAll;
}

const void* HostServices::service_of_run(std::string_view id) {
  if (id == BERTH_CLOCK_SERVICE && environment_.moment != nullptr) return &clock_service();
  if (id == BERTH_RANDOM_SERVICE && environment_.moment != nullptr) return &random_service();
  if (id == BERTH_RULES_SERVICE) return &rules_service();
  if (id == BERTH_SIGNING_SERVICE) {
    if (!signing_) signing_ = std::make_unique<SaidSigning>();
    return &signing_service();
  }
  if (id == BERTH_WORKER_SERVICE) {
    if (!scratch_) scratch_ = std::make_unique<Scratch[]>(Worker::count(environment_.threads));
    return &worker_service();
  }
  if (id == BERTH_METRICS_SERVICE && environment_.metrics != nullptr) {
    metrics_ = &environment_.metrics->of(plugin_);
    return &metrics_service();
  }
  if (id == BERTH_EXTERNAL_SERVICE && environment_.external != nullptr) {
    if (epochs_ == nullptr) epochs_ = &environment_.external->add(profile_, plugin_);
    return &external_service();
  }
  return nullptr;
}

const void* HostServices::offered(std::string_view id) {
  if (id == BERTH_LOG_SERVICE) return &log_;
  if (id == BERTH_STRINGS_SERVICE) return &kStrings;
  if (id == BERTH_COLUMNS_SERVICE) return &kColumns;
  if (id == BERTH_SELECTORS_SERVICE) return &kSelectors;
  if (id == BERTH_BINDINGS_SERVICE && environment_.bindings != nullptr) return &kBindings;
  if (id == BERTH_COUNTS_SERVICE) return &counts_service();
  if (id == BERTH_VOLUMES_SERVICE) return &volumes_service();
  if (id == BERTH_WHAT_IF_SERVICE && environment_.trials != nullptr) return &what_if_service();
  if (id == BERTH_PARALLEL_SERVICE && environment_.trials != nullptr) return &parallel_service();
  if (id == BERTH_PREEMPT_EXTENDERS_SERVICE && environment_.trials != nullptr)
    return &preempt_extenders_service();
  if (id == BERTH_WAITING_SERVICE && environment_.waiting != nullptr) return &waiting_service();
  return service_of_run(id);
}

const void* HostServices::service(std::string_view id) {
  const void* service = offered(id);
  std::vector<std::string>& asked = service != nullptr ? found_ : missing_;
  if (std::find(asked.begin(), asked.end(), id) == asked.end()) asked.emplace_back(id);
  return service;
}

}  // namespace berth::host
