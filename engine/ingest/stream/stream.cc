#include "engine/ingest/stream/stream.h"

namespace berth::ingest {

void BindingBatch::clear() {
  namespaces.clear();
  names.clear();
  nodes.clear();
}

}  // namespace berth::ingest
