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

TEST(TemplateNumbers, FindsEqualSpecs) {
  model::PodSpec spec;
  spec.containers.emplace_back().name = "a";
  TemplateNumbers numbers;
  LoadStep step;
  EXPECT_EQ(numbers.find_or_define(spec, step).id, 0u);
  EXPECT_EQ(numbers.find_or_define({}, step).id, 1u);
  EXPECT_EQ(*numbers.find_or_define(spec, step).spec, spec);
  EXPECT_EQ(numbers.find_or_define(spec, step).id, 0u);
  // Defined apart, so it is not found.
  EXPECT_EQ(numbers.define(std::make_shared<const model::PodSpec>(), step), 2u);
  EXPECT_EQ(numbers.find_or_define({}, step).id, 1u);
  EXPECT_EQ(step.templates.size(), 3u);
}

}  // namespace
}  // namespace berth::loadgen
