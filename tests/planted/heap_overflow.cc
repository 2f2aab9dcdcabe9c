// Reads one element behind an array on the heap: AddressSanitizer has to say so.

#include <cstdio>
#include <memory>

int main(int argc, char**) {
  const size_t size = static_cast<size_t>(argc) + 7;
  const auto values = std::make_unique<int[]>(size);
  std::printf("%d\n", values[size]);
  return 0;
}
