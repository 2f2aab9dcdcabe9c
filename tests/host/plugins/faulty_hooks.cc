#include "tests/host/plugins/faulty.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "engine/isolation/channel/lane.h"

namespace faulty {
namespace {

void say(const berth_text_sink* sink, const char* words) {
  sink->write(sink->context, text(words));
}

// Parses the number after "`where` " in the fault; false if the fault is another one.
bool number(const Plugin& plugin, const char* where, long long& value) {
  const std::string prefix = std::string(where) + " ";
  if (plugin.fault.rfind(prefix, 0) != 0) return false;
  const char* digits = plugin.fault.c_str() + prefix.size();
  char* end = nullptr;
  value = std::strtoll(digits, &end, 10);
  return end != digits && *end == '\0';
}

// Names the forbidden things that the system lets an isolated plugin do all the same.
std::string abilities() {
  std::string able;
  if (const int file = open("/dev/null", O_RDWR); file >= 0) able += " files", close(file);
  constexpr int kUncounted = MAP_SHARED | MAP_ANONYMOUS;
  if (mmap(nullptr, 4096, PROT_READ, kUncounted, -1, 0) != MAP_FAILED) able += " uncounted memory";
  if (const int made = socket(AF_UNIX, SOCK_STREAM, 0); made >= 0) able += " network", close(made);
  char program[] = "/bin/true";
  char* words[] = {program, nullptr};
  pid_t pid = 0;
  if (posix_spawn(&pid, program, nullptr, nullptr, words, nullptr) == 0) {
    able += " programs";
    waitpid(pid, nullptr, 0);
  }
  return able.empty() ? "nothing" : able.substr(1);
}

// Allocates until that fails, or until a gibibyte is there, which is then given back.
bool gets_much_memory() {
  constexpr size_t kPart = 1 << 20, kParts = 1024;
  std::vector<std::unique_ptr<char[]>> parts;
  for (size_t i = 0; i < kParts; ++i) parts.emplace_back(new char[kPart]);
  return parts.size() == kParts;
}

// The lane of a call, by one of its arrays: those of a small call are in the first page of what the
// engine lays out.
std::byte* lane_of(const void* array) {
  const uintptr_t page = reinterpret_cast<uintptr_t>(array) / 4096 * 4096;
  return reinterpret_cast<std::byte*>(page - berth::isolation::kDownPlace);
}

// Ends the second call of a round (engine/host/calls/together.h) with a message of a size that no
// message has.
void send_garbage(const void* answers) {
  auto& words = *reinterpret_cast<berth::isolation::LaneWords*>(lane_of(answers));
  words.up[1] = {0, UINT32_MAX};
  words.to_engine.posted.fetch_add(1);
  sleep_milliseconds(600'000);
}

size_t place(const berth_call* call) { return std::min<size_t>(12, call->count - 1); }

}  // namespace

void sleep_milliseconds(long milliseconds) {
  timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (nanosleep(&left, &left) != 0) {
  }
}

berth_code common_faults(const Plugin& plugin, const char* where, const berth_text_sink* error) {
  const std::string name = where;
  if (ask_services_of_run(plugin, name, error)) return BERTH_ERROR;
  if (plugin.fault == name + " throws") throw std::runtime_error("bad luck");
  if (plugin.fault == name + " throws a number") throw 7;
  if (plugin.fault == name + " sleeps") sleep_milliseconds(400);
  if (plugin.fault == name + " sleeps long") sleep_milliseconds(5000);
  if (plugin.fault == name + " returns 9") return 9;
  if (plugin.fault == name + " crashes") raise(SIGKILL);
  if (plugin.fault == name + " exits") syscall(SYS_exit_group, 3);
  if (plugin.fault == name + " hangs") sleep_milliseconds(600'000);
  if (plugin.fault == name + " wants memory" && gets_much_memory()) {
    say(error, "a gibibyte is there");
    return BERTH_ERROR;
  }
  if (plugin.fault == name + " tells what it can do") {
    say(error, abilities().c_str());
    return BERTH_ERROR;
  }
  if (plugin.fault == name + " fails") {
    if (error != nullptr) say(error, "the rack is on fire");
    return BERTH_ERROR;
  }
  if (plugin.fault == name + " fails silently") return BERTH_ERROR;
  return BERTH_SUCCESS;
}

// True if the fault is that the hook writes nothing to its output arrays.
bool writes_nothing(const Plugin& plugin, const char* where) {
  return plugin.fault == std::string(where) + " writes nothing";
}

void fill_codes(const Plugin& plugin, const char* where, const berth_call* call, uint8_t* codes,
                uint8_t value) {
  if (writes_nothing(plugin, where)) return;
  std::fill_n(codes, call->count, value);
  long long planted = 0;
  if (number(plugin, where, planted)) codes[place(call)] = static_cast<uint8_t>(planted);
}

namespace hooks {

berth_code prepare(berth_plugin* plugin, const berth_template* pod, berth_prepared* prepared) {
  Plugin& self = of(plugin);
  if (self.is("prepare sets unknown flags")) prepared->flags = 8;
  if (self.is("prepare sets something reserved")) prepared->reserved = 7;
  if (self.is("prepare passes")) prepared->flags = BERTH_PREPARED_PASSES;
  if (self.is("score crashes")) {
    // The array has another address when the state is made again.
    const std::vector<uint32_t> namespaces = {1};
    const berth_pod_term term = {sizeof term, 0, namespaces.data(), namespaces.size(), 0, 0};
    self.counts->term(self.host, &term);
  }
  if (self.is("prepare asks for an unknown column") &&
      self.columns->find(self.host, text("pod.lable:example.com/rack")) == 0) {
    const char* words = "no such column";
    pod->error->write(pod->error->context, text(words));
    return BERTH_ERROR;
  }
  const char* column = nullptr;
  if (self.is("prepare narrows")) column = "node.label:disk";
  if (self.is("prepare reads what is not declared")) column = "node.ports";
  if (column != nullptr) {
    self.prepared_inputs = {self.columns->find(self.host, text(column))};
  } else if (self.is("prepare reads what there is not")) {
    self.prepared_inputs = {4711};
  }
  if (!self.prepared_inputs.empty()) {
    prepared->inputs = self.prepared_inputs.data();
    prepared->input_count = 1;
  }
  const berth_code code = common_faults(self, "prepare", pod->error);
  if (code == BERTH_SUCCESS) prepared->state = new int(7);
  return code;
}

void release(berth_plugin* plugin, void* state) {
  delete static_cast<int*>(state);
  common_faults(of(plugin), "release", nullptr);
}

void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
              const berth_text_sink* sink) {
  common_faults(of(plugin), "describe", call->error);
  if (of(plugin).is("describe says too much")) {
    sink->write(sink->context, {"the rack", uint64_t{1} << 62});
    sink->write(sink->context, {nullptr, 5});
  }
  for (uint32_t i = 0; i < reason; ++i) say(sink, i == 0 ? "the rack is full" : "the rack is hot");
}

berth_code check(berth_plugin* plugin, const berth_call* call, uint8_t* codes, uint32_t* reasons) {
  fill_codes(of(plugin), "pre_enqueue", call, codes, BERTH_SUCCESS);
  std::fill_n(reasons, call->count, 0u);
  return common_faults(of(plugin), "pre_enqueue", call->error);
}

berth_code keys(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]) {
  const Plugin& self = of(plugin);
  for (uint64_t i = 0; i < call->count; ++i) {
    if (i == 7 && self.is("keys leaves one out")) continue;
    if (self.is("keys are the filling")) {
      const uint64_t halves[] = {0x9E37'79B9'7F4A'7C15, 0x9E37'79B9'7F4A'7C15};
      std::memcpy(keys[i], halves, sizeof halves);
      continue;
    }
    const bool half = i == 7 && self.is("keys writes half of one");
    std::fill_n(keys[i], half ? 8 : 16, static_cast<uint8_t>(i));
  }
  return common_faults(of(plugin), "queue_sort", call->error);
}

// A key of one byte that is as before the first call, or as before the second.
uint8_t byte_of_filling(uint64_t position) { return position % 2 == 0 ? 0x15 : 0xEA; }

berth_code wide_keys(berth_plugin* plugin, const berth_call* call, uint8_t* keys) {
  const Plugin& self = of(plugin);
  const uint32_t bytes = self.queue_sort.wide_key_bytes;
  for (uint64_t i = 0; i < call->count; ++i) {
    if (i == 7 && self.fault.ends_with("leaves one out")) continue;
    const bool end = i == 7 && self.fault.ends_with("leaves the end");
    const bool filled = self.fault.ends_with("are the filling");
    std::fill_n(keys + i * bytes, end ? bytes - 8 : bytes,
                filled ? byte_of_filling(i) : static_cast<uint8_t>(i));
  }
  return common_faults(of(plugin), "wide_keys", call->error);
}

uint32_t actions(berth_plugin* plugin, uint32_t kind) {
  common_faults(of(plugin), "actions", nullptr);
  if (of(plugin).is("actions unknown")) return 4096;
  if (of(plugin).is("actions whatever")) return BERTH_DID_WHATEVER;
  return kind == BERTH_ON_NODE ? BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL : 0;
}

berth_code hint(berth_plugin* plugin, const berth_call* call, const berth_event*, uint8_t* queue) {
  if (writes_nothing(of(plugin), "hint")) return BERTH_SUCCESS;
  long long planted = 1;
  number(of(plugin), "hint", planted);
  *queue = static_cast<uint8_t>(planted);
  return common_faults(of(plugin), "hint", call->error);
}

berth_code pre_filter(berth_plugin* plugin, const berth_call* call,
                      berth_pre_filter_result* result) {
  Plugin& self = of(plugin);
  long long code = 0;
  if (number(self, "pre_filter", code)) result->code = static_cast<berth_code>(code);
  if (self.is("pre_filter reports")) {
    say(call->error, "no such rack");
    result->code = BERTH_ERROR;
  }
  if (number(self, "pre_filter narrows", code)) result->narrows = static_cast<uint32_t>(code);
  if (self.is("pre_filter names 2 without prepare")) {
    self.node_names = {1, 2};
    result->narrows = 1;
    result->node_names = self.node_names.data();
    result->node_name_count = 2;
  }
  if (number(self, "pre_filter names", code)) {
    self.node_names = {1, static_cast<uint32_t>(code)};
    result->narrows = 1;
    result->node_names = self.node_names.data();
    result->node_name_count = 2;
  }
  if (self.is("pre_filter names nothing at length")) {
    result->narrows = 1;
    result->node_name_count = 3;
  }
  return common_faults(self, "pre_filter", call->error);
}

berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  const Plugin& self = of(plugin);
  if (self.is("filter interns")) self.strings->intern(self.host, text("rack-7"));
  fill_codes(self, "filter", call, verdicts, BERTH_SUCCESS);
  return common_faults(of(plugin), "filter", call->error);
}

berth_code reasons(berth_plugin* plugin, const berth_call* call, uint32_t* reasons) {
  std::fill_n(reasons, call->count, 5u);
  return common_faults(of(plugin), "reasons", call->error);
}

berth_code numbers(berth_plugin* plugin, const berth_call* call, const berth_numbers_sink* sink) {
  const Plugin& self = of(plugin);
  sink->number(sink->context, text("before an item"), 1, BERTH_UNIT_ONE);
  sink->item(sink->context, text("rack"));
  sink->number(sink->context, text("free"), -3, BERTH_UNIT_BYTES);
  sink->text(sink->context, {nullptr, 5}, text("hot"));
  sink->term(sink->context, text("wanted"), self.is("numbers names no term") ? 4711 : 1);
  sink->pods(sink->context, text("in the way"), 2, 99);
  if (self.is("numbers has a unit of its own"))
    sink->number(sink->context, text("heat"), 1, BERTH_UNIT_BYTES + 1);
  if (self.is("numbers does not end"))
    for (int i = 0; i < 20000; ++i) sink->item(sink->context, text("rack"));
  return common_faults(self, "numbers", call->error);
}

berth_code post_filter(berth_plugin* plugin, const berth_call* call, const uint8_t*, uint64_t,
                       berth_nomination* nomination) {
  long long value = BERTH_UNSCHEDULABLE;
  number(of(plugin), "post_filter", value);
  nomination->code = static_cast<berth_code>(value);
  if (number(of(plugin), "post_filter node", value)) {
    nomination->code = BERTH_SUCCESS;
    nomination->node = static_cast<uint32_t>(value);
  }
  if (of(plugin).is("post_filter sets something reserved")) nomination->reserved = 7;
  if (of(plugin).is("post_filter victims")) nomination->victim_count = 3;
  return common_faults(of(plugin), "post_filter", call->error);
}

berth_code pre_score(berth_plugin* plugin, const berth_call* call, const berth_feasible*,
                     berth_pre_score_result* result) {
  long long code = 0;
  if (number(of(plugin), "pre_score", code)) result->code = static_cast<berth_code>(code);
  if (of(plugin).is("pre_score sets something reserved")) result->reserved = 7;
  return common_faults(of(plugin), "pre_score", call->error);
}

berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  if (writes_nothing(of(plugin), "score")) return BERTH_SUCCESS;
  std::fill_n(raw, call->count, int64_t{0});
  long long planted = 0;
  if (number(of(plugin), "score", planted)) raw[place(call)] = planted;
  if (of(plugin).is("score sends garbage")) send_garbage(raw);
  if (of(plugin).is("score writes to another lane"))
    lane_of(raw)[2 * berth::isolation::kLaneBytes] = std::byte{1};
  return common_faults(of(plugin), "score", call->error);
}

berth_code normalise_own(berth_plugin* plugin, uint64_t count, const int64_t* raw, int64_t, int64_t,
                         int64_t* final) {
  if (writes_nothing(of(plugin), "normalise")) return BERTH_SUCCESS;
  for (uint64_t i = 0; i < count; ++i)
    final[i] = of(plugin).is("normalise too high") ? 101 : raw[i];
  return common_faults(of(plugin), "normalise", nullptr);
}

// Adds what the state holds.
berth_code normalise_pod(berth_plugin* plugin, const berth_call* call, const int64_t* raw, int64_t,
                         int64_t, int64_t* final) {
  const int64_t more = call->state != nullptr ? 1 : 0;
  for (uint64_t i = 0; i < call->count; ++i) final[i] = raw[i] + more;
  return common_faults(of(plugin), "normalise_pod", call->error);
}

berth_code reserve(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                   uint32_t* reasons) {
  fill_codes(of(plugin), "reserve", call, codes, BERTH_SUCCESS);
  std::fill_n(reasons, call->count, 0u);
  return common_faults(of(plugin), "reserve", call->error);
}

void unreserve(berth_plugin* plugin, const berth_call* call) {
  common_faults(of(plugin), "unreserve", call->error);
}

berth_code permit(berth_plugin* plugin, const berth_call* call, uint8_t* codes, uint32_t* reasons,
                  int64_t* timeout_nanoseconds) {
  fill_codes(of(plugin), "permit", call, codes, BERTH_SUCCESS);
  std::fill_n(reasons, call->count, 0u);
  if (of(plugin).is("permit waits without end"))
    std::fill_n(codes, call->count, uint8_t{BERTH_WAIT});
  else
    std::fill_n(timeout_nanoseconds, call->count, of(plugin).is("permit 4") ? -1 : 0);
  return common_faults(of(plugin), "permit", call->error);
}

berth_code pre_flight(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  fill_codes(of(plugin), "pre_flight", call, codes, BERTH_SUCCESS);
  return common_faults(of(plugin), "pre_flight", call->error);
}

berth_code pre_bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  fill_codes(of(plugin), "pre_bind", call, codes, BERTH_SUCCESS);
  return common_faults(of(plugin), "pre_bind", call->error);
}

berth_code pre_bind_or_wait(berth_plugin* plugin, const berth_call* call,
                            const int64_t* waited_nanoseconds, uint8_t* codes,
                            int64_t* again_nanoseconds) {
  Plugin& self = of(plugin);
  fill_codes(self, "pre_bind_or_wait", call, codes, BERTH_WAIT);
  for (uint64_t i = 0; i < call->count; ++i)
    again_nanoseconds[i] =
        self.is("pre_bind_or_wait asks for the past") ? -1 : waited_nanoseconds[i] + 1;
  return common_faults(self, "pre_bind_or_wait", call->error);
}

berth_code bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  const Plugin& self = of(plugin);
  if (self.is("bind interns")) self.strings->intern(self.host, text("rack-7"));
  if (self.is("bind looks up a column")) self.columns->find(self.host, text("node.name"));
  if (self.is("bind reads a text")) self.strings->text(self.host, 1);
  fill_codes(of(plugin), "bind", call, codes, BERTH_SUCCESS);
  return common_faults(of(plugin), "bind", call->error);
}

void post_bind(berth_plugin* plugin, const berth_call* call) {
  common_faults(of(plugin), "post_bind", call->error);
}

void bound(berth_plugin* plugin, const berth_call* call) {
  common_faults(of(plugin), "bound", call->error);
}

void changed(berth_plugin* plugin, const berth_call* call) {
  common_faults(of(plugin), "changed", call->error);
}

void left(berth_plugin* plugin, const berth_call* call) {
  common_faults(of(plugin), "left", call->error);
}

void node_left(berth_plugin* plugin, uint64_t count, const uint32_t* nodes) {
  if (of(plugin).is("node_left sees the nodes") && count == 2 && nodes[1] == 7)
    throw std::runtime_error("two nodes");
  common_faults(of(plugin), "node_left", nullptr);
}

void* begin(berth_plugin* plugin, const void*) {
  common_faults(of(plugin), "begin", nullptr);
  return of(plugin).is("begin returns nothing") ? nullptr : new int(0);
}

berth_code add_pod(berth_plugin* plugin, void* scratch, const berth_call* pod, uint32_t) {
  ++*static_cast<int*>(scratch);
  return common_faults(of(plugin), "add_pod", pod->error);
}

berth_code remove_pod(berth_plugin* plugin, void* scratch, const berth_call* pod, uint32_t) {
  --*static_cast<int*>(scratch);
  return common_faults(of(plugin), "remove_pod", pod->error);
}

void reset(berth_plugin*, void* scratch, const void*) { *static_cast<int*>(scratch) = 0; }

void end(berth_plugin*, void* scratch) { delete static_cast<int*>(scratch); }

}  // namespace hooks

}  // namespace faulty
