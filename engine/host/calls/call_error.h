#pragma once

// What went wrong in a call to a plugin. On success it is one null pointer and costs nothing.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace berth::host {

class [[nodiscard]] CallError {
 public:
  enum class Kind : uint8_t {
    kReported,  // the plugin returned BERTH_ERROR
    kBroken,    // it returned what the contract does not allow
    kThrew,     // an exception came out of it
    kLate,      // it took longer than the watchdog allows
  };

  CallError() = default;  // success
  CallError(Kind kind, std::string text)
      : failure_(std::make_unique<Failure>(Failure{kind, std::move(text)})) {}

  explicit operator bool() const { return failure_ != nullptr; }

  // Only of a failure. The text of kReported is the plugin's own; the others name plugin and point.
  Kind kind() const { return failure_->kind; }
  const std::string& text() const { return failure_->text; }

 private:
  struct Failure {
    Kind kind;
    std::string text;
  };
  std::unique_ptr<Failure> failure_;
};

}  // namespace berth::host
