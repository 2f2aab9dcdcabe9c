#include "engine/host/loading/note_writer.h"

#include <elf.h>

#include <array>
#include <string>

#include "berth/abi/plugin.h"
#include "engine/base/error.h"
#include "engine/base/text/joined.h"

namespace berth::host {
namespace {

void append(std::vector<std::byte>& bytes, const void* from, size_t size) {
  const auto* begin = static_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), begin, begin + size);
}

// Up to a multiple of 4 bytes.
void pad(std::vector<std::byte>& bytes) { bytes.resize((bytes.size() + 3) & ~size_t{3}); }

std::vector<std::byte> description_of(const Identity& identity) {
  const std::array<uint16_t, 4> versions = {identity.abi_major, identity.abi_minor_needed,
                                            identity.abi_minor_built, 0};
  std::string text =
      identity.id + "\n" + identity.name + "\n" + joined(identity.points, " ") + "\n";
  if (!identity.needs.empty()) text += joined(identity.needs, " ") + "\n";
  std::vector<std::byte> bytes;
  append(bytes, versions.data(), sizeof versions);
  append(bytes, text.c_str(), text.size() + 1);
  return bytes;
}

}  // namespace

Identity identity_for_this_host() {
  Identity identity;
  identity.abi_major = BERTH_ABI_MAJOR;
  identity.abi_minor_built = BERTH_ABI_MINOR;
  return identity;
}

std::vector<std::byte> make_note(const Identity& identity) {
  const std::vector<std::byte> description = description_of(identity);
  if (parse_note(description) != identity)
    throw Error("a text of the identity has a line feed or a space in it");
  const Elf64_Nhdr header = {.n_namesz = sizeof(BERTH_NOTE_NAME),
                             .n_descsz = static_cast<Elf64_Word>(description.size()),
                             .n_type = BERTH_NOTE_TYPE};
  std::vector<std::byte> note;
  append(note, &header, sizeof header);
  append(note, BERTH_NOTE_NAME, sizeof(BERTH_NOTE_NAME));
  pad(note);
  append(note, description.data(), description.size());
  pad(note);
  return note;
}

}  // namespace berth::host
