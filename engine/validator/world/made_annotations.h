#pragma once

#include <array>

#include "engine/model/cluster/cluster.h"

namespace berth::validator {

// Annotations of a made-up cluster's pods: of any key, three of four pods have one of few values.
class MadeAnnotations final : public model::PodAnnotations {
 public:
  explicit MadeAnnotations(model::Strings& strings)
      : values_{strings.intern("a"), strings.intern("b"), strings.intern("1"), 0} {}

  // Follows the pod's name and the key, so it stays as long as the pod.
  model::StringId annotation(const model::PodRecord& pod, model::StringId key) const override {
    return values_[(pod.name * 7 + key) % values_.size()];
  }

 private:
  const std::array<model::StringId, 4> values_;
};

}  // namespace berth::validator
