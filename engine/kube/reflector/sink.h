#pragma once

// The receiver of what reflectors see at the server.

#include <string>
#include <vector>

#include "engine/kube/api/object_reader.h"
#include "engine/kube/kinds.h"

namespace berth::kube {

// Called on the thread of the loop. A function may stop the reflector that calls it, but not
// destroy it.
class Sink {
 public:
  virtual ~Sink() = default;

  // Objects of one kind that changed, in order: those of a page, or of the events that came
  // together. Never empty. An object is ADDED only if the sink does not have it, and MODIFIED or
  // DELETED only if it does; one that was replaced under its name is DELETED and ADDED.
  virtual void take(const ServedKind& kind, std::vector<Watched> changes) = 0;
  // The sink has all objects of the kind that were there when they were listed. Once.
  virtual void synced(const ServedKind& kind) = 0;
  // Something that a person may want to read: why lists and watches fail, which object was left
  // out. One line, printable.
  virtual void note(const ServedKind& kind, std::string text) = 0;
};

}  // namespace berth::kube
