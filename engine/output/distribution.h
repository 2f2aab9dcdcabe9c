#pragma once

// Summarises a histogram in a few numbers, and writes them as JSON.

#include <concepts>
#include <cstdint>
#include <string_view>

#include "engine/base/histogram.h"

namespace berth::output {

// Quantiles are upper bounds, off by less than 1/32 of their value.
struct Distribution {
  uint64_t count = 0;
  double min = 0, mean = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0, max = 0;
};

// `in_unit(value)`: a counted value, or the mean of such, in the unit of the result.
template <std::invocable<double> InUnit>
Distribution distribution(const Histogram& of, InUnit&& in_unit) {
  const auto value = [&](uint64_t counted) { return in_unit(static_cast<double>(counted)); };
  return {.count = of.count(),
          .min = value(of.minimum()),
          .mean = in_unit(of.mean()),
          .p50 = value(of.quantile(0.5)),
          .p90 = value(of.quantile(0.9)),
          .p99 = value(of.quantile(0.99)),
          .p999 = value(of.quantile(0.999)),
          .max = value(of.maximum())};
}

// A member that is an object with all of it. `Json`: JsonWriter or PrettyJsonWriter.
template <typename Json>
void write_distribution(Json& json, std::string_view name, const Distribution& of) {
  json.object(name, [&] {
    json.member("count", of.count);
    json.member("min", of.min);
    json.member("mean", of.mean);
    json.member("p50", of.p50);
    json.member("p90", of.p90);
    json.member("p99", of.p99);
    json.member("p999", of.p999);
    json.member("max", of.max);
  });
}

}  // namespace berth::output
