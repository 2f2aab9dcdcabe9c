#pragma once

// The reflectors of several kinds. See reflector.h.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/kube/http/http.h"
#include "engine/kube/kinds.h"
#include "engine/kube/loop.h"
#include "engine/kube/reflector/reflector.h"
#include "engine/kube/reflector/sink.h"

namespace berth::kube {

// One thread, that of the loop.
class Reflectors {
 public:
  // Of these kinds, each once. All arguments but the options must outlive this. Each kind draws
  // from the seed for itself.
  Reflectors(std::span<const ServedKind> kinds, Http& http, Loop& loop, Sink& sink,
             Reflector::Options options);

  // Begins to list all kinds. Once, and not after stop().
  void start();
  // Ends all requests. The sink is not called any more.
  void stop();

  // True if the sink has the objects of all kinds.
  bool synced() const;
  // The version that the sink has. Null: it has no such object, or the kind is none of these. Valid
  // until the sink is called again. `namespace_name`: empty if the kind has none.
  const ObjectVersion* find(std::string_view kind, std::string_view namespace_name,
                            std::string_view name) const;

 private:
  std::vector<std::unique_ptr<Reflector>> reflectors_;
};

}  // namespace berth::kube
