#include "engine/isolation/answers/host_answers.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "engine/host/instance/services/service_thread.h"
#include "engine/isolation/answers/function.h"
#include "engine/isolation/parent/failure.h"

namespace berth::isolation {
namespace {

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
// In a Record.
std::string key_of(Ask kind, const Reader& question) {
  return text_of(std::as_bytes(std::span(&kind, 1))) + text_of(question.rest());
}

template <auto... kMembers>
constexpr auto answers_of(Functions<kMembers...>) {
  return std::array{&Function<kMembers>::answer...};
}
// By Ask, from kFunction.
constexpr auto kAnswers = answers_of(AllFunctions());

// These answers are only logged.
bool tells(Ask kind) { return kind == kAsk<&berth_log_service::write> || kind == Ask::kRefused; }

void log(const Services& services, Ask kind, Reader& in) {
  if (kind == Ask::kRefused) {
    const auto which = in.get<uint32_t>();
    if (which == 0 || which >= std::size(kRefusedCalls) || services.host == nullptr)
      throw BadMessage("a refusal is not known");
    return host::log_refused(services.host, kRefusedCalls[which].function,
                             kRefusedCalls[which].may);
  }
  const auto level = in.get<uint32_t>();
  const std::string_view text = in.text();
  services.used<berth_log_service>().write(services.host, level, {text.data(), text.size()});
}

}  // namespace

bool Services::look_up(std::string_view id) {
  if (host == nullptr) throw BadMessage("a service is looked up without a host");
  const void* table = host->service(host, {id.data(), id.size()});
  if (table == nullptr) return false;
  std::apply(
      [&]<typename... T>(const T*&... known) {
        ((id == Described<T>::kId ? static_cast<void>(known = static_cast<const T*>(table))
                                  : static_cast<void>(0)),
         ...);
      },
      tables);
  return true;
}

void RecordedAnswers::answer(Ask kind, Reader& question, Writer& answer) {
  if (tells(kind)) return log(services_, kind, question);
  const std::string asked = key_of(kind, question);
  for (const Record* record : {&record_, &also_})
    if (const auto known = record->find(asked); known != record->end())
      return answer.append(known->second.data(), known->second.size());
  throw ProcessFailure("asked something else when it was started again than at first");
}

HostAnswers::~HostAnswers() {
  for (const WhatIf& what_if : what_ifs_)
    if (what_if.at != nullptr) table<berth_what_if_service>().end(what_if.at);
}

void HostAnswers::answer(Ask kind, Reader& question, Writer& answer) {
  if (record_ == nullptr || tells(kind)) return answer_now(kind, question, answer);
  std::string asked = key_of(kind, question);
  answer_now(kind, question, answer);
  record_->insert_or_assign(std::move(asked), text_of(answer.bytes()));
}

void HostAnswers::answer_now(Ask kind, Reader& question, Writer& answer) {
  if (kind == Ask::kService) {
    const bool there = services_.look_up(question.text());
    const auto* log = std::get<const berth_log_service*>(services_.tables);
    answer.put(uint32_t{there});
    answer.put(log != nullptr ? log->level : uint32_t{BERTH_LOG_INFO});
    return;
  }
  if (kind == Ask::kTexts) return put_texts(question, answer);
  if (tells(kind)) return log(services_, kind, question);
  const uint32_t function = static_cast<uint32_t>(kind) - static_cast<uint32_t>(Ask::kFunction);
  if (function >= kAnswers.size()) throw BadMessage("a question is not known");
  kAnswers[function](*this, question, answer);
}

void HostAnswers::put_texts(Reader& question, Writer& answer) const {
  const auto& strings = table<berth_strings_service>();
  for (const uint32_t id : question.values<uint32_t>(question.get<uint64_t>()))
    answer.text(strings.text(services_.host, id));
}

HostAnswers::WhatIf& HostAnswers::what_if(Reader& question) {
  const auto number = question.get<uint64_t>();
  if (number == 0 || number > what_ifs_.size() || what_ifs_[number - 1].at == nullptr)
    throw BadMessage("a what-if is not known");
  return what_ifs_[number - 1];
}

void HostAnswers::end_what_if(Reader& question) {
  const auto& service = table<berth_what_if_service>();
  WhatIf& ended = what_if(question);
  service.end(std::exchange(ended.at, nullptr));
  const bool all =
      std::ranges::all_of(what_ifs_, [](const WhatIf& other) { return other.at == nullptr; });
  // Its columns are in the lane. Numbers are not used again, so that a wrong one is noticed.
  if (all) lane_.cut(ended.mark);
}

void HostAnswers::put_result(Writer& answer, berth_what_if* begun) {
  if (begun != nullptr) what_ifs_.push_back({begun, lane_.used()});
  answer.put(uint64_t{begun != nullptr ? what_ifs_.size() : 0});
}

// Laid out in the lane until the what-if ends.
void HostAnswers::put_result(Writer& answer, const berth_call* pods) {
  if (pods == nullptr) return answer.put(uint64_t{0});
  auto* call = lane_.make<berth_call>(1);
  put_call(lane_, arena_, *pods, *call);
  answer.put(lane_.address(call));
}

}  // namespace berth::isolation
