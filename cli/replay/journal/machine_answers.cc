#include "cli/replay/journal/machine_answers.h"

#include <utility>

#include "cli/replay/journal/packed.h"
#include "engine/base/error.h"

namespace berth::cli {
namespace {

// Numbers that do not go backwards.
void pack_rising(Packer& packer, const std::vector<int64_t>& numbers) {
  packer.number(numbers.size());
  int64_t last = 0;
  for (const int64_t number : numbers) {
    packer.number(static_cast<uint64_t>(number - last));
    last = number;
  }
}

void unpack_rising(Unpacker& from, std::vector<int64_t>& numbers) {
  int64_t last = 0;
  for (uint64_t left = from.number(); left > 0; --left) {
    const uint64_t more = from.number();
    if (more > static_cast<uint64_t>(INT64_MAX - last))
      throw Error("the journal has a time that is too late");
    last += static_cast<int64_t>(more);
    if (!numbers.empty() && last < numbers.back())
      throw Error("the times of the journal go backwards");
    numbers.push_back(last);
  }
}

}  // namespace

std::vector<uint8_t> AnswerPacker::take() {
  Packer packer;
  pack_rising(packer, std::exchange(dates_, {}));
  pack_rising(packer, std::exchange(times_, {}));
  packer.bytes(std::exchange(readies_, {}));
  return packer.packed();
}

void MachineAnswers::add(std::span<const uint8_t> payload) {
  Unpacker from(payload);
  unpack_rising(from, dates_);
  unpack_rising(from, times_);
  const std::span<const uint8_t> readies = from.rest();
  readies_.insert(readies_.end(), readies.begin(), readies.end());
}

// Behind the last answer time stands still.
Time MachineAnswers::time(Time /*measured*/) {
  if (times_.empty()) return {};
  if (over()) return Time(times_.back());
  return Time(times_[time_++]);
}

// Behind the last answer the run takes what input there is.
bool MachineAnswers::ready(bool /*measured*/) {
  return ready_ >= readies_.size() || readies_[ready_++] != 0;
}

int64_t MachineAnswers::date(int64_t measured) {
  return dates_.empty() ? measured : dates_.front();
}

}  // namespace berth::cli
