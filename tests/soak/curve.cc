#include "tests/soak/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/assert.h"

namespace berth::soak {

Verdict judge(const std::vector<Sample>& samples, double most_percent, uint64_t slack) {
  BERTH_ASSERT(!samples.empty());
  const uint64_t pods = samples.back().pods;
  uint64_t largest[4] = {};
  for (const Sample& sample : samples) {
    uint64_t& of_quarter = largest[sample.pods == 0 ? 0 : (sample.pods - 1) * 4 / pods];
    of_quarter = std::max(of_quarter, sample.bytes);
  }
  Verdict verdict{.second = largest[1], .third = largest[2], .fourth = largest[3]};
  BERTH_ASSERT(verdict.second > 0 && verdict.third > 0 && verdict.fourth > 0);
  const auto step = [](uint64_t from, uint64_t to) {
    return static_cast<double>(to) - static_cast<double>(from);
  };
  const double growth = std::max(
      0.0, 2 * std::min(step(verdict.second, verdict.third), step(verdict.third, verdict.fourth)));
  verdict.level = growth <= static_cast<double>(verdict.second) * most_percent / 100 +
                                static_cast<double>(slack);
  verdict.bytes_per_pod = growth / (static_cast<double>(pods) / 2);
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
