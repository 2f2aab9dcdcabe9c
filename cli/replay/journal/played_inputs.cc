#include "cli/replay/journal/played_inputs.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "engine/base/error.h"

namespace berth::cli {
namespace {

namespace files = std::filesystem;

constexpr size_t kDrawn = 6;  // characters of a folder's name that mkdtemp() draws
constexpr std::string_view kStream = "journal:";
// Their files are read by those who need a name.
constexpr auto kNamedFiles =
    std::to_array<std::string_view>({"--admission-control-config-file", "--config"});
constexpr auto kInputs = std::to_array<std::string_view>({"--cluster", "--pods", "FILE"});

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool named_by(const JournalSettings& settings, const std::string& path,
              std::span<const std::string_view> names) {
  return std::ranges::any_of(settings.options, [&](const JournalOption& option) {
    return is_one_of(option.name, names) &&
           std::ranges::find(option.values, path) != option.values.end();
  });
}

std::string new_folder() {
  std::string made =
      (files::temp_directory_path() / "berth-replay-").string() + std::string(kDrawn, 'X');
  if (mkdtemp(made.data()) == nullptr)
    throw Error(Place{.file = made, .field = {}},
                "cannot be created: " + std::generic_category().message(errno));
  return made;
}

}  // namespace

PlayedInputs::PlayedInputs(const Journal& journal) : journal_(journal) {
  const std::vector<JournalInput>& inputs = journal.settings().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const JournalInput& input = inputs[i];
    const bool by_name = named_by(journal.settings(), input.path, kNamedFiles);
    if (input.folder.empty() && !by_name) {
      add_name(input.path, fmt::format("{}{}", kStream, i));
      continue;
    }
    if (folder_.empty()) folder_ = new_folder();
    const std::string& group = input.folder.empty() ? input.path : input.folder;
    const files::path to = made_name(group) != group ? files::path(made_name(group))
                                                     : files::path(folder_) / fmt::format("{}", i);
    add_name(group, to.string());
    if (input.folder.empty()) {
      write_file(i, to.string());
      continue;
    }
    files::create_directories(to);
    write_file(i, (to / files::path(input.path).filename()).string());
  }
}

PlayedInputs::~PlayedInputs() {
  std::error_code none;
  if (!folder_.empty()) files::remove_all(folder_, none);
}

void PlayedInputs::write_file(size_t number, const std::string& to) const {
  const std::unique_ptr<ByteSource> source = journal_.input(number);
  FileSink sink(to);
  sink.write(read_all(*source));
}

void PlayedInputs::add_name(const std::string& given, std::string made) {
  if (made_name(given) == given) names_.push_back({std::move(made), given});
}

std::string PlayedInputs::made_name(const std::string& given) const {
  const auto at = std::ranges::find(names_, given, &MessageScope::Name::given);
  return at == names_.end() ? given : at->made;
}

std::vector<JournalOption> PlayedInputs::options() const {
  std::vector<JournalOption> options = journal_.settings().options;
  for (JournalOption& option : options) {
    if (!is_one_of(option.name, kNamedFiles) && !is_one_of(option.name, kInputs)) continue;
    for (std::string& value : option.values) {
      std::string made = made_name(value);
      if (made == value)
        throw Error(Place{.file = journal_.path(), .field = {}},
                    "the journal names an input that it does not have: " + value);
      value = std::move(made);
    }
  }
  return options;
}

void PlayedInputs::attach(RunOptions& run) const {
  run.hooks.open = [this](const std::string& path) {
    if (!path.starts_with(kStream)) return ingest::open_input(path);
    // All options are made names, which have a number.
    return ingest::recognise(journal_.input(std::stoul(path.substr(kStream.size()))));
  };
}

}  // namespace berth::cli
