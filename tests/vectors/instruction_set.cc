// Skips the tests of a program whose loops are built for an instruction set that this processor
// lacks.

#include <gtest/gtest.h>

namespace berth {
namespace {

class NeedsInstructionSet : public ::testing::Environment {
 public:
  void SetUp() override {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports(BERTH_INSTRUCTION_SET))
      GTEST_SKIP() << "the processor is no " BERTH_INSTRUCTION_SET;
  }
};

const ::testing::Environment* const environment =
    ::testing::AddGlobalTestEnvironment(new NeedsInstructionSet);

}  // namespace
}  // namespace berth
