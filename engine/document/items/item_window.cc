#include "engine/document/items/item_window.h"

#include <cstring>

namespace berth::document::internal {
namespace {

constexpr size_t kWindow = 512 * 1024;  // bytes; it grows for larger items

}  // namespace

ItemWindow::ItemWindow(ByteSource& source)
    : source_(&source), bytes_(kWindow + Storage::kPadding) {}

bool ItemWindow::fill() {
  if (ended_) return false;
  std::memmove(bytes_.data(), bytes_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  if (end_ > bytes_.size() / 2) bytes_.resize(bytes_.size() * 2);
  const size_t before = end_;
  const size_t most = bytes_.size() - Storage::kPadding;
  while (end_ < most) {
    const size_t more =
        source_->read({reinterpret_cast<uint8_t*>(bytes_.data()) + end_, most - end_});
    if (more == 0) {
      ended_ = true;
      break;
    }
    end_ += more;
  }
  std::memset(bytes_.data() + end_, 0, Storage::kPadding);
  return end_ != before;
}

void ItemWindow::advance(size_t bytes) {
  position_ = position_behind(position_, rest().substr(0, bytes));
  at_ += bytes;
}

}  // namespace berth::document::internal
