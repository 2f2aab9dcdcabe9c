#include "engine/host/loading/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <boost/dll/shared_library.hpp>
#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/mutex.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/faults/floating_point.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/host/faults/loaded_code.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/instance/text.h"
#include "engine/model/columns/catalog.h"

namespace berth::host {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const Identity& identity,
                         const std::vector<std::string>& problems) {
  throw Error(place_of(path), "plugin " + in_quotes(identity.name) + " " + joined(problems, "; "));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Keeps the library until the process ends; destroying it would unload it. The static vector keeps
// leak checkers quiet.
boost::dll::shared_library* keep(std::unique_ptr<boost::dll::shared_library> library) {
  static Mutex mutex;
  static auto& kept = *new std::vector<std::unique_ptr<boost::dll::shared_library>>;
  const MutexLock lock(mutex);
  return kept.emplace_back(std::move(library)).get();
}

// The loader's message about the failure, with the plugin's path in place of the name of its copy.
std::string loader_message(const std::error_code& error, const std::string& name,
                           const SealedFile& file, LoadFrom from) {
  const char* said = dlerror();
  const std::string message =
      replaced(said != nullptr ? said : error.message(), name, file.path().string());
  return message + advice_about(message, file.real_path(), from);
}

constexpr std::string_view kChanged =
    "its file was changed after it was read; start again when it is complete";

// Loads the file permanently. Returns the problem if that fails.
std::string open_library(SealedFile& file, LoadFrom wanted, const PluginFunction& constructors,
                         boost::dll::shared_library*& library) {
  namespace dll = boost::dll;
  const LoadFrom from = load_from(wanted);
  if (from == LoadFrom::kFile && !file.unchanged()) return std::string(kChanged);
  const std::string name = loader_name(file, from);
  auto opened = std::make_unique<dll::shared_library>();
  std::error_code error;
  {
    const LifeCycleCall scope(constructors);
    opened->load(name, error, dll::load_mode::rtld_now | dll::load_mode::rtld_local);
  }
  // Called before the destructors that the library's constructors registered.
  std::atexit(LifeCycleCall::begin_exit);
  note_loaded_code(name.c_str(), constructors);
  if (error) return loader_message(error, name, file, from);
  library = keep(std::move(opened));
  if (std::string problem = restore_floating_point(constructors.function); !problem.empty())
    return "it " + problem;
  if (from == LoadFrom::kFile) return file.unchanged() ? std::string() : std::string(kChanged);
  file.keep_descriptor();
  name_in_loader(library->native(), file.real_path());
  return {};
}

// Compares a descriptor with the note.
class DescriptorCheck {
 public:
  DescriptorCheck(const berth_plugin_descriptor& descriptor, const Identity& identity)
      : descriptor_(descriptor), identity_(identity) {}

  std::vector<std::string> run() {
    if (!BERTH_HAS(&descriptor_, destroy)) {
      return {"returned a descriptor of " + std::to_string(descriptor_.size) + " bytes; ABI " +
              host_abi() + " has " + std::to_string(sizeof descriptor_)};
    }
    number("ABI major", descriptor_.abi_major, identity_.abi_major);
    number("ABI minor needed", descriptor_.abi_minor_needed, identity_.abi_minor_needed);
    number("ABI minor built", descriptor_.abi_minor_built, identity_.abi_minor_built);
    text("id", descriptor_.id, identity_.id);
    text("name", descriptor_.name, identity_.name);
    text("extension points", descriptor_.extension_points, joined(identity_.points, " "));
    if (!copy_text(descriptor_.version)) malformed("version");
    zero("reserved0", descriptor_.reserved0);
    zero("reserved1", descriptor_.reserved1);
    present("create", descriptor_.create != nullptr);
    present("init", descriptor_.init != nullptr);
    present("extension", descriptor_.extension != nullptr);
    present("destroy", descriptor_.destroy != nullptr);
    return std::move(problems_);
  }

 private:
  void malformed(const std::string& what) {
    problems_.push_back("has a malformed " + what + " in its descriptor");
  }
  void differs(const std::string& what, const std::string& here, const std::string& there) {
    problems_.push_back("has the " + what + " " + here + " in its descriptor, but " + there +
                        " in its note");
  }
  void number(const std::string& what, uint16_t here, uint16_t there) {
    if (here != there) differs(what, std::to_string(here), std::to_string(there));
  }
  void text(const std::string& what, berth_string here, const std::string& there) {
    const auto copy = copy_text(here);
    if (!copy) return malformed(what);
    if (*copy != there) differs(what, in_quotes(*copy), in_quotes(there));
  }
  void zero(const char* member, uint32_t value) {
    if (const auto problem = reserved_problem(value, member))
      problems_.push_back("has " + *problem + ", in its descriptor");
  }
  void present(const std::string& what, bool there) {
    if (!there) problems_.push_back("has no " + what + " function in its descriptor");
  }

  const berth_plugin_descriptor& descriptor_;
  const Identity& identity_;
  std::vector<std::string> problems_;
};

// Functions that were loaded into this process.
class LoadedCode final : public PluginCode {
 public:
  explicit LoadedCode(const Library::Functions& functions) : functions_(functions) {}
  bool takes_arguments() const override { return functions_.validate != nullptr; }
  berth_code validate(const berth_config* config) const override {
    return functions_.validate(config);
  }
  berth_plugin* create() const override { return functions_.create(); }
  berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                  const berth_text_sink* error) const override {
    return functions_.init(plugin, host, config, error);
  }
  const void* extension(berth_plugin* plugin, berth_string id) const override {
    return functions_.extension(plugin, id);
  }
  void destroy(berth_plugin* plugin) const override { functions_.destroy(plugin); }

 private:
  const Library::Functions functions_;
};

// The descriptor that the entry function returns. If it is null, `problem` is set.
const berth_plugin_descriptor* call_entry(const boost::dll::shared_library& library,
                                          const PluginFunction& function, std::string& problem) {
  if (!library.has(BERTH_PLUGIN_ENTRY)) {
    problem = "exports no function " BERTH_PLUGIN_ENTRY;
    return nullptr;
  }
  const auto& entry = library.get<const berth_plugin_descriptor*()>(BERTH_PLUGIN_ENTRY);
  const berth_plugin_descriptor* descriptor = nullptr;
  try {
    const LifeCycleCall scope(function);
    descriptor = entry();
  } catch (...) {
    problem = caught_in(function);
    return nullptr;
  }
  problem = restore_floating_point(function.function);
  if (!problem.empty()) return nullptr;
  if (descriptor == nullptr) problem = "returned no descriptor from " BERTH_PLUGIN_ENTRY;
  return descriptor;
}

// The problem of something that the plugin needs; nothing if this host has it.
std::optional<std::string> need_problem(const std::string& id) {
  const bool is_service = id.starts_with("berth.") && id.find(':') == id.npos;
  if (!is_service) {
    if (model::find_known_column(id) != nullptr) return std::nullopt;
    return "needs the column " + id + ", which this Berth does not have";
  }
  const auto family = [](std::string_view of) { return of.substr(0, of.find('/')); };
  std::string others;
  for (const std::string_view known : known_services()) {
    if (known == id) return std::nullopt;
    if (family(known) == family(id)) others = known;
  }
  return "needs the service " + id +
         (others.empty() ? ", which this Berth does not have" : "; this Berth has " + others);
}

}  // namespace

std::string host_abi() {
  return std::to_string(BERTH_ABI_MAJOR) + "." + std::to_string(BERTH_ABI_MINOR);
}

std::vector<std::string> identity_problems(const Identity& identity, Revisions revisions) {
  std::vector<std::string> problems;
  if (identity.abi_major != BERTH_ABI_MAJOR) {
    problems.push_back("is built for ABI " + std::to_string(identity.abi_major) +
                       ".x; this Berth has " + host_abi());
  } else if (identity.abi_minor_needed > BERTH_ABI_MINOR) {
    problems.push_back("needs ABI " + std::to_string(identity.abi_major) + "." +
                       std::to_string(identity.abi_minor_needed) + " or later; this Berth has " +
                       host_abi());
  } else if (identity.abi_minor_built < identity.abi_minor_needed) {
    problems.push_back("needs ABI 1." + std::to_string(identity.abi_minor_needed) +
                       ", but was built for ABI 1." + std::to_string(identity.abi_minor_built));
  }
  for (const std::string& id : identity.needs)
    if (std::optional<std::string> problem = need_problem(id))
      problems.push_back(*std::move(problem));
  // A point that this host does not know at all is ignored: the minor version that the plugin needs
  // shows that it works without it. A point in other revisions alone is an error, because its hook
  // would silently never be called.
  const std::vector<const Revision*> chosen = choose_revisions(revisions, identity.points);
  for (const std::string& id : identity.points) {
    const std::string ours = accepted_revisions(revisions, id);
    const bool used = std::ranges::any_of(chosen, [&](const Revision* revision) {
      return !accepted_revisions({revision, 1}, id).empty();
    });
    if (!ours.empty() && !used) problems.push_back("implements " + id + "; this Berth has " + ours);
  }
  if (problems.empty() && chosen.empty()) {
    problems.push_back("implements no extension point that this Berth has (" +
                       joined(identity.points, " ") + ")");
  }
  return problems;
}

// With what the file says of the plugin.
std::shared_ptr<Library> Library::identified(const SealedFile& file, Revisions revisions) {
  std::shared_ptr<Library> made(new Library);
  made->path_ = file.path();
  made->hash_ = file.hash();
  try {
    made->identity_ = read_identity(file.bytes());
  } catch (const Error& failure) {
    throw Error(place_of(file.path()), failure.message());
  }
  const Identity& identity = made->identity_;
  const std::vector<std::string> problems = identity_problems(identity, revisions);
  if (!problems.empty()) refuse(file.path(), identity, problems);
  made->revisions_ = choose_revisions(revisions, identity.points);
  for (const Revision* revision : made->revisions_) made->points_.push_back(revision->point);
  return made;
}

std::shared_ptr<const Library> Library::load(SealedFile file, Revisions revisions, LoadFrom from) {
  const std::filesystem::path path = file.path();
  const std::shared_ptr<Library> made = identified(file, revisions);
  const Identity& identity = made->identity_;

  prepare_unwinder();
  boost::dll::shared_library* library = nullptr;
  std::string problem =
      open_library(file, from, made->function("its static constructors"), library);
  if (!problem.empty()) refuse(path, identity, {"cannot be loaded: " + problem});
  const berth_plugin_descriptor* descriptor =
      call_entry(*library, made->function(BERTH_PLUGIN_ENTRY), problem);
  if (descriptor == nullptr) refuse(path, identity, {problem});
  // The pointers in a descriptor are the plugin's: a crash that they cause is its own.
  const PluginFunction entry = made->function(BERTH_PLUGIN_ENTRY);
  const InPlugin scope(entry);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // nothing is read before
  const std::vector<std::string> problems = DescriptorCheck(*descriptor, identity).run();
  if (!problems.empty()) refuse(path, identity, problems);

  made->version_ = *copy_text(descriptor->version);
  made->functions_ = {descriptor->validate, descriptor->create, descriptor->init,
                      descriptor->extension, descriptor->destroy};
  made->code_ = std::make_shared<LoadedCode>(made->functions_);
  return made;
}

std::shared_ptr<const Library> Library::of(const SealedFile& file, std::string version,
                                           std::shared_ptr<const PluginCode> code) {
  const std::shared_ptr<Library> made = identified(file, host_revisions());
  for (const Revision* revision : made->revisions_) {
    if (revision->adapt == nullptr) continue;
    refuse(file.path(), made->identity_,
           {"implements " + std::string(revision->id) +
            ", a former revision, which cannot run in a process of its own"});
  }
  made->version_ = std::move(version);
  made->code_ = std::move(code);
  return made;
}

std::shared_ptr<const Library> Library::load(const std::filesystem::path& path,
                                             Revisions revisions) {
  return load(SealedFile(path), revisions);
}

bool Library::implements(Point point) const {
  return std::find(points_.begin(), points_.end(), point) != points_.end();
}

}  // namespace berth::host
