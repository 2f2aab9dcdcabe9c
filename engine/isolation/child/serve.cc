#include "engine/isolation/child/serve.h"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "berth/abi/volumes.h"
#include "engine/base/assert.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/run/kept.h"
#include "engine/isolation/channel/calls.h"
#include "engine/isolation/channel/message.h"
#include "engine/isolation/channel/tables.h"
#include "engine/isolation/child/asking.h"
#include "engine/isolation/child/plugin_lane.h"
#include "engine/isolation/child/services.h"

namespace berth::isolation {
namespace {

// One instance of the plugin: what the engine calls Request::instance.
struct Made {
  berth_plugin* plugin = nullptr;
  PluginHost host;
  std::array<const void*, kPointCount> tables{};
};

// Collects what the plugin writes to the sink of a call.
class Texts {
 public:
  Texts() : sink_{sizeof sink_, 0, this, write} {}
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;
  const berth_text_sink* sink() const { return &sink_; }
  void put(Writer& out) const {
    out.put(uint64_t{texts_.size()});
    for (const auto& [size, text] : texts_) {
      out.put(size);
      out.put(uint32_t{text.has_value()});
      out.text(text.value_or(std::string()));
    }
  }

 private:
  static constexpr size_t kMostTexts = 4096, kMostBytes = 4 << 20;

  static void write(void* context, berth_string text) noexcept {
    auto& self = *static_cast<Texts*>(context);
    if (self.texts_.size() == kMostTexts) return;
    const uint64_t size = text.data != nullptr ? std::min(text.size, kMostPassedText) : 0;
    if (self.bytes_ + size > kMostBytes) return;
    self.bytes_ += size;
    auto& [said, copy] = self.texts_.emplace_back(text.size, std::nullopt);
    if (text.data != nullptr) copy.emplace(text.data, size);
  }

  berth_text_sink sink_;
  // The size that the plugin gave, and up to kMostPassedText bytes of what is there.
  std::vector<std::pair<uint64_t, std::optional<std::string>>> texts_;
  size_t bytes_ = 0;
};

// One call: the request, what the plugin is passed, and the result that goes back.
class Served {
 public:
  Served(const host::Library& library, PluginLane& lane, Request& request)
      : library_(library), request_(request), kind_(request.kind), lane_(lane) {
    request_.call.error = texts_.sink();
  }

  void run() {
    EndOfCall end = {BERTH_SUCCESS, 0, Refused::kNothing, 0};
    std::string thrown;
    lane_.call_now().keeps = keeps();
    try {
      end.code = dispatch();
    } catch (const std::exception& exception) {
      end.threw = 1;
      thrown = exception.what();
    } catch (...) {
      end.threw = 2;
    }
    if (kind_ != Call::kValidate && kind_ != Call::kCreate && kind_ != Call::kDestroy)
      take_metrics();
    end.refused = lane_.call_now().refused;
    end.metrics = static_cast<uint32_t>(metrics_.size());
    Writer message;
    message.put(end);
    for (const MetricChange& change : metrics_) message.put(change);
    if (end.threw != 0) {
      message.put(uint64_t{1});
      message.put(uint64_t{thrown.size()});
      message.put(uint32_t{1});
      message.text(thrown);
    } else {
      texts_.put(message);
      message.append(result_.bytes().data(), result_.bytes().size());
    }
    lane_.end(message);
  }

 private:
  template <typename T>
  T* at(size_t place) {
    return reinterpret_cast<T*>(request_.places[place]);
  }
  Made& made() { return *reinterpret_cast<Made*>(request_.instance); }
  berth_plugin* plugin() { return made().plugin; }
  const berth_call* call() { return &request_.call; }
  uint64_t number(size_t i) const { return request_.numbers[i]; }
  void* pointer(size_t i) const { return reinterpret_cast<void*>(request_.numbers[i]); }
  template <typename Table>
  const Table& table() {
    return *static_cast<const Table*>(made().tables[request_.point]);
  }
  const berth_hook& hook() { return *table<TableHead>().hook; }

  berth_code dispatch();
  berth_code dispatch_life();
  berth_code dispatch_queue();
  berth_code dispatch_rows();
  berth_code dispatch_binding();
  berth_code dispatch_overlay();

  // The kept answers of the function, by the plugin's own declaration.
  host::Keeps keeps() {
    if (kind_ == Call::kPrepare) return host::Keeps::kStates;
    if (kind_ < Call::kDescribe || kind_ == Call::kHintActions) return host::Keeps::kNoHook;
    return host::kept_of(static_cast<Point>(request_.point), hook().depends);
  }
  void take_metrics() { made().host.take_metrics(metrics_); }

  berth_code create();
  berth_code put_table();
  void put_hook(const berth_hook* hook);
  berth_code prepare();
  berth_code hint();
  berth_code pre_filter();
  berth_code post_filter();
  berth_code pre_score();

  const host::Library& library_;
  Request& request_;
  const Call kind_;
  PluginLane& lane_;
  Texts texts_;
  std::vector<MetricChange> metrics_;
  Writer result_;
};

berth_code Served::create() {
  auto instance = std::make_unique<Made>();
  instance->plugin = library_.code().create();
  result_.put(instance->plugin != nullptr ? reinterpret_cast<uint64_t>(instance.release()) : 0);
  return BERTH_SUCCESS;
}

void Served::put_hook(const berth_hook* hook) {
  result_.put(uint32_t{hook != nullptr});
  if (hook == nullptr) return;
  berth_hook whole = {};
  std::memcpy(&whole, hook, std::min<size_t>(hook->size, sizeof whole));
  const bool named = whole.inputs != nullptr && whole.input_count <= kMostPassedInputs;
  if (!named) whole.inputs = nullptr;
  if (!named || !BERTH_HAS(hook, input_types)) whole.input_types = nullptr;
  result_.put(whole);
  result_.text(whole.space);
  if (!named) return;
  for (uint32_t i = 0; i < whole.input_count; ++i) result_.text(whole.inputs[i]);
  if (whole.input_types != nullptr) result_.list(whole.input_types, whole.input_count);
}

berth_code Served::put_table() {
  const berth_string id = {at<const char>(0), number(0)};
  const void* table = library_.code().extension(plugin(), id);
  result_.put(uint32_t{table != nullptr});
  if (table == nullptr) return BERTH_SUCCESS;
  made().tables[request_.point] = table;
  const size_t size = table_size(static_cast<Point>(request_.point));
  const auto& head = *static_cast<const TableHead*>(table);
  std::vector<std::byte> whole(size);
  std::memcpy(whole.data(), table, std::min<size_t>(head.size, size));
  result_.append(whole.data(), size);
  put_hook(BERTH_HAS(&head, hook) ? head.hook : nullptr);
  return BERTH_SUCCESS;
}

berth_code Served::prepare() {
  berth_prepared prepared = {};
  prepared.size = sizeof prepared;
  auto& pod = *at<berth_template>(0);
  pod.error = texts_.sink();
  const berth_code code = hook().prepare(plugin(), &pod, &prepared);
  const bool named = prepared.inputs != nullptr && prepared.input_count <= kMostPassedInputs;
  result_.put(prepared);
  result_.list(prepared.inputs, named ? prepared.input_count : 0);
  return code;
}

berth_code Served::hint() {
  const auto& event = *at<berth_event>(0);
  if (event.object_before != nullptr)
    lane_.know(event.object_before, static_cast<uint32_t>(number(0)));
  if (event.object_after != nullptr)
    lane_.know(event.object_after, static_cast<uint32_t>(number(1)));
  return table<berth_hints>().hint(plugin(), call(), &event, at<uint8_t>(1));
}

berth_code Served::pre_filter() {
  berth_pre_filter_result answer = {};
  answer.size = sizeof answer;
  const berth_code code = table<berth_pre_filter>().pre_filter(plugin(), call(), &answer);
  result_.put(answer);
  const bool named = answer.narrows != 0 && answer.node_names != nullptr;
  result_.list(answer.node_names, named ? answer.node_name_count : 0);
  return code;
}

berth_code Served::post_filter() {
  berth_nomination answer = {};
  answer.size = sizeof answer;
  const berth_code code = table<berth_post_filter>().post_filter(
      plugin(), call(), at<const uint8_t>(0), number(0), &answer);
  result_.put(answer);
  result_.list(answer.victims, answer.victims != nullptr ? answer.victim_count : 0);
  return code;
}

berth_code Served::pre_score() {
  berth_pre_score_result answer = {};
  answer.size = sizeof answer;
  const berth_code code =
      table<berth_pre_score>().pre_score(plugin(), call(), at<const berth_feasible>(0), &answer);
  result_.put(answer);
  return code;
}

berth_code Served::dispatch() {
  if (kind_ <= Call::kDescribe) return dispatch_life();
  if (kind_ <= Call::kHint) return dispatch_queue();
  if (kind_ <= Call::kScoreNumbers) return dispatch_rows();
  if (kind_ <= Call::kPostBind) return dispatch_binding();
  return dispatch_overlay();
}

berth_code Served::dispatch_life() {
  switch (kind_) {
    case Call::kValidate:
      return library_.code().validate(plugin_config());
    case Call::kCreate:
      return create();
    case Call::kInit:
      return library_.code().init(plugin(), made().host.host(), plugin_config(), texts_.sink());
    case Call::kTable:
      return put_table();
    case Call::kDestroy: {
      const std::unique_ptr<Made> instance(&made());
      library_.code().destroy(instance->plugin);
      take_metrics();
      return BERTH_SUCCESS;
    }
    case Call::kPrepare:
      return prepare();
    case Call::kRelease:
      hook().release(plugin(), pointer(0));
      return BERTH_SUCCESS;
    default:
      BERTH_ASSERT(kind_ == Call::kDescribe);
      hook().describe(plugin(), call(), static_cast<uint32_t>(number(0)), texts_.sink());
      return BERTH_SUCCESS;
  }
}

berth_code Served::dispatch_queue() {
  switch (kind_) {
    case Call::kPreEnqueue:
      return table<berth_pre_enqueue>().check(plugin(), call(), at<uint8_t>(0), at<uint32_t>(1));
    case Call::kQueueKeys:
      return table<berth_queue_sort>().keys(plugin(), call(), at<uint8_t[16]>(0));
    case Call::kHintActions:
      result_.put(table<berth_hints>().actions(plugin(), static_cast<uint32_t>(number(0))));
      return BERTH_SUCCESS;
    default:
      BERTH_ASSERT(kind_ == Call::kHint);
      return hint();
  }
}

berth_code Served::dispatch_rows() {
  switch (kind_) {
    case Call::kPreFilter:
      return pre_filter();
    case Call::kFilter:
      return table<berth_filter>().filter(plugin(), call(), at<uint8_t>(0));
    case Call::kFilterReasons:
      return table<berth_filter>().reasons(plugin(), call(), at<uint32_t>(0));
    case Call::kFilterNumbers:
      return table<berth_filter>().numbers(plugin(), call(), plugin_numbers_sink());
    case Call::kPostFilter:
      return post_filter();
    case Call::kPreScore:
      return pre_score();
    case Call::kScore:
      return table<berth_score>().score(plugin(), call(), at<int64_t>(0));
    case Call::kNormalise:
      return table<berth_score>().normalise_own(plugin(), number(0), at<const int64_t>(0),
                                                static_cast<int64_t>(number(1)),
                                                static_cast<int64_t>(number(2)), at<int64_t>(1));
    default:
      BERTH_ASSERT(kind_ == Call::kScoreNumbers);
      return table<berth_score>().numbers(plugin(), call(), plugin_numbers_sink());
  }
}

berth_code Served::dispatch_binding() {
  switch (kind_) {
    case Call::kReserve:
      return table<berth_reserve>().reserve(plugin(), call(), at<uint8_t>(0), at<uint32_t>(1));
    case Call::kUnreserve:
      table<berth_reserve>().unreserve(plugin(), call());
      return BERTH_SUCCESS;
    case Call::kPermit:
      return table<berth_permit>().permit(plugin(), call(), at<uint8_t>(0), at<uint32_t>(1),
                                          at<int64_t>(2));
    case Call::kPreFlight:
      return table<berth_pre_bind>().pre_flight(plugin(), call(), at<uint8_t>(0));
    case Call::kPreBind:
      return table<berth_pre_bind>().pre_bind(plugin(), call(), at<uint8_t>(0));
    case Call::kPreBindOrWait:
      return table<berth_pre_bind>().pre_bind_or_wait(plugin(), call(), at<const int64_t>(0),
                                                      at<uint8_t>(1), at<int64_t>(2));
    case Call::kBind:
      return table<berth_bind>().bind(plugin(), call(), at<uint8_t>(0));
    default:
      BERTH_ASSERT(kind_ == Call::kPostBind);
      table<berth_post_bind>().post_bind(plugin(), call());
      return BERTH_SUCCESS;
  }
}

berth_code Served::dispatch_overlay() {
  const auto& state = table<berth_overlay_state>();
  const auto row = static_cast<uint32_t>(number(1));
  switch (kind_) {
    case Call::kOverlayBegin:
      result_.put(reinterpret_cast<uint64_t>(state.begin(plugin(), pointer(0))));
      return BERTH_SUCCESS;
    case Call::kOverlayAdd:
      return state.add_pod(plugin(), pointer(0), call(), row);
    case Call::kOverlayRemove:
      return state.remove_pod(plugin(), pointer(0), call(), row);
    case Call::kOverlayReset:
      state.reset(plugin(), pointer(0), pointer(1));
      return BERTH_SUCCESS;
    default:
      BERTH_ASSERT(kind_ == Call::kOverlayEnd);
      state.end(plugin(), pointer(0));
      return BERTH_SUCCESS;
  }
}

}  // namespace

void serve(const host::Library& library, std::byte* memory, uint32_t number) {
  PluginLane lane(memory, number);
  lane.serve_here();
  for (;;) {
    Request& request = lane.next_call();
    Served(library, lane, request).run();
  }
}

}  // namespace berth::isolation
