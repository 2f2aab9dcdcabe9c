#include "engine/framework/evaluation/scores/normalise.h"

#include "berth/abi/score.h"
#include "engine/base/assert.h"

namespace berth::framework {

namespace {

// As kube-scheduler rounds: the quotient, then a hundred of it, so that 29 of 100 are 28.
int64_t share(int64_t part, int64_t whole) {
  return static_cast<int64_t>(static_cast<double>(kHighestScore) *
                              (static_cast<double>(part) / static_cast<double>(whole)));
}

}  // namespace

int64_t normalised(uint32_t kind, int64_t raw, int64_t minimum, int64_t maximum) {
  switch (kind) {
    case BERTH_NORMALISE_NONE:
      return raw;
    case BERTH_NORMALISE_MAX:
      return maximum == 0 ? raw : kHighestScore * raw / maximum;
    case BERTH_NORMALISE_MAX_REVERSED:
      return maximum == 0 ? kHighestScore : kHighestScore - kHighestScore * raw / maximum;
    case BERTH_NORMALISE_MIN_MAX:
      return maximum == minimum ? 0 : share(raw - minimum, maximum - minimum);
    case BERTH_NORMALISE_SPREAD:
      return maximum == 0 ? kHighestScore : kHighestScore * (maximum + minimum - raw) / maximum;
  }
  BERTH_ASSERT(false && "a kind of normalising that the host lets through");
  return 0;
}

}  // namespace berth::framework
