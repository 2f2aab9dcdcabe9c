// berth plugin note: the ELF note of a plugin in a language that cannot place a section.

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <span>
#include <string>

#include "cli/commands/command.h"
#include "engine/base/io/new_file.h"
#include "engine/base/program/checks.h"
#include "engine/host/loading/note_writer.h"

namespace berth::cli {
namespace {

struct NoteOptions {
  std::string file;
  host::Identity identity;
};

void write_note(const NoteOptions& options) {
  const std::vector<std::byte> note = host::make_note(options.identity);
  NewFile out(options.file);
  out.write(std::span(reinterpret_cast<const uint8_t*>(note.data()), note.size()));
  out.finish();
}

}  // namespace

void add_plugin_note(CLI::App& plugin) {
  CLI::App* command = plugin.add_subcommand(
      "note",
      "write the section .note.berth of a plugin, for languages that cannot place sections: "
      "objcopy --add-section .note.berth=FILE PLUGIN.so");
  auto options = std::make_shared<NoteOptions>();
  options->identity = host::identity_for_this_host();
  command->add_option("FILE", options->file, "the file to write; - is standard output")->required();
  const auto text = [&](const char* name, std::string& to, const char* what) {
    command->add_option(name, to, what)->required()->option_text("TEXT");
  };
  text("--id", options->identity.id, "the plugin's id, as in its descriptor: com.example.rack");
  text("--name", options->identity.name, "its name in configurations: Rack");
  command
      ->add_option("--points", options->identity.points,
                   "the ids of its extension points: berth.filter/0,berth.score/0")
      ->delimiter(',')
      ->required()
      ->option_text("ID[,ID...]");
  command
      ->add_option("--needs", options->identity.needs,
                   "the ids of columns and services that it cannot do without: berth.worker/0")
      ->delimiter(',')
      ->option_text("ID[,ID...]");
  const auto minor = [&](const char* name, uint16_t& to, const char* what) {
    command->add_option(name, to, what)
        ->check(check::whole_number(0, std::numeric_limits<uint16_t>::max()))
        ->default_str("")
        ->option_text("MINOR");
  };
  minor("--needed", options->identity.abi_minor_needed,
        "the minor version of the ABI that it needs (0)");
  minor("--built", options->identity.abi_minor_built,
        "the minor version that it was built for (that of this program)");
  command->callback([=] { write_note(*options); });
}

}  // namespace berth::cli
