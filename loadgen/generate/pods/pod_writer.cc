#include "loadgen/generate/pods/pod_writer.h"

namespace berth::loadgen {

void PodWriter::begin(LoadStep& step) {
  step_ = &step;
  pods_.begin(step, cluster_.namespaces.count());
}

void PodWriter::add(uint32_t template_id, uint32_t namespace_number, const std::string& name) {
  pods_.add(template_id, namespace_number, cluster_.namespaces.name(namespace_number), name,
            Nanoseconds(clock_.latest()));
}

void PodWriter::claims(uint32_t pod_template, uint32_t namespace_number, const std::string& name,
                       bool exist) {
  cluster_.claims.add(pod_template, cluster_.namespaces.name(namespace_number), name, exist, pods_,
                      *step_);
}

}  // namespace berth::loadgen
