#include "tests/apiserver/verbs/core.h"

#include <array>
#include <cstdio>

#include "engine/base/draw.h"
#include "tests/apiserver/objects/problem.h"
#include "tests/apiserver/objects/time_text.h"

namespace berth::apiserver {

Core::Core(const Options& its_options, Clock& its_clock)
    : options(its_options),
      clock(its_clock),
      watches(clock, options.bookmark_period, options.watch_backlog),
      store(options.history, [this](const Resource& resource, const StoreEvent& event) {
        watches.deliver(resource, event);
      }) {}

std::string Core::now_text() const { return time_text(clock.now()); }

uint64_t Core::draw_number() { return mix(mix(options.seed) ^ ++draws_); }

std::string Core::draw_uid() {
  const uint64_t a = draw_number(), b = draw_number();
  std::array<char, 40> text;
  const int size = std::snprintf(
      text.data(), text.size(), "%08x-%04x-4%03x-8%03x-%012llx", static_cast<unsigned>(a >> 32),
      static_cast<unsigned>(a >> 16 & 0xffff), static_cast<unsigned>(a & 0xfff),
      static_cast<unsigned>(b >> 48 & 0xfff), static_cast<unsigned long long>(b & 0xffffffffffff));
  return {text.data(), static_cast<size_t>(size)};
}

std::string Core::draw_suffix() {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  uint64_t number = draw_number();
  std::string made;
  for (int i = 0; i < 5; ++i, number /= kLetters.size()) made += kLetters[number % kLetters.size()];
  return made;
}

void Core::at(Nanoseconds time, std::function<void()> due) {
  clock.at(time, [alive = std::weak_ptr(alive_), due = std::move(due)] {
    if (!alive.expired()) due();
  });
}

std::string_view Call::query(std::string_view name) const {
  const auto found = request.query.find(std::string(name));
  return found == request.query.end() ? std::string_view() : std::string_view(found->second);
}

Object& object_of(Call& call) {
  Object* found = call.core.store.find(call.resource(), call.route.key());
  if (found == nullptr) throw not_found(call.resource(), call.route.name);
  return *found;
}

Answer answer_with(const Call& call, const Version& version, int status) {
  return {status, std::string(version.whole(call.resource()))};
}

}  // namespace berth::apiserver
