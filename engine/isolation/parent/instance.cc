#include "engine/isolation/parent/instance.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/host/instance/services/service_thread.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/run/kept.h"
#include "engine/isolation/channel/tables.h"
#include "engine/isolation/services/names.h"
#include "engine/isolation/tables/tables.h"

namespace berth::isolation {
namespace {

// Thrown for an exception of the plugin that was no std::exception.
struct UnknownException {};

uint32_t number(Point point) { return static_cast<uint32_t>(point); }

// The process says what it refused; that its function may not have asked is the call's failure.
void take_refusal(Refused refused) {
  if (refused == Refused::kNothing) return;
  if (refused != Refused::kClock && refused != Refused::kRandom)
    throw BadMessage("a service is not known");
  if (const host::PluginFunction* function = host::InPlugin::current())
    host::Refusal::note(*function, kRefusedCalls[static_cast<size_t>(refused)].function);
}

void take_metrics(Reader& message, uint32_t count, const berth_host* host) {
  if (count == 0) return;
  host::PluginMetrics* metrics = host != nullptr ? host::HostServices::of(host).metrics() : nullptr;
  if (metrics == nullptr) throw BadMessage("metrics of a plugin that has none");
  for (uint32_t i = 0; i < count; ++i) {
    const auto change = message.get<MetricChange>();
    if (!metrics->add(change.handle, change.value) &&
        !metrics->set(change.handle, static_cast<int64_t>(change.value)))
      throw BadMessage("a metric is not known");
  }
}

// The text that a plugin in this process would hear of the same call. It may read texts from any
// thread here, which has no lane there.
const char* allowed_for(uint32_t stray) {
  if (stray == static_cast<uint32_t>(kAsk<&berth_metrics_service::counter>) ||
      stray == static_cast<uint32_t>(kAsk<&berth_metrics_service::gauge>))
    return "metrics are made in init";
  if (stray == static_cast<uint32_t>(kAsk<&berth_external_service::epoch>))
    return "epochs are named in init";
  if (stray == static_cast<uint32_t>(kAsk<&berth_strings_service::text>))
    return "in a process of its own a plugin calls it from its functions";
  return "only the thread that owns the model may";
}

void log_stray(uint32_t stray, std::string_view text, const berth_host* host) {
  if (stray == static_cast<uint32_t>(Ask::kService)) return host::log_stray_lookup(host, text);
  if (stray >= kOwnStray) {
    const uint32_t own = stray - kOwnStray;
    if (own == 0 || own >= std::size(kRefusedCalls)) throw BadMessage("a refusal is not known");
    return host::log_stray(host, kRefusedCalls[own].function, kRefusedCalls[own].may);
  }
  const uint32_t function = stray - static_cast<uint32_t>(Ask::kFunction);
  if (function >= kFunctionCount) throw BadMessage("a refusal is not known");
  host::log_stray(host, function_name(function), allowed_for(stray));
}

void take_strays(Reader& message, uint32_t count, const berth_host* host) {
  if (count != 0 && host == nullptr) throw BadMessage("a refusal without a host");
  for (uint32_t i = 0; i < count; ++i) {
    const auto stray = message.get<uint32_t>();
    log_stray(stray, message.text(), host);
  }
}

// The code of a call that has ended; throws what the plugin threw. Leaves the result.
berth_code take_end(Reader& message, const berth_host* host, const berth_text_sink* sink) {
  const auto end = message.get<EndOfCall>();
  take_refusal(end.refused);
  take_metrics(message, end.metrics, host);
  take_strays(message, end.strays, host);
  const auto texts = message.get<uint64_t>();
  const auto take_text = [&]() -> berth_string {
    const auto size = message.get<uint64_t>();
    const bool there = message.get<uint32_t>() != 0;
    const std::string_view text = message.text();
    if (there && text.size() != std::min(size, kMostPassedText))
      throw BadMessage("a text has another size than it should");
    // Sinks read no more of a text than was passed.
    return {there ? text.data() : nullptr, size};
  };
  if (end.threw == 1) {
    const berth_string thrown = take_text();
    throw std::runtime_error(std::string(thrown.data, std::min(thrown.size, kMostPassedText)));
  }
  if (end.threw != 0) throw UnknownException();
  for (uint64_t i = 0; i < texts; ++i) {
    const berth_string text = take_text();
    if (sink != nullptr) sink->write(sink->context, text);
  }
  return end.code;
}

}  // namespace

Ended end_of(LaneCall& lane, Reader message, const berth_host* host, const berth_text_sink* sink) {
  const berth_code code = parsed(lane, [&] { return take_end(message, host, sink); });
  return {code, message};
}

void put_moment(Request& request, const berth_host* host) {
  const host::HostServices& services = host::HostServices::of(host);
  if (services.environment().moment == nullptr) return;
  const host::Moment& moment = services.moment();
  request.now = moment.now;
  request.random = services.random_state(moment);
}

InstanceCall::InstanceCall(IsolatedInstance& instance, Point point, const State* state)
    : instance_(instance),
      lane_(instance.process(), instance.plugin().options().deadline, instance.now()),
      answers_(instance.services(), lane_, instance.make_here(lane_)),
      state_there_(state != nullptr ? instance.make_state_here(lane_, *state) : 0),
      request_(&lane_.begin(instance.there(), number(point))) {
  put_moment(*request_, instance.services().host);
}

InstanceCall::InstanceCall(IsolatedInstance& instance, std::shared_ptr<Process> process,
                           Point point)
    : instance_(instance),
      lane_(std::move(process), instance.plugin().options().deadline),
      answers_(instance.services(), lane_, instance.arena()),
      request_(&lane_.begin(instance.there(), number(point))) {}

void InstanceCall::put(const berth_call& call) {
  put_call(lane_, answers_.arena(), call, request_->call);
  request_->call.state = reinterpret_cast<const void*>(state_there_);
}

Ended InstanceCall::run(Call kind, const berth_text_sink* sink) {
  return end_of(lane_, lane_.run(kind, answers_), instance_.services().host, sink);
}

IsolatedInstance::~IsolatedInstance() {
  if (host::InstanceEpochs* of = epochs()) of->set_far(nullptr);
  plugin_.give_number_back(number_);
}

host::InstanceEpochs* IsolatedInstance::epochs() const {
  return services_.host == nullptr ? nullptr : host::HostServices::of(services_.host).epochs();
}

bool IsolatedInstance::any() {
  const std::shared_ptr<Process> process = plugin_.living();
  return process != nullptr && process->marks(number_).load(std::memory_order_relaxed) != 0;
}

host::EpochMarks IsolatedInstance::take() {
  const std::shared_ptr<Process> process = plugin_.living();
  return process == nullptr ? 0 : process->marks(number_).exchange(0, std::memory_order_acquire);
}

std::optional<int64_t> IsolatedInstance::now() const {
  if (services_.host == nullptr) return {};
  const host::HostServices& services = host::HostServices::of(services_.host);
  if (services.environment().moment == nullptr) return {};
  return services.moment().now;
}

std::shared_ptr<Process> IsolatedInstance::process() const {
  const std::string name =
      services_.host != nullptr ? std::string(host::HostServices::of(services_.host).plugin()) : "";
  try {
    return plugin_.process(now(), name);
  } catch (const ProcessPauses& pause) {
    if (plugin_.pause_is_news()) log(process_text(pause));
    throw;
  }
}

std::shared_ptr<Process> IsolatedInstance::living(uint64_t generation) const {
  std::shared_ptr<Process> process = plugin_.living();
  return process != nullptr && process->generation() == generation ? process : nullptr;
}

Ended IsolatedInstance::run(LaneCall& lane, Call kind, Answers& answers,
                            const berth_text_sink* sink) const {
  return end_of(lane, lane.run(kind, answers), services_.host, sink);
}

MappedArena IsolatedInstance::arena() const {
  const uint64_t there = columns_there_.load(std::memory_order_relaxed);
  if (columns_ == nullptr || there == 0) return {};
  return {columns_->region(), columns_->reserved(), there};
}

bool IsolatedInstance::create_in(LaneCall& lane, Answers& answers) {
  lane.begin(0, 0);
  Ended ended = run(lane, Call::kCreate, answers);
  const auto there = parsed(lane, [&] { return ended.result.get<uint64_t>(); });
  if (there == 0) return false;
  map_columns(lane.process());
  lane.process().marks(number_).store(0, std::memory_order_relaxed);
  there_.store(there, std::memory_order_relaxed);
  return true;
}

void IsolatedInstance::map_columns(Process& process) {
  if (columns_ == nullptr) return;
  const uint64_t there = process.map_columns(columns_->descriptor(), columns_->reserved());
  if (there == 0)
    process.fail_call("was ended, because it could not map the columns of the cluster");
  columns_there_.store(there, std::memory_order_relaxed);
}

bool IsolatedInstance::create() {
  LaneCall lane(plugin_.process(), plugin_.options().deadline);
  HostAnswers answers(services_, lane, {});
  if (!create_in(lane, answers)) return false;
  generation_.store(lane.process().generation(), std::memory_order_release);
  return true;
}

// The request of `init` has the profile's name, and where the instance's marks are.
void IsolatedInstance::begin_init(LaneCall& lane) const {
  const std::string_view profile = host::HostServices::of(services_.host).profile();
  Request& request = lane.begin(there_, 0);
  request.arguments[0] = lane.address(lane.copy(profile.data(), profile.size()));
  request.arguments[1] = profile.size();
  request.arguments[2] = lane.process().marks_there(number_);
}

berth_code IsolatedInstance::init(const berth_host* host, const berth_config* config,
                                  const berth_text_sink* error) {
  services_.host = host;
  const Arena& columns = host::HostServices::of(host).environment().model.cluster().arena();
  if (columns.descriptor() >= 0) columns_ = &columns;
  LaneCall lane(process(), plugin_.options().deadline, now());
  if (generation_ == lane.process().generation()) map_columns(lane.process());
  HostAnswers answers(services_, lane, make_here(lane));
  answers.set_config(config);
  answers.set_record(&asked_);
  begin_init(lane);
  const Ended ended = run(lane, Call::kInit, answers, error);
  initialised_ = true;
  if (host::InstanceEpochs* of = epochs()) of->set_far(this);
  return ended.code;
}

void IsolatedInstance::read_hook(Table& table, Reader& result) {
  table.has_hook = result.get<uint32_t>() != 0;
  if (!table.has_hook) return;
  table.hook = result.get<berth_hook>();
  table.space = result.text();
  table.hook.space = {table.space.data(), table.space.size()};
  const bool named = table.hook.inputs != nullptr;
  const bool typed = table.hook.input_types != nullptr;
  table.hook.inputs = nullptr;
  table.hook.input_types = nullptr;
  if (!named) return;
  if (table.hook.input_count > kMostPassedInputs) throw BadMessage("a hook has too many inputs");
  for (uint32_t i = 0; i < table.hook.input_count; ++i) {
    const std::string& input = table.inputs.emplace_back(result.text());
    table.input_views.push_back({input.data(), input.size()});
  }
  table.input_views.emplace_back();  // so that no inputs are an array, too
  table.hook.inputs = table.input_views.data();
  if (!typed) return;
  table.input_types = result.list<uint32_t>();
  if (table.input_types.size() != table.hook.input_count)
    throw BadMessage("a hook has types that do not match its inputs");
  table.input_types.emplace_back();
  table.hook.input_types = table.input_types.data();
}

std::unique_ptr<IsolatedInstance::Table> IsolatedInstance::table_in(LaneCall& lane,
                                                                    Answers& answers,
                                                                    std::string_view id,
                                                                    Point point) const {
  Request& request = lane.begin(there_, number(point));
  request.arguments[0] = lane.address(lane.copy(id.data(), id.size()));
  request.arguments[1] = id.size();
  Reader result = run(lane, Call::kTable, answers).result;
  auto table = std::make_unique<Table>();
  table->id = id;
  const bool there = parsed(lane, [&] {
    if (result.get<uint32_t>() == 0) return false;
    const std::byte* raw = result.take(table_size(point));
    table->table.assign(raw, raw + table_size(point));
    read_hook(*table, result);
    return true;
  });
  if (!there) return nullptr;
  // A size beyond this build's table cannot be read here, and the functions there are not known.
  auto& head = *reinterpret_cast<TableHead*>(table->table.data());
  head.size = std::min(head.size, static_cast<uint32_t>(table_size(point)));
  head.hook = table->has_hook ? &table->hook : nullptr;
  if (table->has_hook)
    table->hook.size = std::min(table->hook.size, static_cast<uint32_t>(sizeof table->hook));
  replace_functions(point, table->table.data(), table->hook,
                    plugin_.options().on_failure == OnFailure::kSkip);
  return table;
}

const void* IsolatedInstance::extension(std::string_view id, Point point) {
  LaneCall lane(process(), plugin_.options().deadline, now());
  HostAnswers answers(services_, lane, make_here(lane));
  answers.set_record(&asked_);
  auto& table = tables_[static_cast<size_t>(point)];
  table = table_in(lane, answers, id, point);
  return table != nullptr ? table->table.data() : nullptr;
}

bool IsolatedInstance::same(const Table& a, const Table& b, Point point) {
  const auto flat = [&](const Table& table) {
    std::vector<std::byte> bytes = table.table;
    reinterpret_cast<TableHead*>(bytes.data())->hook = nullptr;
    BERTH_ASSERT(bytes.size() == table_size(point));
    return bytes;
  };
  const auto functions = [](const berth_hook& hook) {
    return std::tuple(hook.size, hook.depends, hook.reserved, hook.prepare, hook.release,
                      hook.describe);
  };
  return flat(a) == flat(b) && a.has_hook == b.has_hook && a.space == b.space &&
         a.inputs == b.inputs && a.input_types == b.input_types &&
         functions(a.hook) == functions(b.hook);
}

MappedArena IsolatedInstance::make_here(LaneCall& lane) {
  if (generation() == lane.process().generation()) return arena();
  const MutexLock lock(mutex_);
  if (generation() == lane.process().generation()) return arena();
  try {
    make_again(lane);
  } catch (const std::exception& failure) {
    lane.process().end("was ended, because it could not be set up again");
    plugin_.start_failed(failure.what());
    throw ProcessFailure(std::string("could not be set up again: ") + failure.what());
  }
  plugin_.start_succeeded();
  log_started(plugin_.take_ending());
  return arena();
}

void IsolatedInstance::make_again(LaneCall& lane) {
  RecordedAnswers answers(asked_, asked_, services_);
  if (!create_in(lane, answers)) throw ProcessFailure("made no instance");
  if (initialised_) {
    begin_init(lane);
    if (run(lane, Call::kInit, answers).code != BERTH_SUCCESS)
      throw ProcessFailure("did not initialise the instance");
  }
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i] == nullptr) continue;
    const auto point = static_cast<Point>(i);
    const auto table = table_in(lane, answers, tables_[i]->id, point);
    if (table == nullptr || !same(*table, *tables_[i], point))
      throw ProcessFailure("declares another " + std::string(point_name(point)) + " than at first");
  }
  generation_.store(lane.process().generation(), std::memory_order_release);
  // Its data are lost, and marks may be.
  if (host::InstanceEpochs* of = epochs()) of->raise_all();
}

void IsolatedInstance::destroy() {
  if (initialised_) log_ending(plugin_.take_last_ending(), "");  // else the error of init told it
  log_repeated();
  const std::shared_ptr<Process> process = living(generation_);
  if (process == nullptr) return;
  const auto unmap = [&] {
    const MappedArena mapped = arena();
    if (mapped.size != 0) process->unmap_columns(mapped.there, mapped.size);
  };
  try {
    LaneCall lane(process, plugin_.options().deadline);
    HostAnswers answers(services_, lane, arena());
    lane.begin(there_, 0);
    run(lane, Call::kDestroy, answers);
  } catch (...) {
    unmap();
    throw;
  }
  unmap();
}

IsolatedInstance::Prepared IsolatedInstance::prepare_in(LaneCall& lane, Answers& answers,
                                                        Request& request, const berth_template& pod,
                                                        const berth_text_sink* sink) const {
  auto* shown = lane.copy(&pod, 1);
  shown->error = nullptr;
  request.arguments[1] = lane.address(shown);
  Ended ended = run(lane, kCall<&berth_hook::prepare>, answers, sink);
  return parsed(lane, [&] {
    const auto made = ended.result.get<berth_prepared>();
    auto inputs = ended.result.list<uint32_t>();
    // Of more inputs than a hook may have, none came; the count is refused.
    if (made.inputs != nullptr && made.input_count <= kMostPassedInputs &&
        inputs.size() != made.input_count)
      throw BadMessage("the inputs of a state do not match their number");
    return Prepared{ended.code, made, std::move(inputs)};
  });
}

berth_code IsolatedInstance::prepare(Point point, const berth_template& pod,
                                     berth_prepared& prepared) {
  InstanceCall call(*this, point);
  auto state = std::make_unique<State>();
  state->point = point;
  call.answers().set_record(&state->record);
  berth_template shown = pod;
  shown.columns = put_columns(call.lane(), call.answers().arena(), pod.columns, pod.column_count);
  const auto [code, made, inputs_made] =
      prepare_in(call.lane(), call.answers(), call.request(), shown, pod.error);
  state->flags = made.flags;
  state->narrowed = made.inputs != nullptr;
  state->inputs = inputs_made;
  state->there = reinterpret_cast<uint64_t>(made.state);
  state->generation = call.lane().process().generation();
  // The host copies the inputs before it calls again.
  static thread_local std::vector<uint32_t> inputs;
  inputs = state->inputs;
  inputs.emplace_back();
  prepared = {prepared.size,    made.flags,    state->narrowed ? inputs.data() : nullptr,
              made.input_count, made.reserved, nullptr};
  {
    const MutexLock lock(mutex_);
    for (const auto& [question, answer] : state->record) asked_.insert_or_assign(question, answer);
  }
  if (made.state == nullptr || code != BERTH_SUCCESS) return code;
  state->pod = std::make_unique<SavedColumns>(pod.columns, pod.column_count);
  prepared.state = state.release();
  return code;
}

// Requires the mutex.
uint64_t IsolatedInstance::prepare_again(LaneCall& lane, const State& state) const {
  RecordedAnswers answers(state.record, asked_, services_);
  Request& request = lane.begin(there_, number(state.point));
  const std::vector<berth_column>& columns = state.pod->columns();
  const auto count = static_cast<uint32_t>(columns.size());
  const berth_template shown = {sizeof shown, count, put_columns(lane, {}, columns.data(), count),
                                nullptr};
  const auto [code, made, inputs] = prepare_in(lane, answers, request, shown, nullptr);
  if (code != BERTH_SUCCESS || made.state == nullptr || made.flags != state.flags ||
      (made.inputs != nullptr) != state.narrowed || inputs != state.inputs)
    throw ProcessFailure("prepared a pod's template otherwise than at first");
  return reinterpret_cast<uint64_t>(made.state);
}

uint64_t IsolatedInstance::make_state_here(LaneCall& lane, const State& state) {
  const uint64_t generation = lane.process().generation();
  if (state.generation.load(std::memory_order_acquire) == generation)
    return state.there.load(std::memory_order_relaxed);
  if (state.pod == nullptr)
    throw ProcessFailure("has lost what it knew of the row's pods when it was started again");
  const MutexLock lock(mutex_);
  if (state.generation.load(std::memory_order_relaxed) != generation) {
    auto& made = const_cast<State&>(state);
    made.there.store(prepare_again(lane, state), std::memory_order_relaxed);
    made.generation.store(generation, std::memory_order_release);
  }
  return state.there.load(std::memory_order_relaxed);
}

void* IsolatedInstance::begin_scratch(const State* base) {
  InstanceCall call(*this, Point::kOverlayState, base);
  call.request().arguments[1] = call.state_there();
  Ended ended = call.run(kCall<&berth_overlay_state::begin>);
  const auto there = parsed(call.lane(), [&] { return ended.result.get<uint64_t>(); });
  if (there == 0) return nullptr;
  auto scratch = std::make_unique<State>();
  scratch->point = Point::kOverlayState;
  scratch->there = there;
  scratch->generation = call.lane().process().generation();
  return scratch.release();
}

void IsolatedInstance::end(Call function, State& ended) {
  const std::unique_ptr<State> state(&ended);
  std::shared_ptr<Process> process = living(state->generation);
  if (process == nullptr) return;
  InstanceCall call(*this, std::move(process), state->point);
  // A scratch ends in a cycle; a state may outlive the moments.
  if (state->pod == nullptr) put_moment(call.request(), services_.host);
  call.request().arguments[1] = state->there;
  call.run(function);
}

}  // namespace berth::isolation
