#include "engine/framework/normalise.h"

#include "berth/abi/score.h"
#include "engine/base/assert.h"

namespace berth::framework {

int64_t normalised(uint32_t kind, int64_t raw, int64_t minimum, int64_t maximum) {
  switch (kind) {
    case BERTH_NORMALISE_NONE:
      return raw;
    case BERTH_NORMALISE_MAX:
      return maximum == 0 ? raw : kHighestScore * raw / maximum;
    case BERTH_NORMALISE_MAX_REVERSED:
      return maximum == 0 ? kHighestScore : kHighestScore - kHighestScore * raw / maximum;
    case BERTH_NORMALISE_MIN_MAX:
      return maximum == minimum ? 0 : kHighestScore * (raw - minimum) / (maximum - minimum);
    case BERTH_NORMALISE_SPREAD:
      return maximum == 0 ? kHighestScore : kHighestScore * (maximum + minimum - raw) / maximum;
  }
  BERTH_ASSERT(false && "a kind of normalising that the host lets through");
  return 0;
}

}  // namespace berth::framework
