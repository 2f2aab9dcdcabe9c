// Reads one element past a heap array; AddressSanitizer must report it.

#include <cstdio>
#include <memory>

int main(int argc, char**) {
  const size_t size = static_cast<size_t>(argc) + 7;
  const auto values = std::make_unique<int[]>(size);
  std::printf("%d\n", values[size]);
  return 0;
}
