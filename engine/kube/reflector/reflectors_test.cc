#include "engine/kube/reflector/reflectors.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/kube/reflector/testing.h"

namespace berth::kube {
namespace {

TEST(Reflectors, ListAllKindsAtOnce) {
  FakeLoop loop;
  FakeHttp http;
  RecordingSink sink;
  Reflectors reflectors(served_kinds(), http, loop, sink, {});
  reflectors.start();
  std::set<std::string> paths, expected;
  for (const FakeHttp::Open& open : http.open())
    paths.insert(open.request.path.substr(0, open.request.path.find('?')));
  for (const ServedKind& kind : served_kinds()) expected.insert(list_path(kind));
  EXPECT_EQ(paths, expected);

  std::set<std::string> timeouts;
  while (!reflectors.synced()) {
    ASSERT_LT(static_cast<size_t>(sink.times_synced), served_kinds().size());
    const FakeHttp::Open& first = http.open().front();
    http.answer(first.number, {Answer::Fate::kAnswered, 200,
                               first.request.path.starts_with("/api/v1/nodes")
                                   ? page_json({object_json("n", "5", "u5")}, "9")
                                   : page_json({}, "9")});
  }
  EXPECT_EQ(static_cast<size_t>(sink.times_synced), served_kinds().size());
  for (const FakeHttp::Open& open : http.open())
    timeouts.insert(query_value(open.request.path, "timeoutSeconds").value_or(""));
  EXPECT_GT(timeouts.size(), 8u) << "the kinds draw for themselves";

  ASSERT_NE(reflectors.find("Node", "", "n"), nullptr);
  EXPECT_EQ(reflectors.find("Node", "", "n")->uid, "u5");
  EXPECT_EQ(reflectors.find("Pod", "", "n"), nullptr);
  EXPECT_EQ(reflectors.find("PriorityClass", "", "n"), nullptr);

  reflectors.stop();
  EXPECT_TRUE(http.open().empty());
  EXPECT_EQ(loop.next(), std::nullopt);
}

}  // namespace
}  // namespace berth::kube
