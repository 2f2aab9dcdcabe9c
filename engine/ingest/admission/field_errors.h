#pragma once

// What an API server says of fields that it does not take, in the words in which kubectl prints it.
// Source: k8s.io/apimachinery pkg/util/validation/field. Internal to this module.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::ingest {

struct FieldError {
  std::string path;     // from the object on, such as spec.topologySpreadConstraints[0].maxSkew
  std::string message;  // such as "Invalid value: 0: must be greater than zero"
  bool operator==(const FieldError&) const = default;
};

// Errors of one object, as a validator walks through it.
class FieldErrors {
 public:
  static constexpr size_t kMost = 10;  // are kept

  // The place in hand is a field, or an element of it, for as long as this lives. An element of an
  // element has no field's name: "".
  class Within {
   public:
    Within(FieldErrors& errors, const char* field, size_t index = kNoIndex) : errors_(errors) {
      errors_.steps_.push_back({field, index});
    }
    ~Within() { errors_.steps_.pop_back(); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    FieldErrors& errors_;
  };

  // Of the place in hand. The same is said once.
  void add(std::string message);

  // The same with the words for each kind of error; `detail` may be empty.
  void required(std::string_view detail);
  void forbidden(std::string_view detail);
  void invalid(int64_t value, std::string_view detail);
  void invalid(std::string_view value, std::string_view detail);
  // Of a type of its own, which Go writes as JSON for web pages.
  void invalid_enumerator(std::string_view value, std::string_view detail);
  void unsupported(std::string_view value, std::initializer_list<std::string_view> supported);
  void duplicate(std::string_view value);
  // Invalid for each of these reasons.
  void invalid(std::string_view value, const std::vector<std::string>& details);

  std::vector<FieldError> take() { return std::move(errors_); }

 private:
  static constexpr size_t kNoIndex = SIZE_MAX;
  struct Step {
    const char* field;
    size_t index;
  };
  std::string path() const;

  std::vector<Step> steps_;
  std::vector<FieldError> errors_;
};

}  // namespace berth::ingest
