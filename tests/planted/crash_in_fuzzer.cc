// A fuzz target that must fail: libFuzzer has to find three bytes.

#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint8_t> bytes(data, data + size);
  if (size >= 3 && bytes[0] == 'b' && bytes[1] == 'u' && bytes[2] == 'g') {
    volatile uint8_t behind = *(bytes.data() + size);
    (void)behind;
  }
  return 0;
}
