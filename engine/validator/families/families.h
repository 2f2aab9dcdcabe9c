#pragma once

// The tables of checks, one for each family; checks.cc puts them in order.

#include <span>

#include "engine/validator/check.h"

namespace berth::validator {

class Session;

std::span<const Check> identity_checks();    // the file, the note, the descriptor
std::span<const Check> life_checks();        // the first instance
std::span<const Check> process_checks();     // what belongs to the host in its process
std::span<const Check> later_life_checks();  // several instances, leaks
std::span<const Check> argument_checks();    // garbage as arguments
std::span<const Check> call_checks();        // every hook, called as a host does
std::span<const Check> row_checks();         // one answer for a position, however a call is cut
std::span<const Check> memory_checks();      // what a hook reads and writes
std::span<const Check> input_checks();       // what an answer depends on
std::span<const Check> evaluation_checks();  // what a host keeps
std::span<const Check> service_checks();     // threads and services

// Calls every hook as a host does, for the check of calls and those that look at what follows.
// Throws Conviction.
void call_every_hook(Session& session);

}  // namespace berth::validator
