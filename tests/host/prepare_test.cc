// States of templates: how they are prepared, and how they end.

#include "tests/host/faulty_call.h"

namespace berth::host {
namespace {

TEST(Prepare, StateAndInputs) {
  Call c;
  Prepared prepared;
  const Filter& filter = c.hook<Filter>();
  EXPECT_EQ(text(filter.prepare(c.calls(), {}, prepared)), "fine");
#ifndef BERTH_TEST_ISOLATED
  EXPECT_EQ(*static_cast<const int*>(prepared.state()), 7);
#endif
  EXPECT_FALSE(prepared.narrowed());
  EXPECT_FALSE(prepared.passes());
  Prepared moved = std::move(prepared);
  EXPECT_NE(moved.state(), nullptr);

  Call narrows("prepare narrows");
  EXPECT_EQ(text(narrows.hook<Filter>().prepare(narrows.calls(), {}, prepared)), "fine");
  EXPECT_TRUE(prepared.narrowed());
  ASSERT_EQ(prepared.inputs().size(), 1u);
  EXPECT_EQ(narrows.instance.fake.model.column_id(prepared.inputs()[0]), "node.label:disk");
  prepared = Prepared();

  Call passes("prepare passes");
  EXPECT_EQ(text(passes.hook<Filter>().prepare(passes.calls(), {}, prepared)), "fine");
  EXPECT_TRUE(prepared.passes());
  prepared = Prepared();

  Call nothing("hook prepares nothing");
  EXPECT_FALSE(nothing.hook<Filter>().prepares());
  EXPECT_EQ(text(nothing.hook<Filter>().prepare(nothing.calls(), {}, prepared)), "fine");
  EXPECT_EQ(prepared.state(), nullptr);
}

TEST(Prepare, Broken) {
  Prepared p;
  expect_all_broken(
      {{"prepare sets unknown flags", &Call::prepare,
        "returned the unknown flags 8 from prepare of Filter"},
       {"prepare sets something reserved", &Call::prepare,
        "returned 7 in the member reserved, which must be 0, from prepare of Filter"},
       {"prepare reads what is not declared", &Call::prepare,
        "returned the column \"node.ports\", which its declaration does not cover, as input 0 from "
        "prepare of Filter"},
       {"prepare reads what there is not", &Call::prepare,
        "returned a column that does not exist (number 4711) as input 0 from prepare of Filter"}});
  Call throws("prepare throws");
  EXPECT_EQ(text(throws.hook<Filter>().prepare(throws.calls(), {}, p)),
            "plugin \"Faulty\" threw an exception in Filter: bad luck");
  EXPECT_EQ(p.state(), nullptr);
  Call asks("prepare asks for an unknown column");
  EXPECT_EQ(text(asks.hook<Filter>().prepare(asks.calls(), {}, p)),
            "no such column; it asked for the column \"pod.lable:example.com/rack\", which this "
            "Berth does not have; did you mean pod.label:example.com/rack?");
}

TEST(Prepare, ReleaseThrows) {
  Call c("release throws");
  {
    Prepared prepared;
    EXPECT_EQ(text(c.hook<Filter>().prepare(c.calls(), {}, prepared)), "fine");
  }
  EXPECT_EQ(c.instance.fake.log.lines,
            std::vector<std::string>{"1 Faulty: threw an exception in release: bad luck"});
}

}  // namespace
}  // namespace berth::host
