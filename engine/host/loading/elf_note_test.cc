#include "engine/host/loading/elf_note.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cstring>

#include "engine/base/error.h"
#include "engine/host/loading/note_writer.h"

namespace berth::host {
namespace {

using Bytes = std::vector<std::byte>;

template <typename T>
void append(Bytes& bytes, const T& value) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}

void append_text(Bytes& bytes, std::string_view text) {
  const auto* from = reinterpret_cast<const std::byte*>(text.data());
  bytes.insert(bytes.end(), from, from + text.size());
}

Bytes description(std::string_view text, std::array<uint16_t, 4> versions = {1, 2, 3, 0}) {
  Bytes bytes;
  append(bytes, versions);
  append_text(bytes, text);
  return bytes;
}

const std::string kText("io.example.rack\nRack\nberth.filter/0 berth.score/0\n\0", 51);

// The contents of .note.berth.
struct Note {
  std::string owner = std::string("Berth\0\0\0", 8);
  uint32_t owner_size = 6;
  uint32_t description_size = 0;  // 0: the actual size
  uint32_t type = 1;
  Bytes text = description(kText);
  std::string behind;

  Bytes bytes() const {
    Bytes all;
    append(all, owner_size);
    append(all, description_size != 0 ? description_size : static_cast<uint32_t>(text.size()));
    append(all, type);
    append_text(all, owner);
    all.insert(all.end(), text.begin(), text.end());
    append_text(all, behind);
    return all;
  }
};

// A shared object that consists of sections only: section 0, the names, and sections with notes.
struct Image {
  Elf64_Ehdr header{};
  std::vector<Elf64_Shdr> sections = std::vector<Elf64_Shdr>(2);
  Bytes contents;

  static constexpr char kNames[] = "\0.note.berth\0.text";

  Image() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_DYN;
#if defined(__x86_64__)
    header.e_machine = EM_X86_64;
#else
    header.e_machine = EM_AARCH64;
#endif
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shstrndx = 1;
    append(contents, kNames);
    sections[1].sh_offset = sizeof header;
    sections[1].sh_size = sizeof kNames;
  }

  Image& add(const Note& note) {
    const Bytes bytes = note.bytes();
    Elf64_Shdr section{};
    section.sh_name = 1;
    section.sh_type = SHT_NOTE;
    section.sh_offset = sizeof header + contents.size();
    section.sh_size = bytes.size();
    sections.push_back(section);
    contents.insert(contents.end(), bytes.begin(), bytes.end());
    return *this;
  }

  Bytes bytes() const {
    Elf64_Ehdr last = header;
    if (last.e_shoff == 0) last.e_shoff = sizeof header + contents.size();
    if (last.e_shnum == 0) last.e_shnum = static_cast<uint16_t>(sections.size());
    if (last.e_shnum == kNoCount) last.e_shnum = 0;
    Bytes all;
    append(all, last);
    all.insert(all.end(), contents.begin(), contents.end());
    for (const Elf64_Shdr& section : sections) append(all, section);
    return all;
  }
  static constexpr uint16_t kNoCount = 0xFFFF;
};

std::string problem(const Bytes& file) {
  try {
    read_identity(file);
  } catch (const Error& error) {
    return error.message();
  }
  return "fine";
}

std::string problem(const Note& note) { return problem(Image().add(note).bytes()); }

std::string text_problem(std::string_view text) {
  Note note;
  note.text = description(text);
  return problem(note);
}

TEST(ElfNote, ReadsTheIdentity) {
  const Identity identity = read_identity(Image().add(Note()).bytes());
  EXPECT_EQ(identity.abi_major, 1);
  EXPECT_EQ(identity.abi_minor_needed, 2);
  EXPECT_EQ(identity.abi_minor_built, 3);
  EXPECT_EQ(identity.id, "io.example.rack");
  EXPECT_EQ(identity.name, "Rack");
  EXPECT_EQ(identity.points, (std::vector<std::string>{"berth.filter/0", "berth.score/0"}));
}

TEST(ElfNote, ReadsTablesOfManySections) {
  Image image;
  image.add(Note());
  image.header.e_shnum = Image::kNoCount;
  image.sections[0].sh_size = image.sections.size();
  image.header.e_shstrndx = SHN_XINDEX;
  image.sections[0].sh_link = 1;
  EXPECT_EQ(problem(image.bytes()), "fine");
}

TEST(ElfNote, Sections) {
  EXPECT_EQ(problem(Image().bytes()),
            "not a Berth plugin: it has no section .note.berth (BERTH_PLUGIN_NOTE makes one)");
  EXPECT_EQ(problem(Image().add(Note()).add(Note()).bytes()),
            "malformed: it has two sections .note.berth");
  Image no_bytes;
  no_bytes.add(Note()).sections[2].sh_type = SHT_NOBITS;
  EXPECT_EQ(problem(no_bytes.bytes()), "malformed: its section .note.berth holds no bytes");
  Image other_name;
  other_name.add(Note()).sections[2].sh_name = 13;
  EXPECT_TRUE(problem(other_name.bytes()).starts_with("not a Berth plugin"));
  other_name.sections[2].sh_name = UINT32_MAX;
  EXPECT_TRUE(problem(other_name.bytes()).starts_with("not a Berth plugin"));
}

TEST(ElfNote, HostileOffsets) {
  const std::string table = "truncated: its section table is beyond the end of the file";
  for (const uint64_t offset : {uint64_t{1} << 40, UINT64_MAX, UINT64_MAX - 64}) {
    Image image;
    image.add(Note()).header.e_shoff = offset;
    EXPECT_EQ(problem(image.bytes()), table);
  }
  for (const uint64_t count : {uint64_t{4}, uint64_t{1} << 40, UINT64_MAX}) {
    Image image;
    image.add(Note()).header.e_shnum = Image::kNoCount;
    image.sections[0].sh_size = count;
    EXPECT_EQ(problem(image.bytes()), table);
  }
  for (const uint64_t offset : {uint64_t{1} << 40, UINT64_MAX}) {
    Image note;
    note.add(Note()).sections[2].sh_offset = offset;
    EXPECT_EQ(problem(note.bytes()),
              "truncated: its section .note.berth is beyond the end of the file");
    Image names;
    names.add(Note()).sections[1].sh_size = offset;
    EXPECT_EQ(problem(names.bytes()),
              "truncated: the names of its sections are beyond the end of the file");
  }
  Image index;
  index.add(Note()).header.e_shstrndx = 9;
  EXPECT_EQ(problem(index.bytes()), "malformed: it has no section with the names of its sections");
  Image size;
  size.add(Note()).header.e_shentsize = 1;
  EXPECT_EQ(problem(size.bytes()),
            "it has no section table, and so no section .note.berth with its identity");
  Image none;
  none.add(Note()).header.e_shnum = Image::kNoCount;
  EXPECT_EQ(problem(none.bytes()), table);
}

TEST(ElfNote, HeadersOfNotes) {
  Note owner;
  owner.owner = std::string("Birth\0\0\0", 8);
  EXPECT_EQ(problem(owner), "malformed note: its owner is not \"Berth\"");
  owner.owner_size = UINT32_MAX;
  EXPECT_EQ(problem(owner), "malformed note: its owner is not \"Berth\"");
  Note type;
  type.type = 2;
  EXPECT_EQ(problem(type), "malformed note: its type is 2 instead of 1");
  for (const uint32_t size : {uint32_t{1000}, UINT32_MAX}) {
    Note long_note;
    long_note.description_size = size;
    EXPECT_EQ(problem(long_note), "malformed note: its description does not fit into .note.berth");
  }
  Note two;
  two.behind = "more";
  EXPECT_EQ(problem(two), "malformed note: .note.berth holds more than one note");
  Note padded;
  padded.behind = std::string(3, '\0');
  EXPECT_EQ(problem(padded), "fine");
  Image empty;
  empty.add(Note()).sections[2].sh_size = 11;
  EXPECT_EQ(problem(empty.bytes()), "malformed note: .note.berth is too short for one");
  Note versions;
  versions.text.resize(7);
  EXPECT_EQ(problem(versions), "malformed note: its description has 7 bytes");
  // A later version may give it a meaning.
  Note fourth;
  fourth.text = description(kText, {1, 2, 3, 4});
  EXPECT_EQ(problem(fourth), "fine");
}

TEST(ElfNote, Texts) {
  EXPECT_EQ(text_problem("io.example.rack\nRack\nberth.filter/0\n"), "fine");
  const std::string lines = "malformed note: it needs an id, a name and points";
  EXPECT_EQ(text_problem(""), lines);
  EXPECT_EQ(text_problem("io.example.rack\nRack\n"), lines);
  const std::string id = "malformed note: its id is not in reverse DNS form (io.example.rack)";
  for (const char* bad : {"", "rack", "io..rack", ".io", "io.", "io rack.x", "io.\x01"}) {
    EXPECT_EQ(text_problem(std::string(bad) + "\nRack\nberth.filter/0\n"), id);
  }
  const std::string name =
      "malformed note: its name is not made of 1 to 255 letters, digits, '.', '-' and '_'";
  for (const std::string& bad : {std::string(), std::string("a b"), std::string(256, 'a')}) {
    EXPECT_EQ(text_problem("io.rack\n" + bad + "\nberth.filter/0\n"), name);
  }
}

TEST(ElfNote, Points) {
  const auto with = [](const std::string& points) {
    return text_problem("io.rack\nRack\n" + points + "\n");
  };
  EXPECT_EQ(with(""), "malformed note: it names no extension point");
  EXPECT_EQ(with("a/0 b/1 a/0"), "malformed note: it names the extension point a/0 twice");
  for (const char* bad : {"a", "a/", "/0", "a/x", "a/0  b/0", " a/0", "a/123456", "a/0/0"}) {
    EXPECT_EQ(with(bad),
              "malformed note: its extension points are not ids with a revision, separated by one "
              "space")
        << bad;
  }
  std::string many;
  for (int i = 0; i < 65; ++i) many += (i == 0 ? "a/" : " a/") + std::to_string(i);
  EXPECT_EQ(with(many), "malformed note: it has too many extension points");
}

TEST(ElfNote, WhatIsNeededAndWhatIsNewer) {
  const auto with = [](const std::string& needs) {
    return text_problem("io.rack\nRack\na/0\n" + needs);
  };
  EXPECT_EQ(with("berth.worker/0 node.label:example.com/rack node.domain:*\n"), "fine");
  EXPECT_EQ(with("\n"), "fine");
  const std::string needs =
      "malformed note: what it needs are not ids of columns and services, separated by one space";
  for (const char* bad : {"a  b\n", " a\n", "a,b\n", "a\tb\n"}) EXPECT_EQ(with(bad), needs) << bad;
  std::string many = "a";
  for (int i = 0; i < 256; ++i) many += " a";
  EXPECT_EQ(with(many + "\n"), "malformed note: it needs too many columns and services");
  // Lines of a later version, and an end without a line feed.
  EXPECT_EQ(with("a\nlater \x01\n\n"), "fine");
  EXPECT_EQ(with("more"), "fine");
  const Identity identity = parse_note(description("io.rack\nRack\na/0\nb c/1\nlater\n"));
  EXPECT_EQ(identity.needs, (std::vector<std::string>{"b", "c/1"}));
}

// Every file yields an identity or an Error; sanitizers check memory accesses.
TEST(ElfNote, AnyChangeOfBytesIsRead) {
  const Bytes good = Image().add(Note()).bytes();
  rc::check("mutations", [&] {
    Bytes file = good;
    const auto changes = *rc::gen::container<std::vector<std::pair<size_t, uint8_t>>>(
        rc::gen::pair(rc::gen::inRange<size_t>(0, good.size()), rc::gen::arbitrary<uint8_t>()));
    for (const auto& [at, value] : changes) file[at] = std::byte{value};
    file.resize(*rc::gen::inRange<size_t>(0, good.size() + 1));
    RC_ASSERT(!problem(file).empty());
  });
}

TEST(ElfNote, MadeNotesAreRead) {
  const Identity identity{.abi_major = 1,
                          .abi_minor_needed = 2,
                          .abi_minor_built = 3,
                          .id = "io.example.rack",
                          .name = "Rack",
                          .points = {"berth.filter/0", "berth.score/0"}};
  const Bytes note = make_note(identity);
  Note expected;
  expected.behind = std::string(1, '\0');  // up to a multiple of 4 bytes
  EXPECT_EQ(note, expected.bytes());
  EXPECT_EQ(parse_note(std::span(note).subspan(20)), identity);
}

TEST(ElfNote, OnlyValidNotesAreMade) {
  const Identity good{.abi_major = 1, .id = "a.b", .name = "B", .points = {"berth.filter/0"}};
  EXPECT_NO_THROW(make_note(good));
  for (const auto change :
       {+[](Identity& that) { that.id = "rack"; }, +[](Identity& that) { that.name = ""; },
        +[](Identity& that) { that.name = "A\nb.filter/0"; },
        +[](Identity& that) { that.points = {}; },
        +[](Identity& that) { that.points = {"filter"}; },
        +[](Identity& that) { that.points.push_back("berth.filter/0"); },
        +[](Identity& that) { that.points = {"a/0 b/0"}; }}) {
    Identity bad = good;
    change(bad);
    EXPECT_THROW(make_note(bad), Error) << bad.id << bad.name;
  }
}

}  // namespace
}  // namespace berth::host
