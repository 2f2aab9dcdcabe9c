#pragma once

// Finds the refusers that an event concerns.

#include <deque>
#include <vector>

#include "engine/queue/queue_event.h"

namespace berth::queue {

class Interests {
 public:
  struct Asked {
    ProfileId profile = 0;
    RefuserId refuser = 0;
    bool hinted = false;  // false: the event helps
  };

  void add(const Interest& interest);
  // Each refuser once, in the order in which they were added. Valid until `add`.
  const std::vector<Asked>& of(const QueueEvent& event) const;
  bool wants(RefuserId refuser, const QueueEvent& event) const;

 private:
  struct Known {
    uint32_t kind = 0;
    uint32_t action = 0;
    std::vector<Asked> asked;
  };

  std::vector<Interest> all_;
  mutable std::deque<Known> known_;  // answers so far: few kinds of events occur
};

}  // namespace berth::queue
