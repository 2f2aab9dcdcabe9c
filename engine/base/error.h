#pragma once

// Errors from the environment or from input, each with its place.
//
// There are three kinds of failure, which are never mixed. A pod that does not fit is a verdict,
// not an error. A problem of a file, a plugin or the machine is an `Error`. A broken invariant of
// Berth is a BERTH_ASSERT (assert.h).

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// The place of an error. Every part is optional; unknown parts are empty or zero.
struct Place {
  static constexpr uint64_t kNoByte = UINT64_MAX;

  std::string file;         // as named by the user; "-" is standard input
  uint32_t line = 0;        // from 1; 0: unknown
  uint32_t column = 0;      // from 1, in bytes; 0: unknown
  uint64_t byte = kNoByte;  // offset into the file or stream, for binary input
  std::string field;        // a path such as items[3].spec.taints[0].effect

  // "file:line:column: field", with the known parts only; empty if none is known.
  std::string to_string() const;
};

// An error: its place, and a message that says what is wrong, what was expected and what to do, in
// one or two sentences without a trailing full stop. what() is printable (text/printable.h):
// "PLACE: MESSAGE", and below it, indented, a line for each of `details`. A line break within the
// place, the message or a detail is escaped, so input that is quoted in a message cannot forge a
// line.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string message) : Error(Place{}, std::move(message)) {}
  Error(Place place, std::string message);
  Error(Place place, std::string message, const std::vector<std::string>& details);

  const Place& place() const { return place_; }
  // The text as it was given: without place and details, and not made printable.
  const std::string& message() const { return message_; }

 private:
  Place place_;
  std::string message_;
};

// An error of the command line that shows only when its names and values are looked up: a workload
// that there is not, a parameter that the workload does not have. Programs end with the exit status
// of a wrong command line.
class UsageError : public Error {
 public:
  using Error::Error;
  explicit UsageError(const Error& error) : Error(error) {}
};

// Collects errors that do not stop the work: the object concerned is left out, the rest is
// processed. Keeps the first `kKept` errors and counts all, so that hostile input cannot exhaust
// memory.
class Diagnostics {
 public:
  static constexpr size_t kKept = 1000;

  void report(Error error);

  uint64_t count() const { return count_; }
  const std::vector<Error>& kept() const { return kept_; }

 private:
  uint64_t count_ = 0;
  std::vector<Error> kept_;
};

}  // namespace berth
