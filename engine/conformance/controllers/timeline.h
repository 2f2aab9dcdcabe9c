#pragma once

// Cases of the controllers around the scheduler: objects and a timeline of operations in, a list of
// entries out.
//
// The clock starts at 0. What falls due before an operation is done first. All operations of one
// instant come before what falls due at that instant.

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.h"
#include "engine/document/document.h"
#include "engine/document/json/json_writer.h"

namespace berth::conformance {

// The list "expect" of an answer, in order of time.
class Entries {
 public:
  explicit Entries(document::JsonWriter& writer) : writer_(writer) {}

  // `members` writes the members but `at` and `type` to the writer that it gets.
  template <typename Members>
  void add(Time at, std::string_view type, Members&& members) {
    writer_.object([&] {
      begin(at, type);
      members(writer_);
    });
  }

 private:
  void begin(Time at, std::string_view type);

  document::JsonWriter& writer_;
};

// A component, or several that belong together, with the objects that they read.
class Player {
 public:
  virtual ~Player() = default;

  // An object that exists before the component starts.
  virtual void add(document::Value object) = 0;
  // At 0, after the objects.
  virtual void start() = 0;
  // `event` is one of the timeline, `op` its operation. Returns false if it knows none of that
  // name.
  virtual bool operate(Time now, const std::string& op, document::Value event) = 0;
  // After the operations of one instant.
  virtual void settle(Time now) = 0;
  // When something falls due; nothing: only an operation gives it something to do.
  virtual std::optional<Time> next() const = 0;
  // Does all that is due: next() is later afterwards.
  virtual void run_due(Time now) = 0;
};

// True if the case is one of these.
bool has_timeline(document::Value root);

// Writes the member "expect". Throws Error for a feature or an operation that is not known.
void answer_timeline(document::Value root, document::JsonWriter& writer);

// The member, a number of seconds. Throws Error if it is none.
Time seconds_at(document::Value object, std::string_view field);

}  // namespace berth::conformance
