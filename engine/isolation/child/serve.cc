#include "engine/isolation/child/serve.h"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "engine/host/calls/checks/guard.h"
#include "engine/host/run/kept.h"
#include "engine/isolation/channel/calls.h"
#include "engine/isolation/channel/message.h"
#include "engine/isolation/channel/tables.h"
#include "engine/isolation/child/plugin_lane.h"
#include "engine/isolation/child/services.h"
#include "engine/isolation/child/stray_calls.h"
#include "engine/isolation/child/stub.h"

namespace berth::isolation {
namespace {

// One instance of the plugin: what the engine calls Request::instance.
struct Made {
  explicit Made(const host::Library& library) : host(library.name()) {}

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
  // In the place of what the plugin wrote.
  void set(std::string_view text) {
    texts_.clear();
    bytes_ = 0;
    write(this, abi_text(text));
  }
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

struct Nothing {};

// One call: the request, what the plugin is passed, and the result that goes back.
class Served {
 public:
  Served(const host::Library& library, PluginLane& lane, Request& request)
      : library_(library), request_(request), kind_(request.kind), lane_(lane) {
    request_.call.error = texts_.sink();
  }

  void run() {
    EndOfCall end = {BERTH_SUCCESS, 0, Refused::kNothing, 0, 0, 0};
    lane_.call_now().keeps = keeps();
    try {
      end.code = dispatch();
    } catch (const std::exception& exception) {
      end.threw = 1;
      texts_.set(exception.what());
    } catch (...) {
      end.threw = 2;
    }
    // Before, there is no host that hears of it.
    const bool begun = kind_ != Call::kValidate && kind_ != Call::kCreate;
    if (begun && kind_ != Call::kDestroy) take_metrics();
    const std::vector<StrayCalls::Stray> strays =
        begun ? StrayCalls::take() : std::vector<StrayCalls::Stray>();
    end.refused = lane_.call_now().refused;
    end.metrics = static_cast<uint32_t>(metrics_.size());
    end.strays = static_cast<uint32_t>(strays.size());
    Writer message;
    message.put(end);
    for (const MetricChange& change : metrics_) message.put(change);
    for (const auto& [number, text] : strays) {
      message.put(number);
      message.text(text);
    }
    texts_.put(message);
    message.append(result_.bytes().data(), result_.bytes().size());
    lane_.end(message);
  }

 private:
  Made& made() { return *reinterpret_cast<Made*>(request_.instance); }
  berth_plugin* plugin() { return made().plugin; }
  // Of the call's extension point; a hook is that of the table.
  template <typename Table>
  const Table& table() {
    const void* table = made().tables[request_.point];
    if constexpr (std::is_same_v<Table, berth_hook>)
      return *static_cast<const TableHead*>(table)->hook;
    else
      return *static_cast<const Table*>(table);
  }

  berth_code dispatch();
  template <auto kMember, size_t... kAt>
  berth_code call_member(std::index_sequence<kAt...>);
  template <auto... kMembers>
  static constexpr auto members(Functions<kMembers...>) {
    return std::array{+[](Served& self) {
      return self.call_member<kMembers>(typename Signature<kMembers>::Indices());
    }...};
  }

  // The kept answers of the function, by the plugin's own declaration.
  host::Keeps keeps() {
    if (kind_ == kCall<&berth_hook::prepare>) return host::Keeps::kStates;
    if (kind_ < Call::kFunction || kind_ == kCall<&berth_hook::release> ||
        kind_ == kCall<&berth_hints::actions>)
      return host::Keeps::kNoHook;
    return host::kept_of(static_cast<Point>(request_.point), table<berth_hook>().depends);
  }
  void take_metrics() { made().host.metrics().take(metrics_); }

  berth_code create();
  berth_code put_table();
  void put_hook(const berth_hook* hook);

  // An argument of a function.
  template <size_t kAt, typename T, typename Filled>
  T argument([[maybe_unused]] Filled& filled) {
    [[maybe_unused]] const uint64_t given = request_.arguments[kAt];
    if constexpr (std::is_same_v<T, berth_plugin*>)
      return plugin();
    else if constexpr (std::is_same_v<T, Filled*>)
      return &filled;
    else if constexpr (std::is_same_v<T, const berth_call*>)
      return &request_.call;
    else if constexpr (std::is_same_v<T, const berth_text_sink*>)
      return texts_.sink();
    else if constexpr (std::is_same_v<T, const berth_numbers_sink*>)
      return &kAsking<berth_numbers_sink>;
    else if constexpr (std::is_same_v<T, const berth_template*>)
      return shown_template(given);
    else if constexpr (std::is_same_v<T, const berth_event*>)
      return known_event(given);
    else if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<T>(given);
    else
      return static_cast<T>(given);
  }
  const berth_template* shown_template(uint64_t given) {
    auto* pod = reinterpret_cast<berth_template*>(given);
    pod->error = texts_.sink();
    return pod;
  }
  const berth_event* known_event(uint64_t given) {
    const auto* event = reinterpret_cast<const berth_event*>(given);
    if (event->object_before != nullptr) lane_.know(event->object_before, request_.objects[0]);
    if (event->object_after != nullptr) lane_.know(event->object_after, request_.objects[1]);
    return event;
  }
  // The rest of a result behind the struct that the function filled.
  void put_rest(const Nothing&) {}
  void put_rest(const berth_pre_score_result&) {}
  void put_rest(const berth_prepared& made) {
    const bool named = made.inputs != nullptr && made.input_count <= kMostPassedInputs;
    result_.list(made.inputs, named ? made.input_count : 0);
  }
  void put_rest(const berth_pre_filter_result& made) {
    const bool named = made.narrows != 0 && made.node_names != nullptr;
    result_.list(made.node_names, named ? made.node_name_count : 0);
  }
  void put_rest(const berth_nomination& made) {
    result_.list(made.victims, made.victims != nullptr ? made.victim_count : 0);
  }

  const host::Library& library_;
  Request& request_;
  const Call kind_;
  PluginLane& lane_;
  Texts texts_;
  std::vector<MetricChange> metrics_;
  Writer result_;
};

berth_code Served::create() {
  auto instance = std::make_unique<Made>(library_);
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
  const berth_string id = {reinterpret_cast<const char*>(request_.arguments[0]),
                           request_.arguments[1]};
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

template <auto kMember, size_t... kAt>
berth_code Served::call_member(std::index_sequence<kAt...>) {
  using Signed = Signature<kMember>;
  using Parameters = typename Signed::Parameters;
  using Last = std::remove_pointer_t<std::tuple_element_t<sizeof...(kAt) - 1, Parameters>>;
  constexpr bool kFills = std::is_class_v<Last> && !std::is_const_v<Last>;
  std::conditional_t<kFills, Last, Nothing> filled = {};
  if constexpr (kFills) filled.size = sizeof filled;
  const auto call = [&] {
    return (table<typename Signed::Table>().*
            kMember)(argument<kAt, std::tuple_element_t<kAt, Parameters>>(filled)...);
  };
  if constexpr (std::is_void_v<typename Signed::Result>) {
    call();
    return BERTH_SUCCESS;
  } else {
    const auto result = call();
    if constexpr (kFills) result_.put(filled);
    put_rest(filled);
    if constexpr (std::is_same_v<decltype(result), const berth_code>) return result;
    result_.put(result);
    return BERTH_SUCCESS;
  }
}

berth_code Served::dispatch() {
  static constexpr auto kMembers = members(TableFunctions());
  switch (kind_) {
    case Call::kValidate:
      return library_.code().validate(&kAsking<berth_config>);
    case Call::kCreate:
      return create();
    case Call::kInit:
      made().host.set_profile(
          {reinterpret_cast<const char*>(request_.arguments[0]), request_.arguments[1]});
      made().host.epochs().use(*reinterpret_cast<MarksWord*>(request_.arguments[2]));
      return library_.code().init(plugin(), made().host.host(), &kAsking<berth_config>,
                                  texts_.sink());
    case Call::kTable:
      return put_table();
    case Call::kDestroy: {
      const std::unique_ptr<Made> instance(&made());
      library_.code().destroy(instance->plugin);
      take_metrics();
      return BERTH_SUCCESS;
    }
    default:
      return kMembers[static_cast<uint32_t>(kind_) - static_cast<uint32_t>(Call::kFunction)](*this);
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
