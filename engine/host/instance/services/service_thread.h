#pragma once

// The threads on which a plugin may call services: base.h of the ABI, rule 5.

#include <string_view>

#include "berth/abi/host.h"

namespace berth::host {

// For functions of services that belong to the thread that owns the model. True if the plugin calls
// from one of its functions with the tag [bind] or [rows], which then fails (TagScope), or from no
// function of its own, such as on a thread that it made, which is logged. The service then does
// nothing. `function`: "strings.intern"; a literal.
bool refuses_thread(const berth_host* host, const char* function);

// Logs that the plugin called a function of a service where it may not, once for each text.
// `may`: the rest of the sentence.
void log_refused(const berth_host* host, std::string_view function, std::string_view may);

// The same for a call of which its process told later, on a thread that ran none of the plugin's
// functions.
void log_stray(const berth_host* host, std::string_view function, std::string_view may);
void log_stray_lookup(const berth_host* host, std::string_view service);

// True, and logged, if the plugin asks for a service outside of the functions with the tag [init].
bool refuses_lookup(const berth_host* host, std::string_view service);

}  // namespace berth::host
