#pragma once

// The content of a stream as texts, for comparing two readings of it, or a copy with the original.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ingest/stream/stream.h"
#include "engine/model/objects/objects.h"

namespace berth::fuzz {

class Transcript {
 public:
  // Template numbers are left out, because a writer may number templates differently.
  void add(const ingest::Batch& batch);

  // All content except bindings, in the order of the stream. A batch of pods is one text. The
  // distribution of other objects over frames is ignored.
  const std::vector<std::string>& objects() const { return objects_; }
  const std::vector<std::string>& bindings() const { return bindings_; }

 private:
  void add(const ingest::PodBatch& pods);
  void add(const ingest::BindingBatch& bindings);

  std::map<uint32_t, std::string> specs_;  // encoded templates so far, by number
  std::vector<std::string> objects_, bindings_;
};

}  // namespace berth::fuzz
