# Writes OUTPUT, a source that defines preset_texts(), from the files FILES (a list).
#   cmake -D OUTPUT=a.cc -D "FILES=x.yaml;y.yaml" -P embed_presets.cmake

set(text "#include \"loadgen/preset_texts.h\"\n\nnamespace berth::loadgen {\nnamespace {\n\n")
string(APPEND text "constexpr PresetText kTexts[] = {\n")
foreach(file IN LISTS FILES)
  cmake_path(GET file STEM name)
  file(READ ${file} content)
  string(APPEND text "    {\"${name}\", R\"preset(${content})preset\"},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\n")
string(APPEND text "std::span<const PresetText> preset_texts() { return kTexts; }\n\n")
string(APPEND text "}  // namespace berth::loadgen\n")
file(WRITE ${OUTPUT} "${text}")
