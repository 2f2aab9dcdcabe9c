#pragma once

// The command may not say what Blinking does: check_policy.sh has to notice.
