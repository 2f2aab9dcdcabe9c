// Parses `arrivals`.

#include <fmt/format.h>

#include <algorithm>

#include "loadgen/workload/parse/parse_distribution.h"
#include "loadgen/workload/parse/parse_parts.h"

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr uint64_t kMostPods = uint64_t{1} << 40;
constexpr int64_t kMostAtOnce = 10'000'000;
constexpr double kLeastRate = 1e-6;
constexpr double kMostRate = 1e8;
constexpr int64_t kDay = 86'400'000'000'000;
// Limits of a daily curve. The steeper it is, the more candidates are drawn and rejected.
constexpr size_t kMostPoints = 1440;
constexpr double kHighestPoint = 1e9;

// Relative request rates of an office day, one per hour from midnight.
constexpr double kOfficeDay[] = {30, 24, 20,  18,  18,  22, 35, 55, 80, 100, 110, 108,
                                 95, 98, 112, 118, 112, 98, 82, 70, 60, 52,  44,  36};

}  // namespace

void WorkloadParser::at_once(Value value, ArrivalSpec& spec) {
  spec.kind = ArrivalKind::kAtOnce;
  Fields(value, context_).done();
}

void WorkloadParser::rate(Value value, ArrivalSpec& spec) {
  Fields in(value, context_);
  if (!in.has("rate")) in.missing("rate", "is missing: arrivals a second");
  spec.rate = in.real("rate", kLeastRate, kMostRate, 1);
  in.done();
}

void WorkloadParser::bursts(Value value, ArrivalSpec& spec) {
  spec.kind = ArrivalKind::kBursts;
  Fields in(value, context_);
  spec.every = distribution(in, "every", Unit::kDuration, kShortestInterval);
  spec.burst = distribution(in, "size", Unit::kCount, 1, kMostAtOnce);
  if (!in.has("every")) in.missing("every", "is missing: time from burst to burst");
  if (!in.has("size")) in.missing("size", "is missing: how many come at once");
  in.done();
}

void WorkloadParser::daily(Value value, ArrivalSpec& spec) {
  spec.kind = ArrivalKind::kDaily;
  Fields in(value, context_);
  if (!in.has("rate")) in.missing("rate", "is missing: arrivals a second, over the whole day");
  spec.rate = in.real("rate", kLeastRate, kMostRate, 1);
  spec.period = in.duration("period", kShortestInterval, kDay);
  for (const Value point : in.list("curve"))
    spec.curve.push_back(context_.real(point, 0, kHighestPoint).value_or(1));
  if (!in.has("curve")) spec.curve.assign(std::begin(kOfficeDay), std::end(kOfficeDay));
  const bool usable = spec.curve.size() <= kMostPoints &&
                      std::ranges::any_of(spec.curve, [](double point) { return point > 0; });
  if (!usable)
    context_.report(in.at("curve"),
                    fmt::format("expected 1 to {} rates of which one is above 0", kMostPoints));
  in.done();
}

void WorkloadParser::closed_loop(Value value, ArrivalSpec& spec) {
  spec.kind = ArrivalKind::kClosedLoop;
  Fields in(value, context_);
  if (!in.has("outstanding")) in.missing("outstanding", "is missing: how many pods wait at a time");
  spec.outstanding = in.count("outstanding", 1, kMostOutstanding, 1);
  in.done();
}

void WorkloadParser::replay(Value value, ArrivalSpec& spec) {
  spec.kind = ArrivalKind::kReplay;
  Fields in(value, context_);
  int64_t before = 0;
  for (const Value time : in.list("times")) {
    const int64_t at = context_.amount(time, Unit::kDuration, before).value_or(before);
    spec.times.push_back(at);
    before = at;
  }
  const std::string file = in.text("file");
  if (in.has("file") == in.has("times"))
    context_.report(in.value(),
                    "expected `times`, a list in ascending order, or `file`, with one "
                    "time a line");
  if (!file.empty()) {
    const size_t slash = spec_.file.rfind('/');
    const bool beside = !file.starts_with('/') && slash != std::string::npos;
    spec.times_file = beside ? spec_.file.substr(0, slash + 1) + file : file;
  }
  in.done();
}

void WorkloadParser::arrival_kind(Fields& in, ArrivalSpec& spec) {
  int kinds = 0;
  const auto kind = [&](std::string_view name, auto&& parse) {
    const Value value = in.at(name);
    if (!value.present()) return;
    ++kinds;
    parse(value);
  };
  kind("atOnce", [&](Value value) { at_once(value, spec); });
  kind("constant", [&](Value value) {
    spec.kind = ArrivalKind::kConstant;
    rate(value, spec);
  });
  kind("poisson", [&](Value value) {
    spec.kind = ArrivalKind::kPoisson;
    rate(value, spec);
  });
  kind("bursts", [&](Value value) { bursts(value, spec); });
  kind("daily", [&](Value value) { daily(value, spec); });
  kind("closedLoop", [&](Value value) { closed_loop(value, spec); });
  kind("replay", [&](Value value) { replay(value, spec); });
  if (kinds != 1)
    context_.report(in.value(), fmt::format("expected one of atOnce, constant, poisson, bursts, "
                                            "daily, closedLoop and replay, found {} of them",
                                            kinds));
}

void WorkloadParser::arrival(Value value) {
  Fields in(value, context_);
  ArrivalSpec spec;
  spec.templates = choice(in);
  spec.pods = in.count("pods", 0, kMostPods, UINT64_MAX);
  if (!in.has("pods")) spec.pods = UINT64_MAX;
  spec.start = in.duration("start", 0, 0);
  if (in.has("duration")) {
    const int64_t lasting = in.duration("duration", 0, 0);
    spec.stop = std::min(kNever, spec.start + lasting);
  }
  spec.measured = in.boolean("measured", true);
  spec.lifetime = distribution(in, "lifetime", Unit::kDuration, 0);
  if (Fields jobs = in.object("jobs"); jobs.present()) {
    spec.job_pods = distribution(jobs, "pods", Unit::kCount, 1, kMostAtOnce);
    if (!jobs.has("pods")) jobs.missing("pods", "is missing: how many pods a Job has");
    jobs.done();
  }
  arrival_kind(in, spec);
  in.done();
  const bool closed = spec.kind == ArrivalKind::kClosedLoop;
  if (closed && spec.lifetime)
    context_.report(in.at("lifetime"), "a closed loop has no clock that a lifetime could go by");
  if (closed && spec.job_pods)
    context_.report(in.at("jobs"), "in a closed loop single pods arrive, not Jobs");
  if ((closed || spec.kind == ArrivalKind::kAtOnce) && !in.has("pods"))
    in.missing("pods", "is missing: how many pods arrive");
  if (closed || spec.job_pods) check_usage(value, spec.templates);
  if (spec.pods == 0) return;
  spec_.arrivals.push_back(std::move(spec));
}

void WorkloadParser::arrivals(std::vector<Value> list) {
  for (const Value value : list) arrival(value);
}

}  // namespace berth::loadgen
