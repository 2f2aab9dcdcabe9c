#include "loadgen/load.h"

namespace berth::loadgen {

void LoadStep::clear() {
  at = Nanoseconds{0};
  measured = closed_loop = false;
  templates.clear();
  cluster.nodes.clear();
  cluster.namespaces.clear();
  cluster.pods.clear();
  cluster.pod_sets.clear();
  events.clear();
  drained.clear();
  pods.clear();
  planned.clear();
  texts.clear();
}

}  // namespace berth::loadgen
