#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "tests/apiserver/api/backlog.h"

namespace berth::apiserver {

// An answer whose connection breaks.
class BrokenReply : public Backlog {
 public:
  // It breaks after so many bytes of the body, if it has as many; without a number, instead of the
  // whole answer, once that is complete.
  BrokenReply(std::shared_ptr<Reply> reply, std::optional<uint64_t> bytes)
      : reply_(std::move(reply)), bytes_(bytes) {}

  void begin(int status, std::map<std::string, std::string> headers) override {
    if (bytes_) reply_->begin(status, std::move(headers));
  }
  void write(std::string_view part) override {
    if (!bytes_ || broken_) return;
    if (part.size() < *bytes_) {
      *bytes_ -= part.size();
      reply_->write(part);
      return;
    }
    broken_ = true;
    reply_->write(part.substr(0, *bytes_));
    reply_->cut();
  }
  void end() override {
    if (broken_) return;
    broken_ = !bytes_;
    broken_ ? reply_->cut() : reply_->end();
  }
  void cut() override {
    if (!broken_) reply_->cut();
    broken_ = true;
  }
  bool open() const override { return !broken_ && reply_->open(); }
  uint64_t waiting() const override {
    const auto* backlog = dynamic_cast<const Backlog*>(reply_.get());
    return backlog == nullptr ? 0 : backlog->waiting();
  }

 private:
  std::shared_ptr<Reply> reply_;
  std::optional<uint64_t> bytes_;  // still to come
  bool broken_ = false;
};

}  // namespace berth::apiserver
