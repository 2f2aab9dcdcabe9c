#include "tests/apiserver/net/http/stream_reply.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::apiserver {
namespace {

// A line break in a field would begin another one.
bool is_valid(const std::pair<const std::string, std::string>& field) {
  const auto& [name, value] = field;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  const auto is_no_name = [](char c) { return c <= 0x20 || c == ':' || c == 0x7F; };
  return !name.empty() && std::none_of(name.begin(), name.end(), is_no_name) &&
         std::none_of(value.begin(), value.end(), is_control) && name != "connection" &&
         name != "content-length" && name != "transfer-encoding";
}

}  // namespace

void StreamReply::begin(int status, std::map<std::string, std::string> headers) {
  if (!owner_) return;
  BERTH_ASSERT(stage_ == Stage::kWaiting);
  BERTH_ASSERT(status >= 200 && status <= 599);
  BERTH_ASSERT(std::all_of(headers.begin(), headers.end(), is_valid));
  stage_ = Stage::kBegun;
  status_ = status;
  headers_ = std::move(headers);
  owner_->reply_changed(*this);
}

void StreamReply::write(std::string_view part) {
  if (!owner_) return;
  BERTH_ASSERT(stage_ == Stage::kBegun);
  unsent_.append(part);
  owner_->reply_changed(*this);
}

void StreamReply::end() {
  if (!owner_) return;
  BERTH_ASSERT(stage_ == Stage::kBegun);
  stage_ = Stage::kEnded;
  owner_->reply_changed(*this);
}

void StreamReply::cut() {
  if (!owner_) return;
  BERTH_ASSERT(!over());
  stage_ = Stage::kCut;
  owner_->reply_changed(*this);
}

void StreamReply::leave() {
  owner_ = nullptr;
  unsent_.clear();
}

void StreamReply::end_early() {
  BERTH_ASSERT(stage_ == Stage::kBegun);
  owner_ = nullptr;
  stage_ = Stage::kEnded;
}

}  // namespace berth::apiserver
