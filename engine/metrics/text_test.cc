#include "engine/metrics/text.h"

#include <gtest/gtest.h>

#include "engine/metrics/families.h"

namespace berth::metrics {
namespace {

TEST(MetricsText, IsInOrderAndEscaped) {
  prometheus::Registry registry;
  Counters& last = prometheus::BuildCounter().Name("z_total").Help("Last.").Register(registry);
  for (const char* label : {"c", "a", "b\"\\\n"}) last.Add({{"of", label}}).Increment(2);
  prometheus::BuildGauge().Name("m").Help("No series.").Register(registry);
  prometheus::BuildGauge().Name("a").Help("First.").Register(registry).Add({}).Set(0.001);
  EXPECT_EQ(to_text(registry.Collect()), R"(# HELP a First.
# TYPE a gauge
a 0.001
# HELP z_total Last.
# TYPE z_total counter
z_total{of="a"} 2
z_total{of="b\"\\\n"} 2
z_total{of="c"} 2
)");
}

// A value that equals a bound belongs to its bucket.
TEST(MetricsText, BucketsIncludeTheirBounds) {
  prometheus::Registry registry;
  families::pod_attempts(registry).Add({}, pod_attempts_buckets()).Observe(4);
  const std::string text = to_text(registry.Collect());
  EXPECT_NE(text.find("_bucket{le=\"2\"} 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("_bucket{le=\"4\"} 1\n"), std::string::npos) << text;
}

TEST(MetricsText, BucketsAreThoseOfKubeScheduler) {
  EXPECT_EQ(attempt_buckets().size(), 15u);
  EXPECT_DOUBLE_EQ(attempt_buckets().front(), 0.001);
  EXPECT_DOUBLE_EQ(attempt_buckets().back(), 16.384);
  EXPECT_EQ(sli_buckets().size(), 20u);
  EXPECT_DOUBLE_EQ(sli_buckets().front(), 0.01);
  EXPECT_DOUBLE_EQ(sli_buckets().back(), 5242.88);
  EXPECT_EQ(pod_attempts_buckets(), (Buckets{1, 2, 4, 8, 16}));
  EXPECT_EQ(victims_buckets(), (Buckets{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(point_buckets().size(), 12u);
  EXPECT_DOUBLE_EQ(point_buckets().front(), 0.0001);
  EXPECT_DOUBLE_EQ(point_buckets().back(), 0.2048);
  EXPECT_EQ(event_buckets(), point_buckets());
  EXPECT_EQ(plugin_buckets().size(), 20u);
  EXPECT_DOUBLE_EQ(plugin_buckets().front(), 0.00001);
  EXPECT_NEAR(plugin_buckets().back(), 0.0222, 0.0001);
}

}  // namespace
}  // namespace berth::metrics
