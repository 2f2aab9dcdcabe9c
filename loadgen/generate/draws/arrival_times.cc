#include "loadgen/generate/draws/arrival_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/base/error.h"
#include "loadgen/generate/draws/draws.h"
#include "loadgen/workload/fields/fields.h"

namespace berth::loadgen {
namespace {

constexpr double kSecond = 1e9;
constexpr size_t kLongestLine = 1000;
constexpr size_t kBuffer = size_t{1} << 16;

}  // namespace

bool TimesFile::read_line(std::string& line) {
  line.clear();
  for (;;) {
    if (at_ == buffer_.size()) {
      buffer_.resize(kBuffer);
      buffer_.resize(source_.read(buffer_));
      at_ = 0;
      if (buffer_.empty()) return !line.empty();
    }
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto end = std::find(begin, buffer_.end(), uint8_t{'\n'});
    line.append(begin, end);
    at_ = static_cast<size_t>(end - buffer_.begin());
    if (end != buffer_.end()) {
      ++at_;
      return true;
    }
    if (line.size() <= kLongestLine) continue;
    if (!line.starts_with('#')) return true;
    line.resize(1);  // the rest of a comment is not needed
  }
}

int64_t TimesFile::next() {
  std::string line;
  while (read_line(line)) {
    ++line_;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    std::optional<int64_t> time;
    if (line.size() <= kLongestLine) time = parse_duration(line);
    if (time && *time >= before_) return before_ = *time;
    if (line.size() > 40) line = line.substr(0, 40) + "...";
    throw Error(
        Place{.file = source_.name(), .line = line_, .column = 1, .field = {}},
        fmt::format("expected {}, found {}",
                    time ? "a time not before that of the line above" : "a time such as 1.25s",
                    line));
  }
  return kNever;
}

ArrivalTimes::ArrivalTimes(const ArrivalSpec& spec, uint64_t seed, uint32_t of)
    : spec_(spec), seed_(seed), of_(of), next_(spec.start) {
  if (!spec.times_file.empty()) file_ = std::make_unique<TimesFile>(spec.times_file);
  if (spec.kind == ArrivalKind::kDaily) {
    const double sum = std::accumulate(spec.curve.begin(), spec.curve.end(), 0.0);
    highest_ = *std::ranges::max_element(spec.curve);
    peak_ = spec.rate * highest_ * static_cast<double>(spec.curve.size()) / sum;
  }
  advance();
  if (next_ >= spec_.stop) next_ = kNever;
}

void ArrivalTimes::pop() {
  ++index_;
  advance();
  if (next_ >= spec_.stop) next_ = kNever;
}

// Clamped so that a very low rate gives kNever.
int64_t ArrivalTimes::poisson_gap() {
  const double rate = spec_.kind == ArrivalKind::kDaily ? peak_ : spec_.rate;
  const double gap = exponential(drawn(seed_, For::kGap, of_, candidates_++)) * kSecond / rate;
  return static_cast<int64_t>(std::min(gap, static_cast<double>(kNever)));
}

// Thinning: candidates arrive at the peak rate, and each is accepted with the ratio of the rate at
// `time` to the peak rate. The rate is interpolated linearly between the curve's points; the last
// point is followed by the first.
bool ArrivalTimes::counts_at(int64_t time) {
  const auto points = static_cast<double>(spec_.curve.size());
  const double at =
      static_cast<double>(time % spec_.period) / static_cast<double>(spec_.period) * points;
  const size_t point = std::min(static_cast<size_t>(at), spec_.curve.size() - 1);
  const double part = at - static_cast<double>(point);
  const double here = spec_.curve[point];
  const double there = spec_.curve[(point + 1) % spec_.curve.size()];
  const double rate = here + (there - here) * part;
  return unit_interval(drawn(seed_, For::kThin, of_, candidates_)) * highest_ < rate;
}

void ArrivalTimes::thin() {
  do {
    next_ = std::min(kNever, next_ + poisson_gap());
  } while (next_ < spec_.stop && next_ < kNever && !counts_at(next_));
}

void ArrivalTimes::advance() {
  switch (spec_.kind) {
    case ArrivalKind::kAtOnce:
    case ArrivalKind::kClosedLoop:
      return;
    case ArrivalKind::kConstant: {
      // Computed from the start, so that rounding errors do not accumulate.
      const double since = static_cast<double>(index_) * kSecond / spec_.rate;
      next_ = since >= static_cast<double>(kNever - spec_.start)
                  ? kNever
                  : spec_.start + static_cast<int64_t>(since);
      return;
    }
    case ArrivalKind::kPoisson:
      next_ = std::min(kNever, next_ + poisson_gap());
      return;
    case ArrivalKind::kBursts:
      if (left_in_burst_ > 1) {
        --left_in_burst_;
        return;
      }
      if (bursts_ != 0)
        next_ = std::min(kNever, next_ + spec_.every->draw(drawn(seed_, For::kGap, of_, bursts_)));
      left_in_burst_ =
          static_cast<uint64_t>(spec_.burst->draw(drawn(seed_, For::kBurst, of_, bursts_++)));
      return;
    case ArrivalKind::kDaily:
      thin();
      return;
    case ArrivalKind::kReplay:
      if (file_) {
        const int64_t time = file_->next();
        next_ = time >= kNever - spec_.start ? kNever : spec_.start + time;
      } else {
        next_ = index_ < spec_.times.size() ? std::min(kNever, spec_.start + spec_.times[index_])
                                            : kNever;
      }
      return;
  }
}

}  // namespace berth::loadgen
