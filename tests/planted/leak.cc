// Leaks an allocation; LeakSanitizer must report it.

#include <cstdio>
#include <cstdlib>

int main() {
  void* volatile memory = std::malloc(100);
  std::printf("%d\n", memory != nullptr);
  memory = nullptr;
  return 0;
}
