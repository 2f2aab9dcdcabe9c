// Overflows an int; UndefinedBehaviorSanitizer must report it.

#include <climits>
#include <cstdio>

int main(int argc, char**) {
  std::printf("%d\n", INT_MAX + argc);
  return 0;
}
