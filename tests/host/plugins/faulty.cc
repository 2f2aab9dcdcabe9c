// Life cycle and tables of the faulty plugin.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/host/plugins/faulty.h"

#define POINTS                                                                                  \
  BERTH_PRE_ENQUEUE " " BERTH_QUEUE_SORT " " BERTH_HINTS " " BERTH_PRE_FILTER " " BERTH_FILTER  \
                    " " BERTH_POST_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE " " BERTH_RESERVE \
                    " " BERTH_PERMIT " " BERTH_PRE_BIND " " BERTH_BIND " " BERTH_POST_BIND      \
                    " " BERTH_OVERLAY_STATE " " BERTH_OBSERVE

BERTH_PLUGIN_NOTE("io.example.faulty", "Faulty", 0, POINTS);

namespace faulty {

void Plugin::fill_tables() {
  inputs = {text("node.name"), text("node.label:*"), text("pod.priority")};
  hook = {sizeof hook,
          external ? uint32_t{BERTH_DEPENDS_EXTERNAL} : uint32_t{BERTH_DEPENDS_DECLARED},
          {},
          inputs.data(),
          static_cast<uint32_t>(inputs.size()),
          0,
          hooks::prepare,
          hooks::release,
          hooks::describe,
          nullptr};
  filter_hook = hook;
  pre_enqueue = {sizeof pre_enqueue, 0, &hook, hooks::check};
  queue_sort = {sizeof queue_sort, 0, &hook, hooks::keys, nullptr, 0, 0};
  hints = {sizeof hints, 0, &hook, hooks::actions, hooks::hint};
  pre_filter = {sizeof pre_filter, 0, &hook, hooks::pre_filter};
  filter = {sizeof filter, 0, &filter_hook, hooks::filter, hooks::reasons, hooks::numbers};
  post_filter = {sizeof post_filter, 0, &hook, hooks::post_filter};
  pre_score = {sizeof pre_score, 0, &hook, hooks::pre_score};
  score = {sizeof score, BERTH_NORMALISE_NONE, &hook,  hooks::score,
           nullptr,      hooks::numbers,       nullptr};
  // The tables of ABI 1.0.
  if (is("tables are old")) filter.size = score.size = offsetof(berth_filter, numbers);
  reserve = {sizeof reserve, 0, &hook, hooks::reserve, hooks::unreserve};
  permit = {sizeof permit, 0, &hook, hooks::permit};
  pre_bind = {sizeof pre_bind, 0, &hook, hooks::pre_flight, hooks::pre_bind, nullptr, 0};
  bind = {sizeof bind, 0, &hook, hooks::bind, 0, 0};
  post_bind = {sizeof post_bind, 0, &hook, hooks::post_bind};
  overlay_state = {
      sizeof overlay_state, 0,         &hook, hooks::begin, hooks::add_pod, hooks::remove_pod,
      hooks::reset,         hooks::end};
  observe = {sizeof observe, 0, &hook, hooks::bound, hooks::changed, hooks::left, hooks::node_left};
}

namespace {

// Of the inputs node.name, node.label:* and pod.priority.
void plant_type_faults(Plugin& plugin) {
  plugin.input_types = {BERTH_U32, 0, BERTH_I64};
  if (plugin.is("input has another type")) plugin.input_types[2] = BERTH_U32;
  if (plugin.is("input is no list")) plugin.input_types[1] = BERTH_U32 | BERTH_LIST_OF;
  if (plugin.is("input has an unknown type")) plugin.input_types[0] = 77;
  if (plugin.fault.starts_with("input")) plugin.filter_hook.input_types = plugin.input_types.data();
  if (!plugin.is("hook has no types")) return;
  plugin.filter_hook.size = offsetof(berth_hook, input_types);
  // What follows in memory is not the plugin's to say.
  plugin.input_types = {77, 77, 77};
  plugin.filter_hook.input_types = plugin.input_types.data();
}

void plant_hook_faults(Plugin& plugin) {
  plant_type_faults(plugin);
  berth_hook& hook = plugin.filter_hook;
  const auto add_input = [&](berth_string id) {
    plugin.inputs.push_back(id);
    hook.inputs = plugin.hook.inputs = plugin.inputs.data();
    ++hook.input_count;
  };
  if (plugin.is("hook has an unknown input")) add_input(text("node.colour"));
  if (plugin.is("hook has a mistyped family")) add_input(text("node.lable:example.com/rack"));
  if (plugin.is("hook has a family without a member")) add_input(text("node.label"));
  if (plugin.is("hook has an input of events")) add_input(text("event.matches:*"));
  if (plugin.is("hook has a malformed input")) add_input({nullptr, 5});
  if (plugin.is("hook has inputs without names")) hook.inputs = nullptr;
  if (plugin.is("hook has no size")) hook.size = 0;
  if (plugin.is("hook has something reserved")) hook.reserved = 7;
  if (plugin.is("hook depends on the moon")) hook.depends = 9;
  if (plugin.is("hook has an unknown space")) hook.space = text("node.ports");
  if (plugin.is("hook prepares without release")) hook.release = nullptr;
  if (plugin.is("hook releases without prepare")) hook.prepare = nullptr;
  if (plugin.is("hook has a space among pods")) {
    plugin.hook.space = text("node.taints");
    plugin.filter.hook = nullptr;
  }
}

// "wide_keys 24", and more words behind.
void plant_wide_keys(Plugin& plugin) {
  berth_queue_sort& table = plugin.queue_sort;
  if (plugin.is("table has no keys")) table.keys = nullptr;
  if (plugin.is("table ends before its keys")) {
    table.keys = nullptr;
    table.size = offsetof(berth_queue_sort, wide_key_bytes);
  }
  if (plugin.is("table has bytes without keys")) table.wide_key_bytes = 24;
  if (!plugin.fault.starts_with("wide_keys ")) return;
  table.wide_keys = hooks::wide_keys;
  table.wide_key_bytes =
      static_cast<uint32_t>(std::strtoul(plugin.fault.c_str() + sizeof "wide_keys", nullptr, 10));
  if (plugin.fault.ends_with("something reserved")) table.reserved2 = 5;
  if (plugin.fault.ends_with("behind the table")) {
    table.size = offsetof(berth_queue_sort, wide_keys);
  } else {
    table.keys = nullptr;
  }
}

// Members that tables of older plugins do not have.
void plant_faults_of_new_members(Plugin& plugin) {
  plant_wide_keys(plugin);
  if (plugin.fault.starts_with("pre_bind_or_wait")) {
    plugin.pre_bind.pre_bind = nullptr;
    plugin.pre_bind.pre_bind_or_wait = hooks::pre_bind_or_wait;
  }
  if (plugin.is("pre_bind_or_wait has a limit"))
    plugin.pre_bind.wait_limit_nanoseconds = 5'000'000'000;
  if (plugin.is("pre_bind_or_wait has a long limit"))
    plugin.pre_bind.wait_limit_nanoseconds = INT64_MAX;
  if (plugin.is("wait limit is negative")) plugin.pre_bind.wait_limit_nanoseconds = -1;
  if (plugin.is("bind is quick")) plugin.bind.flags = BERTH_BIND_QUICK;
  if (plugin.is("bind has unknown flags")) plugin.bind.flags = 6;
  if (plugin.is("tables are older")) {
    // What follows in memory is not the plugin's to say.
    plugin.pre_bind.size = offsetof(berth_pre_bind, pre_bind_or_wait);
    plugin.pre_bind.pre_bind_or_wait = hooks::pre_bind_or_wait;
    plugin.pre_bind.wait_limit_nanoseconds = -1;
    plugin.bind.size = offsetof(berth_bind, flags);
    plugin.bind.flags = 6;
  }
}

void plant_table_faults(Plugin& plugin) {
  plant_faults_of_new_members(plugin);
  if (plugin.is("table has no hook")) plugin.filter.hook = nullptr;
  if (plugin.is("table has no size")) plugin.filter.size = 0;
  if (plugin.is("table has a huge size")) plugin.filter.size = 4'000'000'000;
  if (plugin.is("table has no filter")) plugin.filter.filter = nullptr;
  if (plugin.is("tables have no functions")) {
    plugin.filter.filter = nullptr;
    plugin.score.score = nullptr;
    plugin.bind.bind = nullptr;
  }
  if (plugin.is("tables have something reserved")) {
    plugin.filter.reserved = 7;
    plugin.permit.reserved = 8;
    plugin.bind.reserved2 = 9;
  }
  if (plugin.is("observe hears little")) {
    plugin.observe.changed = nullptr;
    plugin.observe.node_left = nullptr;
  }
  if (plugin.is("observe has no left")) plugin.observe.left = nullptr;
  if (plugin.is("score normalises oddly")) plugin.score.normalise = 77;
  if (plugin.is("score lacks normalise_own")) plugin.score.normalise = BERTH_NORMALISE_OWN;
  if (plugin.is("reasons are not given")) plugin.filter.reasons = nullptr;
  if (plugin.is("hook describes nothing")) plugin.filter_hook.describe = nullptr;
  if (plugin.is("hook prepares nothing")) {
    plugin.filter_hook.prepare = nullptr;
    plugin.filter_hook.release = nullptr;
  }
  if (plugin.fault.rfind("normalise", 0) == 0) {
    plugin.score.normalise = BERTH_NORMALISE_OWN;
    plugin.score.normalise_own = hooks::normalise_own;
  }
  if (plugin.fault.rfind("normalise_pod", 0) == 0) {
    if (plugin.is("normalise_pod fails")) plugin.score.normalise_own = nullptr;
    plugin.score.normalise_pod = hooks::normalise_pod;
  }
  if (plugin.is("pre_filter names 2 without prepare")) {
    plugin.hook.prepare = nullptr;
    plugin.hook.release = nullptr;
  }
}

// Reads the argument `fault`.
std::string read_fault(const berth_config* config) {
  const uint32_t node = config->member(config, 0, text("fault"));
  berth_string fault{};
  if (node == BERTH_CONFIG_ABSENT) return {};
  if (config->string(config, node, &fault) == 0) {
    config->error(config, node, {}, text("must be a string"));
    return {};
  }
  return std::string(fault.data, fault.size);
}

berth_code validate(const berth_config* config) {
  const std::string fault = read_fault(config);
  if (fault == "validate throws") throw std::runtime_error("bad luck");
  if (fault == "validate sleeps") sleep_milliseconds(400);
  if (fault == "validate refuses silently") return BERTH_ERROR;
  if (fault == "validate misses a member") {
    config->error(config, 0, text(".rack[0]"), text("Required value"));
    return BERTH_ERROR;
  }
  return BERTH_SUCCESS;
}

berth_plugin* create() { return reinterpret_cast<berth_plugin*>(new Plugin); }

// More texts at once than a message between processes carries.
bool reads_all_texts(const Plugin& self) {
  constexpr uint32_t kCount = 3000;
  std::vector<std::string> words;
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < kCount; ++i) {
    words.push_back("word-" + std::to_string(i));
    ids.push_back(self.strings->intern(self.host, text(words.back().c_str())));
  }
  std::vector<berth_string> read(kCount);
  self.strings->read_all(self.host, kCount, ids.data(), read.data());
  return std::ranges::equal(words, read, [](const std::string& word, berth_string as) {
    return std::string_view(as.data, as.size) == word;
  });
}

berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                const berth_text_sink* error) {
  Plugin& self = of(plugin);
  self.host = host;
  self.fault = read_fault(config);
  self.external = self.fault.starts_with("external ");
  if (self.external) self.fault.erase(0, self.fault.find(' ') + 1);
  self.columns =
      static_cast<const berth_columns_service*>(host->service(host, text(BERTH_COLUMNS_SERVICE)));
  self.counts =
      static_cast<const berth_counts_service*>(host->service(host, text(BERTH_COUNTS_SERVICE)));
  self.strings =
      static_cast<const berth_strings_service*>(host->service(host, text(BERTH_STRINGS_SERVICE)));
  self.find_services_of_run();
  if (self.is("init misses services")) {
    for (const char* id : {"berth.weather/0", BERTH_WHAT_IF_SERVICE, "berth.weather/0"}) {
      if (host->service(host, text(id)) != nullptr) return BERTH_SUCCESS;
    }
    const char* words = "it cannot see the weather";
    error->write(error->context, text(words));
    return BERTH_ERROR;
  }
  if (self.is("init asks for an unknown column") &&
      self.columns->find(host, text("node.requsted:cpu")) == 0) {
    const char* words = "no such column";
    error->write(error->context, text(words));
    return BERTH_ERROR;
  }
  if (self.is("init finds an argument wrong")) {
    config->error(config, config->member(config, 0, text("fault")), {}, text("must be modest"));
  }
  if (self.is("init logs")) {
    const auto* log =
        static_cast<const berth_log_service*>(host->service(host, text(BERTH_LOG_SERVICE)));
    log->write(host, BERTH_LOG_WARNING, text("the rack is warm"));
    log->write(host, BERTH_LOG_DEBUG, text("never seen"));
  }
  if (self.is("init reads many texts") && !reads_all_texts(self)) return BERTH_ERROR;
  self.fill_tables();
  plant_hook_faults(self);
  plant_table_faults(self);
  return common_faults(self, "init", error);
}

const void* extension(berth_plugin* plugin, berth_string id) {
  Plugin& self = of(plugin);
  common_faults(self, "extension", nullptr);
  const std::string wanted(id.data, id.size);
  if (self.is("extension has no filter") && wanted == BERTH_FILTER) return nullptr;
  const struct {
    const char* id;
    const void* table;
  } tables[] = {{BERTH_PRE_ENQUEUE, &self.pre_enqueue},
                {BERTH_QUEUE_SORT, &self.queue_sort},
                {BERTH_HINTS, &self.hints},
                {BERTH_PRE_FILTER, &self.pre_filter},
                {BERTH_FILTER, &self.filter},
                {BERTH_POST_FILTER, &self.post_filter},
                {BERTH_PRE_SCORE, &self.pre_score},
                {BERTH_SCORE, &self.score},
                {BERTH_RESERVE, &self.reserve},
                {BERTH_PERMIT, &self.permit},
                {BERTH_PRE_BIND, &self.pre_bind},
                {BERTH_BIND, &self.bind},
                {BERTH_POST_BIND, &self.post_bind},
                {BERTH_OVERLAY_STATE, &self.overlay_state},
                {BERTH_OBSERVE, &self.observe}};
  for (const auto& each : tables) {
    if (wanted != each.id) continue;
    const bool shifted = self.is("table is not aligned") && wanted == BERTH_FILTER;
    return static_cast<const char*>(each.table) + (shifted ? 4 : 0);
  }
  return nullptr;
}

void destroy(berth_plugin* plugin) {
  const std::string fault = of(plugin).fault;
  delete &of(plugin);
  if (fault == "destroy sleeps") sleep_milliseconds(400);
  if (fault == "destroy throws") throw std::runtime_error("bad luck");
}

}  // namespace
}  // namespace faulty

const berth_plugin_descriptor* berth_plugin_entry_v1(void) {
  static const berth_plugin_descriptor descriptor = {sizeof descriptor,
                                                     BERTH_ABI_MAJOR,
                                                     0,
                                                     BERTH_ABI_MINOR,
                                                     0,
                                                     0,
                                                     BERTH_STRING("io.example.faulty"),
                                                     BERTH_STRING("Faulty"),
                                                     BERTH_STRING("0.1"),
                                                     BERTH_STRING(POINTS),
                                                     faulty::validate,
                                                     faulty::create,
                                                     faulty::init,
                                                     faulty::extension,
                                                     faulty::destroy};
  return &descriptor;
}
