#pragma once

// What a stream says, so that two readings of it, or of what was written from it, can be compared.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ingest/stream/stream.h"
#include "engine/model/objects/objects.h"

namespace berth::fuzz {

class Transcript {
 public:
  // Template numbers are left out: who writes the same again may number its templates anew.
  void add(const ingest::Batch& batch);

  // Everything but bindings in the order of the stream, a batch of pods in one piece; of other
  // objects it does not matter how they are spread over frames.
  const std::vector<std::string>& objects() const { return objects_; }
  const std::vector<std::string>& bindings() const { return bindings_; }

 private:
  void add(const ingest::PodBatch& pods);
  void add(const ingest::BindingBatch& bindings);
  std::string pod(const ingest::TemplatePod& pod);
  std::string event(const ingest::Event& event);

  std::map<uint32_t, std::string> specs_;  // the templates so far, encoded
  std::vector<std::string> objects_, bindings_;
};

}  // namespace berth::fuzz
