// Adds beyond the largest int: UndefinedBehaviorSanitizer has to say so.

#include <climits>
#include <cstdio>

int main(int argc, char**) {
  std::printf("%d\n", INT_MAX + argc);
  return 0;
}
