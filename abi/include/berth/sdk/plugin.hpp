#pragma once

// The plugin class, with hooks as members, and the macro that exports it.
//
//   class Rack : public sdk::Plugin {
//    public:
//     Rack() { add(filter_); }
//    private:
//     RackFilter filter_;  // derives from sdk::Filter<>
//   };
//   BERTH_SDK_PLUGIN(Rack, "io.example.rack", "Rack", BERTH_FILTER);
//
// If the hooks share nothing, use sdk::Hooks<RackFilter> in place of the class.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <tuple>

#include "berth/sdk/plugin_base.hpp"

namespace berth::sdk {

// The minor version that the class of a hook or of a plugin needs for itself.
template <class T>
consteval uint16_t minor_of() {
  if constexpr (requires { T::kNeedsMinor; }) {
    return T::kNeedsMinor;
  } else {
    return 0;
  }
}

// A plugin that consists of these hooks alone.
template <class... Members>
class Hooks : public Plugin {
 public:
  static constexpr uint16_t kNeedsMinor = std::max({uint16_t{0}, minor_of<Members>()...});

  Hooks() {
    std::apply([this](auto&... hooks) { this->add(hooks...); }, members_);
  }

 private:
  std::tuple<Members...> members_;
};

// The functions in the descriptor of a plugin of class P.
template <class P>
struct Descriptor {
  static berth_code run_validate(const berth_config* config) {
    berth_config* context = const_cast<berth_config*>(config);
    const berth_text_sink to_root = {sizeof(to_root), 0, context, [](void* c, berth_string text) {
                                       Config(static_cast<berth_config*>(c)).error(to_view(text));
                                     }};
    return guarded(&to_root, [&] { P::validate(Config(config)); });
  }
  // Null if the class has no `validate`: the plugin takes no arguments.
  static constexpr auto validate() -> berth_code (*)(const berth_config*) {
    if constexpr (requires(Config config) { P::validate(config); }) {
      return run_validate;
    } else {
      return nullptr;
    }
  }
  static berth_plugin* create() {
    berth_plugin* made = nullptr;
    guarded(nullptr, [&] { made = std::make_unique<P>().release()->to_abi(); });
    return made;
  }
  static const void* extension(berth_plugin* plugin, berth_string id) {
    const void* table = nullptr;
    guarded(nullptr, [&] { table = Plugin::from_abi(plugin).extension(to_view(id)); });
    return table;
  }
  static void destroy(berth_plugin* plugin) { delete &Plugin::from_abi(plugin); }

  // `otherwise`: of a plugin whose class has none.
  static constexpr std::string_view version(std::string_view otherwise) {
    if constexpr (requires { P::kVersion; }) {
      return P::kVersion;
    } else {
      return otherwise;
    }
  }
};

// The ELF note of berth/abi/plugin.h.
template <size_t kSize>
struct Note {
  uint32_t name_size, description_size, type;
  char owner[8];
  uint16_t versions[4];
  char text[kSize];
};

// The lines of a note. `texts`: the id, the name, the extension points, and what is needed.
constexpr size_t note_size(std::initializer_list<std::string_view> texts) {
  size_t size = 1;  // the zero byte
  for (const std::string_view text : texts) size += text.size() + 1;
  return size;
}
template <size_t kSize>
consteval Note<kSize> make_note(uint16_t minor_needed,
                                std::initializer_list<std::string_view> texts) {
  Note<kSize> note = {sizeof(BERTH_NOTE_NAME),
                      sizeof note.versions + kSize,
                      BERTH_NOTE_TYPE,
                      BERTH_NOTE_NAME,
                      {BERTH_ABI_MAJOR, minor_needed, BERTH_ABI_MINOR, 0},
                      {}};
  size_t at = 0, number = 0;
  for (const std::string_view text : texts) {
    for (const char c : text) note.text[at++] = c;
    // All that is needed is in one line.
    note.text[at++] = ++number > 3 && number < texts.size() ? ' ' : '\n';
  }
  return note;
}

}  // namespace berth::sdk

// The version of a plugin whose class has no kVersion, as a string literal. A build defines it:
// berth_add_plugin() of the CMake package does so with the version of the project.
#ifndef BERTH_PLUGIN_VERSION
#define BERTH_PLUGIN_VERSION ""
#endif

// Defines the plugin's note, descriptor and entry function. `points`: the ids of all extension
// points that the plugin implements, as one literal, separated by one space. Behind it may follow
// the ids of columns and services that the plugin cannot do without, those that came after ABI 1.0
// at least: hosts that lack them then refuse it before its code runs. The plugin does not start
// with inputs and services that are missing there. Use once, at file scope.
#define BERTH_SDK_PLUGIN(Class, plugin_id, plugin_name, /* points */...)                      \
  BERTH_SDK_PLUGIN_OF(                                                                        \
      Class, plugin_id, plugin_name,                                                          \
      (std::max(::berth::sdk::minor_needed({__VA_ARGS__}), ::berth::sdk::minor_of<Class>())), \
      BERTH_SDK_FIRST(__VA_ARGS__, ), __VA_ARGS__)

// The same for a plugin that states the minor version itself.
#define BERTH_SDK_PLUGIN_NEEDING(Class, plugin_id, plugin_name, minor_needed, points) \
  BERTH_SDK_PLUGIN_OF(Class, plugin_id, plugin_name, minor_needed, points, points)

#define BERTH_SDK_FIRST(first, ...) first

#define BERTH_SDK_PLUGIN_OF(Class, plugin_id, plugin_name, minor_needed, points, /* uses */...) \
  [[gnu::used, gnu::aligned(4),                                                                 \
    gnu::section(".note.berth")]] static constexpr auto berth_sdk_note =                        \
      ::berth::sdk::make_note<::berth::sdk::note_size({plugin_id, plugin_name, __VA_ARGS__})>(  \
          minor_needed, {plugin_id, plugin_name, __VA_ARGS__});                                 \
  static berth_code berth_sdk_init(berth_plugin* plugin, const berth_host* host,                \
                                   const berth_config* config, const berth_text_sink* error) {  \
    return ::berth::sdk::guarded(error, [&] {                                                   \
      auto& self = ::berth::sdk::Plugin::from_abi(plugin);                                      \
      if (!self.has_exactly(points))                                                            \
        throw ::berth::sdk::Failure(                                                            \
            "the hooks of this plugin differ from the declared extension points");              \
      self.start(::berth::sdk::Host(host, ::berth::sdk::Needs(minor_needed)),                   \
                 ::berth::sdk::Config(config));                                                 \
    });                                                                                         \
  }                                                                                             \
  BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void) {                     \
    using Functions = ::berth::sdk::Descriptor<Class>;                                          \
    static constexpr berth_plugin_descriptor kDescriptor = {                                    \
        sizeof(berth_plugin_descriptor),                                                        \
        BERTH_ABI_MAJOR,                                                                        \
        minor_needed,                                                                           \
        BERTH_ABI_MINOR,                                                                        \
        0,                                                                                      \
        0,                                                                                      \
        ::berth::sdk::to_abi(plugin_id),                                                        \
        ::berth::sdk::to_abi(plugin_name),                                                      \
        ::berth::sdk::to_abi(Functions::version(BERTH_PLUGIN_VERSION)),                         \
        ::berth::sdk::to_abi(points),                                                           \
        Functions::validate(),                                                                  \
        Functions::create,                                                                      \
        berth_sdk_init,                                                                         \
        Functions::extension,                                                                   \
        Functions::destroy};                                                                    \
    return &kDescriptor;                                                                        \
  }                                                                                             \
  static_assert(true)
