#include "bench/macro/measure/trace.h"

#include <rapidjson/stringbuffer.h>

#include <algorithm>
#include <functional>

#include "engine/document/json/json_writer.h"

namespace berth::bench {
namespace {

using document::JsonWriter;

constexpr size_t kBytesPerWrite = size_t{1} << 20;

// Traces use microseconds.
double microseconds(Trace::Time::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

// Writes events to the sink through a buffer.
class Events {
 public:
  explicit Events(ByteSink& sink) : sink_(sink) {}

  template <typename Members>
  void event(std::string_view phase, std::string_view name, uint64_t thread, Members&& members) {
    rapidjson::StringBuffer buffer;
    JsonWriter json(buffer);
    json.SetMaxDecimalPlaces(3);
    json.StartObject();
    json.member("ph", phase);
    json.member("name", name);
    json.member("pid", uint64_t{1});
    json.member("tid", thread);
    members(json);
    json.EndObject();
    text_ += first_ ? "\n" : ",\n";
    first_ = false;
    text_.append(buffer.GetString(), buffer.GetSize());
    if (text_.size() >= kBytesPerWrite) flush();
  }

  void span(std::string_view name, std::string_view category, uint64_t thread, double begin,
            double duration, const std::function<void(JsonWriter&)>& arguments) {
    event("X", name, thread, [&](JsonWriter& json) {
      json.member("cat", category);
      json.member("ts", begin);
      json.member("dur", duration);
      json.key("args");
      json.StartObject();
      arguments(json);
      json.EndObject();
    });
  }

  void name_thread(uint64_t thread, const std::string& name) {
    event("M", "thread_name", thread, [&](JsonWriter& json) {
      json.key("args");
      json.StartObject();
      json.member("name", name);
      json.EndObject();
    });
  }

  void raw(std::string_view text) { text_ += text; }
  void flush() {
    sink_.write(std::string_view(text_));
    text_.clear();
  }

 private:
  ByteSink& sink_;
  std::string text_;
  bool first_ = true;
};

}  // namespace

host::CallLog* Trace::add_thread() {
  calls_.push_back(std::make_unique<host::CallLog>(most_));
  return calls_.back().get();
}

void Trace::cycle(std::string_view namespace_name, std::string_view pod, const char* outcome,
                  Time begin, Time end) {
  if (cycles_.size() >= most_) {
    ++dropped_;
    return;
  }
  std::string name(namespace_name);
  name += '/';
  name += pod;
  cycles_.push_back({std::move(name), outcome, 0, begin, end});
}

void Trace::bindings(size_t count, Time begin, Time end) {
  if (cycles_.size() >= most_) {
    ++dropped_;
    return;
  }
  cycles_.push_back({"bind", nullptr, count, begin, end});
}

uint64_t Trace::dropped() const {
  uint64_t dropped = dropped_;
  for (const auto& log : calls_) dropped += log->dropped();
  return dropped;
}

void Trace::write(const host::HookTable& hooks, ByteSink& sink) const {
  Time origin = Time::max();
  for (const Span& span : cycles_) origin = std::min(origin, span.begin);
  for (const auto& log : calls_)
    for (const host::CallLog::Call& call : log->calls()) origin = std::min(origin, call.begin);

  Events events(sink);
  events.raw("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped_events\":\"" +
             std::to_string(dropped()) + "\"},\"traceEvents\":[");
  for (size_t thread = 0; thread < calls_.size(); ++thread)
    events.name_thread(thread + 1, thread == 0 ? "decisions" : "worker " + std::to_string(thread));
  // A batch that is bound within a cycle ends before the cycle, so sort by begin.
  std::vector<const Span*> in_order;
  for (const Span& span : cycles_) in_order.push_back(&span);
  std::ranges::stable_sort(in_order, {}, &Span::begin);
  for (const Span* at : in_order) {
    const Span& span = *at;
    events.span(span.name, span.outcome == nullptr ? "binding" : "cycle", 1,
                microseconds(span.begin - origin), microseconds(span.end - span.begin),
                [&](JsonWriter& json) {
                  if (span.outcome == nullptr)
                    json.member("pods", span.count);
                  else
                    json.member("outcome", span.outcome);
                });
  }
  for (size_t thread = 0; thread < calls_.size(); ++thread)
    for (const host::CallLog::Call& call : calls_[thread]->calls()) {
      const host::HookTable::Name name = hooks.name(call.hook);
      events.span(name.plugin + " " + name.hook, name.hook, thread + 1,
                  microseconds(call.begin - origin), microseconds(call.end - call.begin),
                  [](JsonWriter&) {});
    }
  events.raw("\n]}\n");
  events.flush();
}

}  // namespace berth::bench
