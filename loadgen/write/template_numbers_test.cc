#include "loadgen/write/template_numbers.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace berth::loadgen {
namespace {

TEST(TemplateNumbers, AreDenseAndEndWhereAStreamsDo) {
  const auto spec = std::make_shared<const model::PodSpec>();
  TemplateNumbers numbers;
  LoadStep step;
  for (uint32_t id = 0; id <= ingest::kMaxTemplateId; ++id)
    ASSERT_EQ(numbers.define(spec, step), id);
  EXPECT_EQ(step.templates.size(), ingest::kMaxTemplateId + 1);
  EXPECT_EQ(step.templates.back().id, ingest::kMaxTemplateId);
  EXPECT_THROW(numbers.define(spec, step), Error);
  EXPECT_EQ(step.templates.size(), ingest::kMaxTemplateId + 1);
}

}  // namespace
}  // namespace berth::loadgen
