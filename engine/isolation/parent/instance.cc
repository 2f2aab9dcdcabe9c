#include "engine/isolation/parent/instance.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/run/kept.h"
#include "engine/isolation/channel/tables.h"
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
    host::Refusal::note(*function, refused == Refused::kClock ? "clock.now" : "random.bits");
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

// The code of a call that has ended; throws what the plugin threw. Leaves the result.
berth_code take_end(Reader& message, const berth_host* host, const berth_text_sink* sink) {
  const auto end = message.get<EndOfCall>();
  take_refusal(end.refused);
  take_metrics(message, end.metrics, host);
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

berth_code end_of(LaneCall& lane, Reader& result, const berth_host* host,
                  const berth_text_sink* sink) {
  return parsed(lane, [&] { return take_end(result, host, sink); });
}

void put_moment(Request& request, const berth_host* host) {
  const host::HostServices& services = host::HostServices::of(host);
  if (services.environment().moment == nullptr) return;
  const host::Moment& moment = services.moment();
  request.now = moment.now;
  request.random = services.random_state(moment);
}

namespace {

berth_code run(LaneCall& lane, Call kind, Answers& answers, const berth_host* host,
               const berth_text_sink* sink, Reader& result) {
  result = lane.run(kind, answers);
  return end_of(lane, result, host, sink);
}

}  // namespace

InstanceCall::InstanceCall(IsolatedInstance& instance, Point point, const State* state)
    : instance_(instance),
      lane_(instance.plugin().process(), instance.plugin().options().deadline),
      answers_(instance.services(), lane_, arena_) {
  instance.make_here(lane_);
  arena_ = instance.arena();
  if (state != nullptr) state_there_ = instance.make_state_here(lane_, *state);
  request_ = &lane_.begin(instance.there(), number(point));
  put_moment(*request_, instance.services().host);
}

void InstanceCall::put(const berth_call& call) {
  put_call(lane_, arena_, call, request_->call);
  request_->call.state = reinterpret_cast<const void*>(state_there_);
}

Reader InstanceCall::run(Call kind, const berth_text_sink* sink, berth_code& code) {
  Reader result = lane_.run(kind, answers_);
  code = end_of(lane_, result, instance_.services().host, sink);
  return result;
}

void IsolatedInstance::log(const std::string& text) const {
  const host::HostServices& services = host::HostServices::of(services_.host);
  services.environment().log.write(BERTH_LOG_ERROR, services.plugin(), text);
}

MappedArena IsolatedInstance::arena() const {
  const uint64_t there = columns_there_.load(std::memory_order_relaxed);
  if (columns_ == nullptr || there == 0) return {};
  return {columns_->region(), columns_->reserved(), there};
}

bool IsolatedInstance::create_in(LaneCall& lane, Answers& answers) {
  lane.begin(0, 0);
  Reader result({});
  run(lane, Call::kCreate, answers, services_.host, nullptr, result);
  const auto there = parsed(lane, [&] { return result.get<uint64_t>(); });
  if (there == 0) return false;
  map_columns(lane.process());
  there_.store(there, std::memory_order_relaxed);
  return true;
}

void IsolatedInstance::map_columns(Process& process) {
  if (columns_ == nullptr) return;
  const uint64_t there = process.map_columns(columns_->descriptor(), columns_->reserved());
  if (there == 0) {
    process.end("was ended, because it could not map the columns of the cluster");
    throw ProcessFailure(process.obituary());
  }
  columns_there_.store(there, std::memory_order_relaxed);
}

bool IsolatedInstance::create() {
  LaneCall lane(plugin_.process(), plugin_.options().deadline);
  const MappedArena no_arena;
  HostAnswers answers(services_, lane, no_arena);
  if (!create_in(lane, answers)) return false;
  generation_.store(lane.process().generation(), std::memory_order_release);
  return true;
}

berth_code IsolatedInstance::init(const berth_host* host, const berth_config* config,
                                  const berth_text_sink* error) {
  services_.host = host;
  const Arena& columns = host::HostServices::of(host).environment().model.cluster().arena();
  if (columns.descriptor() >= 0) columns_ = &columns;
  LaneCall lane(plugin_.process(), plugin_.options().deadline);
  if (generation_ == lane.process().generation()) map_columns(lane.process());
  make_here(lane);
  const MappedArena arena = this->arena();
  HostAnswers answers(services_, lane, arena);
  answers.set_config(config);
  answers.set_record(&asked_);
  lane.begin(there_, 0);
  Reader result({});
  const berth_code code = run(lane, Call::kInit, answers, services_.host, error, result);
  initialised_ = true;
  return code;
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
  Reader result({});
  run(lane, Call::kTable, answers, services_.host, nullptr, result);
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
  LaneCall lane(plugin_.process(), plugin_.options().deadline);
  make_here(lane);
  const MappedArena arena = this->arena();
  HostAnswers answers(services_, lane, arena);
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

void IsolatedInstance::make_here(LaneCall& lane) {
  if (generation_.load(std::memory_order_acquire) == lane.process().generation()) return;
  const MutexLock lock(mutex_);
  if (generation_.load(std::memory_order_relaxed) == lane.process().generation()) return;
  try {
    make_again(lane);
  } catch (const std::exception& failure) {
    lane.process().end("was ended, because it could not be set up again");
    plugin_.start_failed(failure.what());
    throw ProcessFailure(std::string("could not be set up again: ") + failure.what());
  }
  plugin_.start_succeeded();
  const std::string obituary = plugin_.take_obituary();
  if (!obituary.empty() && services_.host != nullptr)
    log("the plugin's process " + obituary + "; another one was started");
}

void IsolatedInstance::make_again(LaneCall& lane) {
  RecordedAnswers answers(asked_, asked_, services_);
  if (!create_in(lane, answers)) throw ProcessFailure("made no instance");
  if (initialised_) {
    lane.begin(there_, 0);
    Reader result({});
    if (run(lane, Call::kInit, answers, services_.host, nullptr, result) != BERTH_SUCCESS)
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
}

void IsolatedInstance::destroy() {
  const std::shared_ptr<Process> process = plugin_.living();
  if (process == nullptr || process->generation() != generation_) return;
  LaneCall lane(process, plugin_.options().deadline);
  const MappedArena arena = this->arena();
  HostAnswers answers(services_, lane, arena);
  lane.begin(there_, 0);
  const auto unmap = [&] {
    if (arena.size != 0) process->unmap_columns(arena.there, arena.size);
  };
  try {
    Reader result({});
    run(lane, Call::kDestroy, answers, services_.host, nullptr, result);
  } catch (...) {
    unmap();
    throw;
  }
  unmap();
}

berth_code IsolatedInstance::prepare(Point point, const berth_template& pod,
                                     berth_prepared& prepared) {
  InstanceCall call(*this, point);
  auto state = std::make_unique<State>();
  state->kind = State::Kind::kTemplate;
  state->point = point;
  call.answers().set_record(&state->record);
  auto* shown = call.lane().make<berth_template>(1);
  *shown = pod;
  shown->error = nullptr;
  shown->columns = put_columns(call.lane(), arena(), pod.columns, pod.column_count);
  call.request().arguments[1] = call.lane().address(shown);
  berth_code code = BERTH_SUCCESS;
  Reader result = call.run(kCall<&berth_hook::prepare>, pod.error, code);
  parsed(call.lane(), [&] {
    const auto answer = result.get<berth_prepared>();
    state->inputs = result.list<uint32_t>();
    prepared.flags = answer.flags;
    prepared.reserved = answer.reserved;
    prepared.input_count = answer.input_count;
    state->narrowed = answer.inputs != nullptr;
    state->there = reinterpret_cast<uint64_t>(answer.state);
    // Of more inputs than a hook may have, none came; the count is refused.
    if (state->inputs.size() != answer.input_count && answer.input_count <= kMostPassedInputs &&
        state->narrowed)
      throw BadMessage("the inputs of a state do not match their number");
    return 0;
  });
  state->flags = prepared.flags;
  state->generation = call.lane().process().generation();
  // The host copies the inputs before it calls again.
  static thread_local std::vector<uint32_t> inputs;
  inputs = state->inputs;
  inputs.emplace_back();
  prepared.inputs = state->narrowed ? inputs.data() : nullptr;
  prepared.state = nullptr;
  {
    const MutexLock lock(mutex_);
    asked_.add(state->record);
  }
  if (state->there == 0 || code != BERTH_SUCCESS) return code;
  state->pod = std::make_unique<SavedColumns>(pod.columns, pod.column_count);
  prepared.state = state.release();
  return code;
}

// Requires the mutex.
uint64_t IsolatedInstance::prepare_again(LaneCall& lane, const State& state) const {
  RecordedAnswers answers(state.record, asked_, services_);
  Request& request = lane.begin(there_, number(state.point));
  auto* shown = lane.make<berth_template>(1);
  const std::vector<berth_column>& columns = state.pod->columns();
  *shown = {sizeof *shown, static_cast<uint32_t>(columns.size()), nullptr, nullptr};
  shown->columns = put_columns(lane, {}, columns.data(), static_cast<uint32_t>(columns.size()));
  request.arguments[1] = lane.address(shown);
  Reader result({});
  const berth_code code =
      run(lane, kCall<&berth_hook::prepare>, answers, services_.host, nullptr, result);
  return parsed(lane, [&] {
    const auto answer = result.get<berth_prepared>();
    const auto inputs = result.list<uint32_t>();
    if (code != BERTH_SUCCESS || answer.state == nullptr || answer.flags != state.flags ||
        (answer.inputs != nullptr) != state.narrowed || inputs != state.inputs)
      throw ProcessFailure("prepared a pod's template otherwise than at first");
    return reinterpret_cast<uint64_t>(answer.state);
  });
}

uint64_t IsolatedInstance::make_state_here(LaneCall& lane, const State& state) {
  const uint64_t generation = lane.process().generation();
  if (state.generation.load(std::memory_order_acquire) == generation)
    return state.there.load(std::memory_order_relaxed);
  if (state.kind == State::Kind::kScratch)
    throw ProcessFailure("has lost what it knew of the row's pods when it was started again");
  const MutexLock lock(mutex_);
  if (state.generation.load(std::memory_order_relaxed) != generation) {
    auto& made = const_cast<State&>(state);
    made.there.store(prepare_again(lane, state), std::memory_order_relaxed);
    made.generation.store(generation, std::memory_order_release);
  }
  return state.there.load(std::memory_order_relaxed);
}

void IsolatedInstance::release(State& released) {
  const std::unique_ptr<State> state(&released);
  const std::shared_ptr<Process> process = plugin_.living();
  if (process == nullptr || process->generation() != state->generation) return;
  LaneCall lane(process, plugin_.options().deadline);
  const MappedArena no_arena;
  HostAnswers answers(services_, lane, no_arena);
  Request& request = lane.begin(there_, number(state->point));
  request.arguments[1] = state->there;
  Reader result({});
  run(lane, kCall<&berth_hook::release>, answers, services_.host, nullptr, result);
}

void* IsolatedInstance::begin_scratch(const State* base) {
  InstanceCall call(*this, Point::kOverlayState, base);
  call.request().arguments[1] = call.state_there();
  berth_code code = BERTH_SUCCESS;
  Reader result = call.run(kCall<&berth_overlay_state::begin>, nullptr, code);
  const auto there = parsed(call.lane(), [&] { return result.get<uint64_t>(); });
  if (there == 0) return nullptr;
  auto scratch = std::make_unique<State>();
  scratch->kind = State::Kind::kScratch;
  scratch->point = Point::kOverlayState;
  scratch->there = there;
  scratch->generation = call.lane().process().generation();
  return scratch.release();
}

void IsolatedInstance::end_scratch(State& ended) {
  const std::unique_ptr<State> scratch(&ended);
  const std::shared_ptr<Process> process = plugin_.living();
  if (process == nullptr || process->generation() != scratch->generation) return;
  InstanceCall call(*this, Point::kOverlayState, scratch.get());
  call.request().arguments[1] = call.state_there();
  berth_code code = BERTH_SUCCESS;
  call.run(kCall<&berth_overlay_state::end>, nullptr, code);
}

}  // namespace berth::isolation
