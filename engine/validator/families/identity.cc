// The file of a plugin: its note, its symbols, its descriptor.

#include <array>

#include "engine/base/error.h"
#include "engine/host/instance/text.h"
#include "engine/host/loading/elf_note.h"
#include "engine/host/loading/library.h"
#include "engine/host/loading/sealed_file.h"
#include "engine/validator/families/exported_symbols.h"
#include "engine/validator/families/families.h"
#include "engine/validator/trial/session.h"

namespace berth::validator {
namespace {

void check_note(const Subject& subject) {
  try {
    const host::SealedFile file(subject.file);
    const host::Identity identity = host::read_identity(file.bytes());
    const std::vector<std::string> problems = host::identity_problems(identity);
    if (!problems.empty()) throw Conviction("it " + joined(problems, "; "));
  } catch (const Error& failure) {
    throw Conviction(failure.message());
  }
}

void check_symbols(const Subject& subject) {
  try {
    const host::SealedFile file(subject.file);
    std::vector<std::string> names = exported_symbols(file.bytes());
    if (std::erase(names, BERTH_PLUGIN_ENTRY) == 0)
      throw Conviction("it does not export " BERTH_PLUGIN_ENTRY);
    if (names.empty()) return;
    const size_t count = names.size();
    if (count > 5) names.resize(5);
    throw Conviction("it exports " + std::to_string(count) + " more: " + joined(names, ", ") +
                     (count > 5 ? ", ..." : ""));
  } catch (const Error& failure) {
    throw Conviction(failure.message());
  }
}

void check_load(const Subject& subject) { load(subject); }

constexpr std::array<Check, 3> kIdentityChecks = {{
    {"identity.note",
     "A plugin is an ELF shared object with one note that names its id, its name, the ABI and the "
     "extension points, and that this host can load.",
     "abi/include/berth/abi/plugin.h", "", check_note},
    {"identity.symbols", "A plugin exports one symbol, " BERTH_PLUGIN_ENTRY ".",
     "abi/include/berth/abi/plugin.h", "identity.note", check_symbols},
    {"identity.load",
     "A plugin loads without undefined symbols, and its entry function returns a complete "
     "descriptor that says the same as the note.",
     "abi/include/berth/abi/plugin.h", "identity.note", check_load},
}};

}  // namespace

std::span<const Check> identity_checks() { return kIdentityChecks; }

}  // namespace berth::validator
