// Garbage as arguments: objects with the members that the plugin asks for, and values of every
// kind.

#include <array>
#include <set>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/host/instance/text.h"
#include "engine/host/instance/validate.h"
#include "engine/validator/families/families.h"
#include "engine/validator/trial/session.h"

namespace berth::validator {
namespace {

// The names of members that the plugin asked for, of whichever object.
class Names {
 public:
  // A reader of the tree's arguments that notes names. One at a time.
  static berth_config noting(const host::ConfigTree& tree) {
    berth_config config = *tree.config();
    member_ = config.member;
    config.member = member;
    accept_ = config.accept;
    config.accept = accept;
    left_to_host_ = false;
    return config;
  }
  // True if the last reader left a part to the host, which checks it in init.
  static bool left_to_host() { return left_to_host_; }
  static std::vector<std::string> all() { return {names_.begin(), names_.end()}; }

 private:
  static uint32_t member(const berth_config* config, uint32_t node, berth_string name) {
    if (names_.size() < 200)
      if (auto copy = host::copy_text(name)) names_.insert(*std::move(copy));
    return member_(config, node, name);
  }

  static void accept(const berth_config* config, uint32_t node) {
    left_to_host_ = true;
    accept_(config, node);
  }

  static inline std::set<std::string> names_;
  static inline decltype(berth_config::member) member_ = nullptr;
  static inline decltype(berth_config::accept) accept_ = nullptr;
  static inline bool left_to_host_ = false;
};

// A value of any kind, as JSON. `depth`: how many objects and arrays may follow inside.
std::string random_value(Draws& draws, const std::vector<std::string>& names, int depth);

std::string random_object(Draws& draws, const std::vector<std::string>& names, int depth) {
  std::string text = "{";
  for (const std::string& name : names) {
    if (!draws.percent(40)) continue;
    text += (text.size() > 1 ? "," : "") + document::quoted(name) + ":" +
            random_value(draws, names, depth);
  }
  return text + "}";
}

std::string random_value(Draws& draws, const std::vector<std::string>& names, int depth) {
  static const std::vector<std::string> kValues = {"null",
                                                   "true",
                                                   "false",
                                                   "0",
                                                   "1",
                                                   "-1",
                                                   "100",
                                                   "101",
                                                   "2147483648",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "1e400",
                                                   "0.5",
                                                   "-0.0",
                                                   R"("")",
                                                   R"("a")",
                                                   R"("cpu")",
                                                   R"("\u0000")",
                                                   R"("kubernetes.io/hostname")",
                                                   R"("not a key!")",
                                                   R"("\ud83d\ude00")",
                                                   "[]",
                                                   "{}"};
  if (draws.percent(3)) return document::quoted(std::string(100'000, 'x'));
  if (depth == 0 || draws.percent(60)) return draws.one_of(kValues);
  if (draws.percent(50)) return random_object(draws, names, depth - 1);
  std::string text = "[";
  for (int64_t i = draws.between(1, 3); i > 0; --i)
    text += random_value(draws, names, depth - 1) + (i > 1 ? "," : "");
  return text + "]";
}

std::string shortened(const std::string& text) {
  return text.size() <= 200 ? text : text.substr(0, 200) + "...";
}

// The answer of validate. Notes the names that it asks for.
bool accepts(const host::Library& library, const host::Arguments& arguments,
             const std::string& text) {
  host::ConfigTree tree(arguments);
  const berth_config config = Names::noting(tree);
  const host::PluginFunction function = library.function("validate");
  berth_code code = BERTH_SUCCESS;
  try {
    const host::LifeCycleCall scope(function);
    code = library.functions().validate(&config);
  } catch (...) {
    throw Conviction("validate " + host::caught_in(function) + ", of " + shortened(text));
  }
  const bool clean = tree.errors().empty();
  if (code != BERTH_SUCCESS && clean)
    throw Conviction("validate refuses " + shortened(text) + " without reporting an error (code " +
                     std::to_string(code) + ")");
  return clean;
}

void check_garbage(const Subject& subject) {
  const auto library = load(subject);
  if (!library->takes_arguments()) throw NotApplicable("the plugin takes no arguments");
  Draws draws(subject.seed);
  static_cast<void>(accepts(*library, subject.arguments, "the arguments of the check"));
  Session session(subject, library);
  for (int i = 0; i < 400; ++i) {
    const std::string text = random_object(draws, Names::all(), 3);
    Diagnostics diagnostics;
    const auto document = document::Document::parse(text, "garbage", diagnostics);
    if (diagnostics.count() != 0 || document.roots().empty()) continue;
    const host::Arguments arguments{document.roots()[0], {.file = "garbage", .field = "args"}};
    if (!accepts(*library, arguments, text)) continue;
    host::HookTable hooks;
    try {
      const host::Instance instance(library, session.environment(hooks), session.calls(),
                                    arguments);
    } catch (const Error& failure) {
      if (Names::left_to_host()) continue;
      throw Conviction("validate accepts " + shortened(text) + ", and then: " + failure.message());
    }
  }
}

void check_defaults(const Subject& subject) {
  const auto library = load(subject);
  if (!library->takes_arguments()) throw NotApplicable("the plugin takes no arguments");
  const std::vector<Error> errors = host::validate(*library, subject.arguments);
  if (errors.empty()) return;
  const Place& place = errors.front().place();
  throw Conviction("validate refuses them: " + (place.field.empty() ? "" : place.field + ": ") +
                   errors.front().message() +
                   (subject.arguments.value.present()
                        ? ""
                        : "; --arguments FILE gives a plugin the arguments that it needs"));
}

constexpr std::array<Check, 2> kArgumentChecks = {{
    {"arguments.given", "validate accepts the arguments with which the plugin is checked.",
     "abi/include/berth/abi/plugin.h", "identity.load", check_defaults},
    {"arguments.garbage",
     "validate reports every error through the error function of the arguments and never throws; "
     "init accepts what validate has accepted.",
     "abi/include/berth/abi/plugin.h", "life.start", check_garbage, false, true},
}};

}  // namespace

std::span<const Check> argument_checks() { return kArgumentChecks; }

}  // namespace berth::validator
