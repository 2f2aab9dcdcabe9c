# Writes OUTPUT, a source file that defines plugin_templates() from the files TEMPLATES (a list) below
# FOLDER. Each has its path in FOLDER as its name, without .in:
#
#   cmake -D OUTPUT=a.cc -D FOLDER=b -D "TEMPLATES=b/c/x.in;b/c/y.in" -P embed_templates.cmake

set(text "#include \"cli/project/plugin_templates.h\"\n\nnamespace berth::cli {\nnamespace {\n\n")
string(APPEND text "constexpr PluginTemplate kTemplates[] = {\n")
foreach(file IN LISTS TEMPLATES)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${FOLDER} OUTPUT_VARIABLE name)
  cmake_path(REMOVE_EXTENSION name LAST_ONLY)
  file(READ ${file} content)
  string(APPEND text "    {\"${name}\", R\"template(${content})template\"},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\n")
string(APPEND text "std::span<const PluginTemplate> plugin_templates() { return kTemplates; }\n\n")
string(APPEND text "}  // namespace berth::cli\n")
file(WRITE ${OUTPUT} "${text}")
