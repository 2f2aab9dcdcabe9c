#include "engine/ingest/objects/fields/time_field.h"

#include <chrono>

namespace berth::ingest {
namespace {

constexpr int kFirstYear = 1678, kLastYear = 2261;  // whole years that fit
constexpr int64_t kNanosecond = 1, kSecond = 1'000'000'000;

// Takes the text apart from its beginning. Once a piece is not what was expected, all fail.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : rest_(text) {}

  bool good() const { return good_; }
  bool over() const { return rest_.empty(); }
  int number(size_t digits) {
    int value = 0;
    for (size_t i = 0; i < digits; ++i) {
      const char c = take();
      good_ = good_ && c >= '0' && c <= '9';
      value = value * 10 + (c - '0');
    }
    return value;
  }
  void expect(char wanted) { good_ = take() == wanted && good_; }
  bool next_is(char wanted) const { return !rest_.empty() && rest_.front() == wanted; }
  bool digit_is_next() const { return !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; }
  char take() {
    if (rest_.empty()) {
      good_ = false;
      return 0;
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

int64_t fraction(Pieces& pieces) {
  if (!pieces.next_is('.')) return 0;
  pieces.take();
  int64_t nanoseconds = 0;
  int64_t unit = kSecond / 10;
  do {
    nanoseconds += pieces.number(1) * unit;
    unit = unit <= kNanosecond ? 0 : unit / 10;
  } while (pieces.digit_is_next());
  return nanoseconds;
}

// Seconds east of Greenwich.
int64_t offset(Pieces& pieces) {
  if (pieces.next_is('Z')) {
    pieces.take();
    return 0;
  }
  const bool west = pieces.next_is('-');
  if (west) {
    pieces.take();
  } else {
    pieces.expect('+');
  }
  const int hours = pieces.number(2);
  pieces.expect(':');
  const int64_t seconds = int64_t{hours} * 3600 + pieces.number(2) * 60;
  return west ? -seconds : seconds;
}

}  // namespace

std::optional<int64_t> parse_time(std::string_view text) {
  Pieces pieces(text);
  const int year = pieces.number(4);
  pieces.expect('-');
  const auto month = static_cast<unsigned>(pieces.number(2));
  pieces.expect('-');
  const auto day = static_cast<unsigned>(pieces.number(2));
  pieces.expect('T');
  const int hour = pieces.number(2);
  pieces.expect(':');
  const int minute = pieces.number(2);
  pieces.expect(':');
  const int second = pieces.number(2);
  const int64_t nanoseconds = fraction(pieces);
  const int64_t east = offset(pieces);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!pieces.good() || !pieces.over() || !date.ok() || year < kFirstYear || year > kLastYear ||
      hour > 23 || minute > 59 || second > 59)
    return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const int64_t seconds = days * 86'400 + hour * 3600 + minute * 60 + second - east;
  return seconds * kSecond + nanoseconds;
}

}  // namespace berth::ingest
