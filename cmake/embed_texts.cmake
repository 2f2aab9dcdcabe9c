# Writes OUTPUT, a source file that defines preset_texts() from the files PRESETS (a list) and
# schema_text() from the file SCHEMA:
#
#   cmake -D OUTPUT=a.cc -D "PRESETS=x.yaml;y.yaml" -D SCHEMA=s.json -P embed_texts.cmake

set(text "#include \"loadgen/workload/preset_texts.h\"\n\nnamespace berth::loadgen {\nnamespace {\n\n")
string(APPEND text "constexpr PresetText kTexts[] = {\n")
foreach(file IN LISTS PRESETS)
  cmake_path(GET file STEM name)
  file(READ ${file} content)
  string(APPEND text "    {\"${name}\", R\"preset(${content})preset\"},\n")
endforeach()
file(READ ${SCHEMA} content)
string(APPEND text "};\n\nconstexpr char kSchema[] = R\"schema(${content})schema\";\n\n}  // namespace\n\n")
string(APPEND text "std::span<const PresetText> preset_texts() { return kTexts; }\n\n")
string(APPEND text "std::string_view schema_text() { return kSchema; }\n\n")
string(APPEND text "}  // namespace berth::loadgen\n")
file(WRITE ${OUTPUT} "${text}")
