#pragma once

// Writes the ELF note of a plugin whose compiler cannot place a section; elf_note.h reads it.

#include <cstddef>
#include <vector>

#include "engine/host/loading/elf_note.h"

namespace berth::host {

// An identity with the version of this host's ABI, and without texts.
Identity identity_for_this_host();

// The contents of the section .note.berth for that identity. Throws Error without a place if
// read_identity() would refuse it.
std::vector<std::byte> make_note(const Identity& identity);

}  // namespace berth::host
