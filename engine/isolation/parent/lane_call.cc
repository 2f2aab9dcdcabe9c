#include "engine/isolation/parent/lane_call.h"

#include <atomic>

#include "engine/base/assert.h"
#include "engine/isolation/parent/failure.h"
#include "engine/isolation/parent/isolation.h"

namespace berth::isolation {
namespace {

using Clock = std::chrono::steady_clock;

// The pause between looks whether a process that does not answer is alive.
constexpr std::chrono::milliseconds kLook(5);
// Questions after which the clock is read: a plugin may ask without end.
constexpr uint32_t kQuestionsPerClock = 256;

std::atomic<uint64_t> sent_so_far{0};

}  // namespace

uint64_t messages_sent() { return sent_so_far.load(std::memory_order_relaxed); }

std::byte* LaneCall::take(size_t bytes) {
  constexpr size_t kAlignment = 64;
  const size_t room = bytes / kAlignment * kAlignment + 2 * kAlignment;  // with padding behind it
  if (bytes > kLaneBytes || room > kLaneBytes - used_)
    throw ProcessFailure("the arguments of the call are too long for the plugin's process");
  std::byte* at = base() + used_;
  used_ += room;
  return at;
}

Request& LaneCall::begin(uint64_t instance, uint32_t point) {
  used_ = kDownPlace;
  first_ = last_ = nullptr;
  added_ = ended_ = 0;
  begun_ = &make_request(instance, point);
  return *begun_;
}

Request& LaneCall::make_request(uint64_t instance, uint32_t point) {
  auto* request = make<Request>(1);
  *request = {};
  request->instance = instance;
  request->point = point;
  return *request;
}

void LaneCall::add(Call kind, Request& request) {
  BERTH_ASSERT(added_ < kMostTogether);
  request.kind = kind;
  if (last_ == nullptr) {
    first_ = &request;
  } else {
    last_->next = there(&request);
  }
  last_ = &request;
  ++added_;
}

void LaneCall::post_down(const void* at, size_t size) {
  LaneWords& words = this->words();
  words.down_offset = static_cast<uint32_t>(static_cast<const std::byte*>(at) - base());
  words.down_size = static_cast<uint32_t>(size);
  post(words.to_plugin);
}

void LaneCall::send() {
  sent_so_far.fetch_add(1, std::memory_order_relaxed);
  post_down(first_, sizeof(Request));
}

void LaneCall::check_time(Clock::time_point begin) {
  if (Clock::now() - begin < deadline_) return;
  process_->end("was ended, because it had not answered for " + std::to_string(deadline_.count()) +
                " ms");
}

void LaneCall::await_message(Clock::time_point begin) {
  auto& [seen, spin] = process_->receiver(number_);
  while (!wait(words().to_engine, seen, spin, kLook)) {
    if (!process_->check_dead()) check_time(begin);
    if (process_->dead()) throw ProcessFailure(process_->obituary());
  }
  ++seen;
}

Ask LaneCall::take_message() {
  const LaneWords::Up& up = words().up[ended_];
  const auto kind = static_cast<Ask>(const_cast<const volatile uint32_t&>(up.kind));
  const uint32_t size = const_cast<const volatile uint32_t&>(up.size);
  if (size > kMessageBytes) throw BadMessage("a message is too long");
  const std::byte* from = base() + message_place(ended_);
  message_.assign(from, from + size);
  return kind;
}

void LaneCall::give_answer(Answers& answers, Ask kind) {
  Reader question(message_);
  answer_.clear();
  answers.answer(kind, question, answer_);
  const std::span<const std::byte> bytes = answer_.bytes();
  const size_t mark = used_;
  post_down(copy(bytes.data(), bytes.size()), bytes.size());
  // The plugin's side reads an answer before it asks again, and nothing else is laid out before.
  used_ = mark;
}

Reader LaneCall::await_end(Answers& answers) {
  BERTH_ASSERT(ended_ < added_);
  const Clock::time_point begin = Clock::now();
  try {
    return parsed(*this, [&] {
      for (uint32_t questions = 1;; ++questions) {
        await_message(begin);
        const Ask said = take_message();
        if (said == Ask::kEnd) break;
        if (questions % kQuestionsPerClock == 0) check_time(begin);
        give_answer(answers, said);
      }
      ++ended_;
      return Reader(message_);
    });
  } catch (...) {
    process_->end("was ended in the middle of a call");
    throw;
  }
}

}  // namespace berth::isolation
