#pragma once

namespace berth {

// The cores that this process may use, or 0 if that cannot be found out. Any thread.
unsigned usable_cores();

}  // namespace berth
