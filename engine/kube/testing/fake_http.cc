#include "engine/kube/testing/fake_http.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::kube {
namespace {

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return out;
}

}  // namespace

uint64_t FakeHttp::add(Open open) {
  open.number = ++last_;
  open_.push_back(std::move(open));
  return last_;
}

uint64_t FakeHttp::send(Request request, Done done) {
  return add({0, std::move(request), false, nullptr, std::move(done)});
}

uint64_t FakeHttp::stream(Request request, Data data, Done done) {
  return add({0, std::move(request), true, std::move(data), std::move(done)});
}

std::deque<FakeHttp::Open>::iterator FakeHttp::find(uint64_t request) {
  return std::ranges::find(open_, request, &Open::number);
}

void FakeHttp::cancel(uint64_t request) {
  if (const auto found = find(request); found != open_.end()) open_.erase(found);
}

void FakeHttp::answer(uint64_t request, Answer answer) {
  const auto found = find(request);
  BERTH_ASSERT(found != open_.end());
  BERTH_ASSERT(!found->streams || answer.status != 200 || answer.body.empty());
  const Done done = std::move(found->done);
  open_.erase(found);
  done(std::move(answer));
}

void FakeHttp::part(uint64_t request, std::string_view data) {
  const auto found = find(request);
  BERTH_ASSERT(found != open_.end() && found->streams);
  const Data call = found->data;  // the call may cancel the request
  call(data);
}

std::optional<std::string> query_value(std::string_view path, std::string_view key) {
  size_t begin = path.find('?');
  while (begin < path.size()) {
    const std::string_view parameter =
        path.substr(begin + 1, std::min(path.find('&', begin + 1), path.size()) - begin - 1);
    if (parameter.starts_with(key) && parameter.substr(key.size()).starts_with('='))
      return percent_decoded(parameter.substr(key.size() + 1));
    begin = path.find('&', begin + 1);
  }
  return std::nullopt;
}

}  // namespace berth::kube
