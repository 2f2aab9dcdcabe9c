#include "plugins/priority_sort/priority_sort.h"

BERTH_SDK_PLUGIN(berth::sdk::Hooks<berth::plugins::PrioritySort>, "io.berth.priority-sort",
                 "PrioritySort", BERTH_QUEUE_SORT);
