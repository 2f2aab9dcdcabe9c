// Any bytes as a YAML file of Kubernetes objects.

#include "tests/fuzz/fuzz_objects.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::Diagnostics diagnostics;
  berth::fuzz::check_file(berth::fuzz::text_of(data, size), diagnostics);
  return 0;
}
