#include "loadgen/write/template_numbers.h"

#include <string>
#include <utility>

#include "engine/base/error.h"

namespace berth::loadgen {

uint32_t TemplateNumbers::define(std::shared_ptr<const model::PodSpec> spec, LoadStep& step) {
  if (next_ > ingest::kMaxTemplateId)
    throw Error("the load needs more than " + std::to_string(ingest::kMaxTemplateId + 1) +
                " pod templates, which is all that a stream can number: it has too many different "
                "pods, too many owners, or too many nodes with pods of DaemonSets");
  step.templates.push_back({next_, std::move(spec)});
  return next_++;
}

}  // namespace berth::loadgen
