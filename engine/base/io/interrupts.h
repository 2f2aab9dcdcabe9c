#pragma once

// SIGINT and SIGTERM: the first asks a program to end in an orderly way. What a second one does,
// and what becomes of system calls that wait, a program chooses once.

namespace berth {

// Thrown by calls that wait for input or output when an interrupt ends the wait.
struct Interrupted {};

struct InterruptRules {
  enum class Waiting {
    kThrows,   // system calls end (EINTR), and reads of base/io then throw Interrupted
    kReturns,  // system calls end (EINTR); whoever waits asks interrupts() and decides
    kResumes,  // system calls are resumed where the system can; whoever waits polls interrupted()
  };
  Waiting waiting = Waiting::kThrows;
  // By its default action, at once, without temporary files (new_file.h); false: it is counted like
  // the first.
  bool second_ends = true;
  bool with_children = false;  // interrupted() is also true for a signal that a child received
};

// Notes SIGINT and SIGTERM from now on. Called once, before threads are started and children are
// forked. Throws std::system_error if there is no memory to share with children.
void note_interrupts(const InterruptRules& rules = {});

// Called in a child: signals are only counted from now on, and the parent decides when the child
// ends. Without effect if signals are not noted.
void leave_interrupts_to_parent();

// True once a signal was noted. Any thread.
bool interrupted();
// True if a wait for input has to end: a signal was noted and the rule is kThrows. Any thread.
bool interrupt_ends_waits();
// The count of signals that this process received, and the number of the first; 0: none.
int interrupts();
int first_interrupt();

}  // namespace berth
