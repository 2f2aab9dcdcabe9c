#pragma once

// The code of a plugin, as a rule loaded into the process. It is never unloaded: threads,
// thread-local variables and unique symbols of a shared object may be in use at any later time.
//
// A plugin cannot be contained while it is being loaded: if its static initialisers throw, the
// process ends, because the loader's frames cannot be unwound.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/plugin.h"
#include "engine/host/calls/revisions.h"
#include "engine/host/faults/in_plugin.h"
#include "engine/host/loading/elf_note.h"
#include "engine/host/loading/loader_view.h"
#include "engine/host/loading/plugin_code.h"
#include "engine/host/loading/sealed_file.h"

namespace berth::host {

// Immutable after load(), and therefore thread-safe. Instances share it. The destructor does not
// unload the code.
class Library {
 public:
  // Checks the identity, loads the bytes of the copy, calls the entry function, and checks that the
  // descriptor agrees with the note. Throws Error with the path as its place and all problems as
  // its text.
  //
  // Runs code of the plugin: static initialisers and the entry function, as LifeCycleCall.
  //
  // `revisions`: the revisions of extension points that are accepted; they outlive the library.
  // `from`: as loader_view.h says. kFile: also an Error if the file has changed.
  static std::shared_ptr<const Library> load(SealedFile file,
                                             Revisions revisions = host_revisions(),
                                             LoadFrom from = LoadFrom::kSealedCopy);
  static std::shared_ptr<const Library> load(const std::filesystem::path& path,
                                             Revisions revisions = host_revisions());

  // A plugin whose code runs elsewhere: checks the identity in the file and runs nothing of it.
  // `version`: the plugin's own. Throws Error as load() does, and for a plugin that implements a
  // point in a former revision.
  static std::shared_ptr<const Library> of(const SealedFile& file, std::string version,
                                           std::shared_ptr<const PluginCode> code);

  const std::filesystem::path& path() const { return path_; }
  const std::string& hash() const { return hash_; }  // of the bytes that were loaded
  const Identity& identity() const { return identity_; }
  const std::string& name() const { return identity_.name; }
  // The plugin's own version, shown to people.
  const std::string& version() const { return version_; }

  // The points that the plugin implements and the revision that is used of each, in step, in the
  // order of the note.
  const std::vector<Point>& points() const { return points_; }
  const std::vector<const Revision*>& revisions() const { return revisions_; }
  bool implements(Point point) const;

  // False: the plugin ignores arguments, so arguments in a configuration have no effect.
  bool takes_arguments() const { return code_->takes_arguments(); }

  // One of the plugin's functions, for scopes of calls. `function` is a literal; the library
  // outlives the result.
  PluginFunction function(std::string_view function) const {
    return {identity_.name, function, path_.native()};
  }

  // The functions of the descriptor, wherever they run.
  const PluginCode& code() const { return *code_; }

  // Those of a plugin that load() loaded into this process, copied when the descriptor was checked:
  // all but `validate` are set. Null for other plugins.
  struct Functions {
    decltype(berth_plugin_descriptor::validate) validate = nullptr;
    decltype(berth_plugin_descriptor::create) create = nullptr;
    decltype(berth_plugin_descriptor::init) init = nullptr;
    decltype(berth_plugin_descriptor::extension) extension = nullptr;
    decltype(berth_plugin_descriptor::destroy) destroy = nullptr;
  };
  const Functions& functions() const { return functions_; }

 private:
  Library() = default;
  static std::shared_ptr<Library> identified(const SealedFile& file, Revisions revisions);

  std::filesystem::path path_;
  std::string hash_;
  Identity identity_;
  std::string version_;
  std::vector<Point> points_;
  std::vector<const Revision*> revisions_;
  Functions functions_;
  std::shared_ptr<const PluginCode> code_;
};

// The version of the ABI that this host offers, for messages ("1.1").
std::string host_abi();

// The reasons why this host cannot load a plugin with that identity; empty if it can.
[[nodiscard]] std::vector<std::string> identity_problems(const Identity& identity,
                                                         Revisions revisions = host_revisions());

}  // namespace berth::host
