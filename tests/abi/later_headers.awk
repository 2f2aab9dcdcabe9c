# Makes a header of an ABI that is to come: each struct that grows has more members, and a note has
# more lines.
/^(typedef )?struct berth_[a-z_]+ \{$/ { inside = 1; grows = 0 }
inside && /^  uint32_t size;/ { grows = 1 }
/^}/ {
  if (inside && grows) print "  uint64_t later_number;\n  void (*later_function)(void);"
  inside = 0
}
/^#define BERTH_ABI_MINOR / { $3 = 99 }
/^  BERTH_PLUGIN_NOTE_OF\(/ { sub(/"\\n"\)/, "\"\\n\" \"\\n\" \"later: yes\\n\")") }
{ print }
