#pragma once

// Errors of fields in an API server's words, as kubectl prints them. Source: k8s.io/apimachinery
// pkg/util/validation/field. Internal to this module.

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::ingest {

struct FieldError {
  std::string path;     // within the object, for example spec.topologySpreadConstraints[0].maxSkew
  std::string message;  // for example "Invalid value: 0: must be greater than zero"
  // If not empty: the key in the map at `path` that the error is about, where the API's path ends
  // at the map.
  std::string key{};
  bool operator==(const FieldError&) const = default;
};

// Collects the errors of one object while a validator walks through it.
class FieldErrors {
 public:
  // Further errors are dropped. One more than Faults tells of an object, so that it says so.
  static constexpr size_t kMost = 11;

  // Makes a field, or an element of it, or the value of a key in it, the current place during its
  // lifetime. For an element of an element, the field's name is "".
  class Within {
   public:
    Within(FieldErrors& errors, const char* field, size_t index = kNoIndex) : errors_(errors) {
      errors_.steps_.push_back({field, index, {}});
    }
    // `key` must outlive this.
    Within(FieldErrors& errors, const char* field, std::string_view key) : errors_(errors) {
      errors_.steps_.push_back({field, kNoIndex, key});
    }
    ~Within() { errors_.steps_.pop_back(); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    FieldErrors& errors_;
  };

  // Adds an error at the current place. Duplicates are ignored.
  void add(std::string message);

  // Add an error of a kind at the current place, in the API's words. `detail` may be empty.
  void required(std::string_view detail);
  void forbidden(std::string_view detail);
  void invalid(int64_t value, std::string_view detail);
  void invalid(std::string_view value, std::string_view detail);
  // For values of a Go string type, which Go formats as JSON with HTML escapes.
  void invalid_enumerator(std::string_view value, std::string_view detail);
  void unsupported(std::string_view value, std::initializer_list<std::string_view> supported);
  void duplicate(std::string_view value);
  // Adds one "Invalid value" error per detail.
  void invalid(std::string_view value, const std::vector<std::string>& details);
  void invalid_enumerator(std::string_view value, const std::vector<std::string>& details);

  // The errors that follow are about this key of the map at the current place. "": about the place.
  void of_key(std::string_view key) { key_ = key; }

  std::vector<FieldError> take() { return std::move(errors_); }

 private:
  static constexpr size_t kNoIndex = SIZE_MAX;
  struct Step {
    const char* field;
    size_t index;
    std::string_view key;  // empty: none
  };
  std::string path() const;

  boost::container::small_vector<Step, 12> steps_;  // no memory of the heap if all is well
  std::string_view key_;
  std::vector<FieldError> errors_;
};

}  // namespace berth::ingest
