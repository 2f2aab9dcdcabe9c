#pragma once

// Runs a function in a child process, with a deadline.

#include <chrono>
#include <functional>
#include <string>

namespace berth::validator {

struct ChildOptions {
  std::chrono::milliseconds limit = std::chrono::seconds(10);
  // True: the child ends by exit(), which runs static destructors; false: by _exit().
  bool ends_by_exit = false;
};

// The end of a child. Exactly one of the following is true: `record` is set and `trouble` is empty;
// or `trouble` says in words what went wrong.
struct Ended {
  std::string record;   // what the function returned
  std::string trouble;  // "was killed by SIGSEGV"; the line that names a plugin, if there is one
};

// Forks, calls `work` in the child and waits for it. The child's standard output and standard error
// are read here and are not shown. Requires: the calling process has one thread. Throws Error if
// the system refuses a pipe or a process.
//
// The child has no core dumps, dies with its parent, and is asked with SIGUSR1 where it is when its
// time is over; a second later it is killed, together with the processes that it started.
Ended run_in_child(const std::function<std::string()>& work, const ChildOptions& options);

}  // namespace berth::validator
