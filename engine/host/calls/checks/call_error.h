#pragma once

// The failure of a call to a plugin. Success is a null pointer and costs nothing. A failure fails
// the pod that is being scheduled; it does not end the run. Refusals are answers, not failures.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace berth::host {

class [[nodiscard]] CallError {
 public:
  enum class Kind : uint8_t {
    kReported,  // the plugin returned BERTH_ERROR
    kBroken,    // it returned a value that the contract does not allow
    kThrew,     // it threw an exception
    kLate,      // it took longer than the watchdog allows
  };

  CallError() = default;  // success
  CallError(Kind kind, std::string text)
      : failure_(std::make_unique<Failure>(Failure{kind, std::move(text)})) {}

  // True for a failure.
  explicit operator bool() const { return failure_ != nullptr; }

  // Require a failure. The text of kReported is the plugin's own; the texts of the other kinds name
  // the plugin and the extension point.
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
