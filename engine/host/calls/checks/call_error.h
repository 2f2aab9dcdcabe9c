#pragma once

// The failure of a call to a plugin. Success is a null pointer and costs nothing. A failure fails
// the pod that is being scheduled; it does not end the run. Refusals are answers, not failures.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
      : failure_(std::make_unique<Failure>(Failure{kind, std::move(text), {}})) {}
  // A failure for the answer about one position. The text names it, as in " at position 12 of 64",
  // from the byte `place_begin` on in `place_size` bytes.
  CallError(Kind kind, std::string text, size_t position, size_t place_begin, size_t place_size)
      : failure_(std::make_unique<Failure>(
            Failure{kind, std::move(text), Place{position, place_begin, place_size}})) {}

  // A failure (kBroken) of a plugin that called a service from a function that may not.
  static CallError misuse(std::string text) {
    CallError error(Kind::kBroken, std::move(text));
    error.failure_->misuse = true;
    return error;
  }

  // True for a failure.
  explicit operator bool() const { return failure_ != nullptr; }

  // Require a failure. The text of kReported is the plugin's own, behind which the host may say
  // what the plugin asked for in vain; the texts of the other kinds name the plugin and the
  // extension point.
  Kind kind() const { return failure_->kind; }
  bool is_misuse() const { return failure_->misuse; }  // of a service, see misuse()
  const std::string& text() const { return failure_->text; }

  // text() with ` for SUBJECT` in the place of ` at position ...`. Texts without a position stay.
  template <typename Subject>  // subject(size_t position) returns, for example, `node "a"`
  std::string text_about(Subject&& subject) const {
    std::string text = failure_->text;
    if (const std::optional<Place>& place = failure_->place)
      text.replace(place->begin, place->size,
                   std::string(" for ").append(subject(place->position)));
    return text;
  }

 private:
  // The place where the text names a position.
  struct Place {
    size_t position, begin, size;
  };
  struct Failure {
    Kind kind;
    std::string text;
    std::optional<Place> place;
    bool misuse = false;
  };
  std::unique_ptr<Failure> failure_;
};

}  // namespace berth::host
