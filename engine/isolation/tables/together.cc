// Calls of Filter and Score that go to a plugin's process together (host/calls/together.h).

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <vector>

#include "engine/base/assert.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/isolation/channel/tables.h"
#include "engine/isolation/tables/passed.h"

namespace berth::isolation {
namespace {

// The parameter of both functions that the plugin fills.
constexpr size_t kFilled = 2;

// Has a lane from the first call that was added on.
class CallsTogether final : public host::ProcessCalls {
 public:
  explicit CallsTogether(const IsolatedPlugin& plugin) : plugin_(plugin) {}
  ~CallsTogether() override {
    while (settled_ < added() && !failed_) settle();
  }
  CallsTogether(const CallsTogether&) = delete;
  CallsTogether& operator=(const CallsTogether&) = delete;

  std::optional<uint32_t> add(berth_plugin* plugin, Point point, const berth_call& call) override;
  void send() override {
    if (added() != 0) lane_->send();
  }
  bool begins(uint32_t number) override {
    while (settled_ < number && !failed_) settle();
    return settled_ > number || !failed_;
  }
  berth_code take(uint32_t number, const berth_text_sink* error, void* answers) override;

 private:
  struct One {
    One(IsolatedInstance& of, LaneCall& lane)
        : instance(of), answers(of.services(), lane, of.arena()) {}

    IsolatedInstance& instance;
    HostAnswers answers;
    Point point = Point::kFilter;
    uint64_t count = 0;
    const void* filled = nullptr;    // the array that the plugin fills
    std::vector<std::byte> message;  // that came with the end
    std::exception_ptr failure;      // null: it has ended
  };

  size_t added() const { return lane_ ? lane_->added() : 0; }
  bool take_lane(const IsolatedInstance& instance);
  bool is_here(const IsolatedInstance& instance, const State* state) const;
  void lay_out(One& one, const berth_call& call);
  template <auto kMember, typename T>
  void add(One& one, Request& request, T unwritten);
  void settle();
  berth_code end(uint32_t number, const berth_text_sink* error);
  template <auto kMember, typename T>
  berth_code take(uint32_t number, const berth_text_sink* error, T* answers);

  const IsolatedPlugin& plugin_;
  std::optional<LaneCall> lane_;
  std::array<std::optional<One>, kMostTogether> calls_;
  size_t settled_ = 0;   // calls that have ended, or failed
  bool failed_ = false;  // the process has ended, in the last of these
};

bool CallsTogether::take_lane(const IsolatedInstance& instance) {
  if (lane_) return true;
  std::shared_ptr<Process> process = plugin_.living();
  if (process == nullptr) return false;
  lane_.emplace(std::move(process), plugin_.options().deadline, instance.now());
  return true;
}

// False: a call by itself makes it again first.
bool CallsTogether::is_here(const IsolatedInstance& instance, const State* state) const {
  const uint64_t generation = lane_->process().generation();
  return instance.generation() == generation &&
         (state == nullptr || state->generation.load(std::memory_order_acquire) == generation);
}

std::optional<uint32_t> CallsTogether::add(berth_plugin* plugin, Point point,
                                           const berth_call& call) {
  try {
    if (!take_lane(of(plugin)) || added() == kMostTogether) return {};
    if (!is_here(of(plugin), state_of(&call))) return {};
    const auto number = static_cast<uint32_t>(added());
    One& one = calls_[number].emplace(of(plugin), *lane_);
    one.point = point;
    one.count = call.count;
    lay_out(one, call);
    return number;
  } catch (const ProcessFailure&) {  // no memory for a lane, or the lane is full
    return {};
  }
}

// `unwritten`: what the answers are before the plugin writes them.
template <auto kMember, typename T>
void CallsTogether::add(One& one, Request& request, T unwritten) {
  T* filled = lane_->make<T>(one.count);
  std::fill_n(filled, one.count, unwritten);
  request.arguments[kFilled] = lane_->address(filled);
  one.filled = filled;
  lane_->add(kCall<kMember>, request);
}

void CallsTogether::lay_out(One& one, const berth_call& call) {
  Request& request = lane_->make_request(one.instance.there(), static_cast<uint32_t>(one.point));
  put_moment(request, one.instance.services().host);
  put_call(*lane_, one.answers.arena(), call, request.call);
  if (const State* state = state_of(&call))
    request.call.state =
        reinterpret_cast<const void*>(state->there.load(std::memory_order_relaxed));
  if (one.point == Point::kFilter) {
    add<&berth_filter::filter>(one, request, host::kUnwrittenCode);
  } else {
    BERTH_ASSERT(one.point == Point::kScore);
    add<&berth_score::score>(one, request, host::kUnwrittenScore);
  }
}

// Waits for the end of the next call.
void CallsTogether::settle() {
  One& one = *calls_[settled_++];
  try {
    const std::span<const std::byte> message = lane_->await_end(one.answers).rest();
    one.message.assign(message.begin(), message.end());
  } catch (...) {
    one.failure = std::current_exception();
    failed_ = true;
  }
}

berth_code CallsTogether::end(uint32_t number, const berth_text_sink* error) {
  while (settled_ <= number) settle();
  const One& one = *calls_[number];
  if (one.failure) std::rethrow_exception(one.failure);
  Reader result(one.message);
  try {
    return end_of(*lane_, result, one.instance.services().host, error).code;
  } catch (const ProcessFailure&) {  // garbage
    failed_ = true;
    throw;
  }
}

template <auto kMember, typename T>
berth_code CallsTogether::take(uint32_t number, const berth_text_sink* error, T* answers) {
  const One& one = *calls_[number];
  return guarded(
      one.instance.handle(), error,
      [&] {
        const berth_code code = end(number, error);
        std::copy_n(static_cast<const T*>(one.filled), one.count, answers);
        return code;
      },
      [&] {
        std::fill_n(answers, one.count, kSkipped<kMember>);
        return BERTH_SUCCESS;
      });
}

berth_code CallsTogether::take(uint32_t number, const berth_text_sink* error, void* answers) {
  if (calls_[number]->point == Point::kFilter)
    return take<&berth_filter::filter>(number, error, static_cast<uint8_t*>(answers));
  return take<&berth_score::score>(number, error, static_cast<int64_t*>(answers));
}

}  // namespace

std::unique_ptr<host::ProcessCalls> IsolatedPlugin::calls_together() const {
  return std::make_unique<CallsTogether>(*this);
}

}  // namespace berth::isolation
