#include "engine/isolation/child/services.h"

#include <mutex>
#include <string>
#include <unordered_set>

#include "engine/isolation/child/asking.h"
#include "engine/isolation/child/model_services.h"
#include "engine/isolation/child/trial_services.h"

namespace berth::isolation {
namespace {

// A question with a text before the numbers.
template <typename Answer, typename... Values>
Answer asked_of_text(Answer no, Ask kind, berth_string text, const Values&... values) noexcept {
  return on_lane(no, [&](PluginLane& lane) {
    Writer message = message_of(values...);
    message.text(text);
    return lane.ask(kind, message).template get<Answer>();
  });
}

// Texts of string ids are valid as long as the ids. They stay for the life of the process, each
// once.
berth_string lasting(std::string_view text) {
  static std::mutex mutex;
  static std::unordered_set<std::string> texts;
  const std::lock_guard lock(mutex);
  return abi_text(*texts.emplace(text).first);
}

uint32_t intern(const berth_host*, berth_string text) {
  return asked_of_text(0u, Ask::kIntern, text);
}
uint32_t find(const berth_host*, berth_string text) {
  return asked_of_text(0u, Ask::kFindString, text);
}
berth_string text(const berth_host*, uint32_t id) {
  return on_lane(berth_string{}, [&](PluginLane& lane) {
    return lasting(lane.ask(Ask::kText, message_of(id)).text());
  });
}

uint32_t find_column(const berth_host*, berth_string id) {
  return asked_of_text(0u, Ask::kFindColumn, id);
}

uint32_t match_column(const berth_host*, uint32_t selector) {
  return asked(0u, Ask::kMatchColumn, selector);
}
void problem(const berth_host*, uint32_t selector, const berth_text_sink* sink) {
  on_lane(0, [&](PluginLane& lane) {
    Reader answer = lane.ask(Ask::kSelectorProblem, message_of(selector));
    write_texts(answer, sink);
    return 0;
  });
}
uint32_t node_selector(const berth_host*, const berth_config*, uint32_t node) {
  return asked(0u, Ask::kNodeSelector, node);
}
uint32_t node_selector_term(const berth_host*, const berth_config*, uint32_t node) {
  return asked(0u, Ask::kNodeSelectorTerm, node);
}
uint32_t label_selector(const berth_host*, const berth_config*, uint32_t node) {
  return asked(0u, Ask::kLabelSelector, node);
}

berth_code write_bindings(const berth_host*, uint64_t count, const uint64_t* pods,
                          const uint32_t* nodes) {
  return on_lane(berth_code{BERTH_ERROR}, [&](PluginLane& lane) {
    Writer message;
    message.list(pods, count);
    message.list(nodes, count);
    return lane.ask(Ask::kWriteBindings, message).get<berth_code>();
  });
}

void read(const berth_host* host, uint32_t id, berth_string* out) { *out = text(host, id); }

constexpr berth_strings_service kStrings = {sizeof kStrings, 0, intern, find, text, read};
constexpr berth_columns_service kColumns = {sizeof kColumns, 0, find_column};
constexpr berth_selectors_service kSelectors = {
    sizeof kSelectors, 0, match_column, problem, node_selector, node_selector_term, label_selector};
constexpr berth_bindings_service kBindings = {sizeof kBindings, 0, write_bindings};

uint32_t config_kind(const berth_config*, uint32_t node) {
  return asked(BERTH_CONFIG_NULL, Ask::kConfigKind, node);
}
uint32_t config_length(const berth_config*, uint32_t node) {
  return asked(0u, Ask::kConfigLength, node);
}
uint32_t config_element(const berth_config*, uint32_t node, uint32_t i) {
  return asked(BERTH_CONFIG_ABSENT, Ask::kConfigElement, node, i);
}
uint32_t config_member(const berth_config*, uint32_t node, berth_string name) {
  return asked_of_text(BERTH_CONFIG_ABSENT, Ask::kConfigMember, name, node);
}
void config_accept(const berth_config*, uint32_t node) { told(Ask::kConfigAccept, node); }

// An answer is 1 and the value, or 0.
template <typename T, typename... More>
uint32_t config_value(Ask kind, uint32_t node, T* value, More... more) {
  return on_lane(0u, [&](PluginLane& lane) {
    Reader answer = lane.ask(kind, message_of(node, more...));
    const auto there = answer.get<uint32_t>();
    if (there != 0) *value = answer.get<T>();
    return there;
  });
}
uint32_t config_boolean(const berth_config*, uint32_t node, uint8_t* value) {
  return config_value(Ask::kConfigBoolean, node, value);
}
uint32_t config_integer(const berth_config*, uint32_t node, int64_t* value) {
  return config_value(Ask::kConfigInteger, node, value);
}
uint32_t config_number(const berth_config*, uint32_t node, double* value) {
  return config_value(Ask::kConfigNumber, node, value);
}
uint32_t config_string(const berth_config*, uint32_t node, berth_string* value) {
  return on_lane(0u, [&](PluginLane& lane) {
    Reader answer = lane.ask(Ask::kConfigString, message_of(node));
    const auto there = answer.get<uint32_t>();
    if (there != 0) *value = abi_text(lane.keep(answer.text()));
    return there;
  });
}
uint32_t config_members(const berth_config*, uint32_t node) {
  return asked(0u, Ask::kConfigMembers, node);
}
uint32_t config_member_at(const berth_config*, uint32_t node, uint32_t i, berth_string* name) {
  return on_lane(BERTH_CONFIG_ABSENT, [&](PluginLane& lane) {
    Reader answer = lane.ask(Ask::kConfigMemberAt, message_of(node, i));
    const auto member = answer.get<uint32_t>();
    if (member != BERTH_CONFIG_ABSENT) *name = abi_text(lane.keep(answer.text()));
    return member;
  });
}
uint32_t config_quantity(const berth_config*, uint32_t node, uint32_t parts, int64_t* value) {
  return config_value(Ask::kConfigQuantity, node, value, parts);
}
uint32_t config_duration(const berth_config*, uint32_t node, int64_t* nanoseconds) {
  return config_value(Ask::kConfigDuration, node, nanoseconds);
}
void config_error(const berth_config*, uint32_t node, berth_string below, berth_string text) {
  on_lane(0, [&](PluginLane& lane) {
    Writer message = message_of(node);
    message.text(below);
    message.text(text);
    lane.ask(Ask::kConfigError, message);
    return 0;
  });
}

constexpr berth_config kConfig = {sizeof kConfig,   0,
                                  nullptr,          config_kind,
                                  config_length,    config_element,
                                  config_member,    config_accept,
                                  config_boolean,   config_integer,
                                  config_number,    config_string,
                                  config_error,     config_members,
                                  config_member_at, config_quantity,
                                  config_duration};

void numbers_item(void*, berth_string name) {
  on_lane(0, [&](PluginLane& lane) {
    Writer message;
    message.text(name);
    lane.ask(Ask::kNumbersItem, message);
    return 0;
  });
}
template <typename... Values>
void numbers_fact(Ask kind, berth_string name, const Values&... values) {
  on_lane(0, [&](PluginLane& lane) {
    Writer message = message_of(values...);
    message.text(name);
    lane.ask(kind, message);
    return 0;
  });
}
void numbers_number(void*, berth_string name, int64_t value, uint32_t unit) {
  numbers_fact(Ask::kNumbersNumber, name, value, unit);
}
void numbers_text(void*, berth_string name, berth_string text) {
  on_lane(0, [&](PluginLane& lane) {
    Writer message;
    message.text(name);
    message.text(text);
    lane.ask(Ask::kNumbersText, message);
    return 0;
  });
}
void numbers_term(void*, berth_string name, uint32_t term) {
  numbers_fact(Ask::kNumbersTerm, name, term);
}
void numbers_pods(void*, berth_string name, uint32_t column, uint64_t element) {
  numbers_fact(Ask::kNumbersPods, name, element, column);
}

constexpr berth_numbers_sink kNumbers = {
    sizeof kNumbers, 0,           nullptr, numbers_item, numbers_number, numbers_text,
    numbers_term,    numbers_pods};

}  // namespace

struct HostFunctions {
  static const void* service(const berth_host* host, berth_string id) {
    return on_lane(static_cast<const void*>(nullptr), [&](PluginLane& lane) -> const void* {
      Writer message;
      message.text(id);
      Reader answer = lane.ask(Ask::kService, message);
      if (answer.get<uint32_t>() == 0) return nullptr;
      auto& self = *static_cast<PluginHost*>(host->context);
      self.log_.level = answer.get<uint32_t>();
      const bool is_log = std::string_view(id.data, id.size) == BERTH_LOG_SERVICE;
      return is_log ? &self.log_ : service_table(id);
    });
  }
  static void log(const berth_host*, uint32_t level, berth_string text) {
    on_lane(0, [&](PluginLane& lane) {
      Writer message = message_of(level);
      message.text(text);
      lane.ask(Ask::kLog, message);
      return 0;
    });
  }
};

PluginHost::PluginHost()
    : host_{sizeof host_, BERTH_ABI_MAJOR, BERTH_ABI_MINOR, this, HostFunctions::service},
      log_{sizeof log_, BERTH_LOG_INFO, HostFunctions::log} {}

const berth_config* plugin_config() { return &kConfig; }
const berth_numbers_sink* plugin_numbers_sink() { return &kNumbers; }

const void* service_table(berth_string id) {
  const std::string_view name(id.data, id.size);
  if (name == BERTH_STRINGS_SERVICE) return &kStrings;
  if (name == BERTH_COLUMNS_SERVICE) return &kColumns;
  if (name == BERTH_SELECTORS_SERVICE) return &kSelectors;
  if (name == BERTH_BINDINGS_SERVICE) return &kBindings;
  if (name == BERTH_COUNTS_SERVICE) return &counts_table();
  if (name == BERTH_WAITING_SERVICE) return &waiting_table();
  if (name == BERTH_VOLUMES_SERVICE) return &volumes_table();
  if (name == BERTH_WORKER_SERVICE) return &worker_table();
  if (name == BERTH_CLOCK_SERVICE) return &clock_table();
  if (name == BERTH_RANDOM_SERVICE) return &random_table();
  if (name == BERTH_METRICS_SERVICE) return &metrics_table();
  if (name == BERTH_WHAT_IF_SERVICE) return &what_if_table();
  if (name == BERTH_PARALLEL_SERVICE) return &parallel_table();
  if (name == BERTH_PREEMPT_EXTENDERS_SERVICE) return &preempt_extenders_table();
  return nullptr;
}

}  // namespace berth::isolation
