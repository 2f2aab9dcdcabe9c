#include "plugins/coscheduling/coscheduling.h"

BERTH_SDK_PLUGIN(berth::plugins::Coscheduling, "io.berth.coscheduling", "Coscheduling",
                 BERTH_QUEUE_SORT " " BERTH_POST_FILTER " " BERTH_RESERVE " " BERTH_PERMIT
                                  " " BERTH_HINTS,
                 "pod.group", "pod.group_min_member", "pod.group_created_at",
                 "pod.group_timeout_seconds", "pod.group_placed");
