#include "engine/conformance/controllers/timeline.h"

#include <cmath>
#include <memory>

#include "engine/base/error.h"
#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/players.h"
#include "engine/conformance/history/history_json.h"

namespace berth::conformance {

using document::Value;

namespace {

std::unique_ptr<Player> player_of(Value root, Entries& entries) {
  const std::string feature = text_of(root, "feature");
  const Value config = root.find("input").find("config");
  for (const PlayedFeature& one : kPlayedFeatures)
    if (one.feature == feature) return one.make(config, entries);
  throw Error(root.find("feature").present() ? root.find("feature").place() : root.place(),
              "no timeline of this feature can be played");
}

void run_before(Time time, Player& player) {
  while (true) {
    const std::optional<Time> due = player.next();
    if (!due || *due >= time) return;
    player.run_due(*due);
  }
}

void play(Value input, Player& player) {
  for (Value object : input.find("objects").elements()) player.add(object);
  player.start();
  Time now{};
  for (Value event : input.find("timeline").elements()) {
    const Time at = seconds_at(event, "at");
    if (at < now) throw Error(event.place(), "is earlier than the event before");
    if (at != now) {
      player.settle(now);
      run_before(at, player);
      now = at;
    }
    const std::string op = text_of(event, "op");
    if (op == "end") return;
    if (!player.operate(now, op, event)) throw Error(event.place(), "no operation is called " + op);
  }
  player.settle(now);
}

}  // namespace

// Whole seconds as the recorder writes them, without a fraction.
void Entries::begin(Time at, std::string_view type) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  if (whole == at) {
    writer_.member("at", static_cast<int64_t>(whole.count()));
  } else {
    writer_.member("at", seconds(at));
  }
  writer_.member("type", type);
}

bool has_timeline(Value root) { return root.find("input").find("timeline").present(); }

void answer_timeline(Value root, document::JsonWriter& writer) {
  writer.key("expect");
  writer.StartArray();
  Entries entries(writer);
  play(root.find("input"), *player_of(root, entries));
  writer.EndArray();
}

Time seconds_at(Value object, std::string_view field) {
  const Value member = object.find(field);
  const std::optional<double> number = member.present() ? member.as_double() : std::nullopt;
  if (!number) throw Error(object.place(), "expected a number of seconds at " + std::string(field));
  return std::chrono::milliseconds(std::llround(*number * 1000));
}

}  // namespace berth::conformance
