#include "tests/soak/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/assert.h"

namespace berth::soak {

Verdict judge(const std::vector<Sample>& samples, double most_percent, uint64_t slack) {
  BERTH_ASSERT(!samples.empty());
  const uint64_t middle = samples.back().pods / 2;
  Verdict verdict;
  for (const Sample& sample : samples) {
    uint64_t& largest = sample.pods <= middle ? verdict.first_half : verdict.second_half;
    largest = std::max(largest, sample.bytes);
  }
  BERTH_ASSERT(verdict.first_half > 0 && verdict.second_half > 0);
  const double growth =
      static_cast<double>(verdict.second_half) - static_cast<double>(verdict.first_half);
  const double most =
      static_cast<double>(verdict.first_half) * most_percent / 100 + static_cast<double>(slack);
  verdict.level = growth <= most;
  verdict.bytes_per_pod = std::max(growth, 0.0) / static_cast<double>(samples.back().pods - middle);
  return verdict;
}

std::string table(const std::vector<Sample>& samples) {
  std::string text = "        pods  memory MB  bytes/pod\n";
  const Sample* before = nullptr;
  for (const Sample& sample : samples) {
    fmt::format_to(std::back_inserter(text), "{:>12} {:>10.1f}", sample.pods,
                   static_cast<double>(sample.bytes) / 1e6);
    if (before != nullptr && sample.pods > before->pods) {
      fmt::format_to(std::back_inserter(text), " {:>10.1f}",
                     (static_cast<double>(sample.bytes) - static_cast<double>(before->bytes)) /
                         static_cast<double>(sample.pods - before->pods));
    }
    text += '\n';
    before = &sample;
  }
  return text;
}

}  // namespace berth::soak
