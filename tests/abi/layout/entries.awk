# Reads the C headers of the ABI and writes an entry for each name in them, as a call of a macro:
#
#   STRUCT(berth_filter, 0)             a struct with its members behind it
#   MEMBER(berth_filter, numbers, 1)
#   NUMBER(BERTH_SKIP, 0)
#   TEXT(BERTH_FILTER, 0)               an id or another text
#   TYPE(berth_code, 0)
#
# The last argument is the minor version of the ABI that brought the name: N of a mark "Since ABI 1.N",
# otherwise 0. A mark before a struct, a macro or a type holds until the next empty line, a mark
# before a member for this member, and a mark behind something on its line for that.
#
#   awk -f entries.awk base.h hook.h ...
#
# What is not understood is an error, so no name is left out.

function fail(what) {
  print FILENAME ":" FNR ": " what >"/dev/stderr"
  failed = 1
  exit 1
}

# The minor version of a mark in the text; -1: it has none.
function mark(text) {
  gsub(/[ \t*]+/, " ", text)
  text = tolower(text)
  gsub(/deprecated since abi 1\.[0-9]+/, "", text)
  if (!match(text, /since abi 1\.[0-9]+/)) return -1
  return substr(text, RSTART + 12, RLENGTH - 12) + 0
}

# Splits a line into `code` and `comment`.
function split_line(line, at) {
  code = comment = ""
  while (line != "") {
    at = index(line, in_comment ? "*/" : "/*")
    if (in_comment) {
      comment = comment " " (at ? substr(line, 1, at - 1) : line)
    } else {
      code = code (at ? substr(line, 1, at - 1) : line)
    }
    if (!at) break
    line = substr(line, at + 2)
    in_comment = !in_comment
  }
  sub(/[ \t]+$/, "", code)
}

function first_of(a, b) { return a >= 0 ? a : b }

# The name of a pointer to a function in a declaration; empty: it declares none.
function function_name(text) {
  if (!match(text, /\(\*[a-z_0-9]+\)\(/)) return ""
  return substr(text, RSTART + 2, RLENGTH - 4)
}

function member(text, minor, count, parts, i) {
  if (function_name(text) != "") {
    print "MEMBER(" structure ", " function_name(text) ", " minor ")"
    return
  }
  count = split(text, parts, ",")
  for (i = 1; i <= count; ++i) {
    if (!match(parts[i], /[a-z_0-9]+$/)) fail("cannot read the member \"" text "\"")
    print "MEMBER(" structure ", " substr(parts[i], RSTART) ", " minor ")"
  }
}

function members(line, minor, at) {
  while ((at = index(line, ";")) > 0) {
    member(text " " substr(line, 1, at - 1), minor)
    text = ""
    line = substr(line, at + 1)
  }
  text = text " " line
  if (text ~ /^[ \t]*$/) text = ""
}

# A macro with its value, without `#define`.
function macro(definition, minor, name, value) {
  match(definition, /^BERTH_[A-Z0-9_]+/)
  name = substr(definition, 1, RLENGTH)
  value = substr(definition, RLENGTH + 1)
  if (value ~ /^\(/ || value == "" || name == "BERTH_EXTERN_C" || name == "BERTH_EXPORT") return
  sub(/^[ \t]+/, "", value)
  if (name == "BERTH_ABI_MINOR") return
  if (value ~ /^"/) {
    print "TEXT(" name ", " minor ")"
  } else if (value ~ /^(0x)?[0-9]/ || value ~ /^U?INT[0-9]+_(MIN|MAX)$/ ||
             value ~ /^\(U?INT[0-9]+_(MIN|MAX) [+-] [0-9]+\)$/) {
    print "NUMBER(" name ", " minor ")"
  } else {
    fail("cannot read the macro " name)
  }
}

function type(declaration, minor, name) {
  if (declaration ~ /^typedef struct berth_[a-z_]+ berth_[a-z_]+$/) return
  name = function_name(declaration)
  if (name == "" && match(declaration, /berth_[a-z_]+$/)) name = substr(declaration, RSTART)
  if (name == "") fail("cannot read the type \"" declaration "\"")
  print "TYPE(" name ", " minor ")"
}

FNR == 1 {
  if (structure != "" || in_comment) fail("the header before ends within something")
  group = -1
  before = definition = declaration = ""
}

{
  behind_code = open_behind
  split_line($0)
  if (behind_code && mark(comment) >= 0) fail("write the mark before the name, or on its line")
  if (code == "") {
    if (!behind_code) before = before " " comment
    if ($0 ~ /^[ \t]*$/) {
      group = -1
      before = ""
    }
    open_behind = open_behind && in_comment
    next
  }
  open_behind = in_comment
  here = mark(comment)
  above = mark(before)
  before = ""
}

structure != "" {
  if (code ~ /^}/) {
    if (text != "") fail("cannot read \"" text "\" in " structure)
    structure = ""
  } else {
    if (text == "") member_minor = above
    members(code, first_of(here, first_of(member_minor, structure_minor)))
  }
  next
}

{
  if (above >= 0) group = above
  minor = first_of(here, first_of(group, 0))
}

definition != "" || code ~ /^#define BERTH_/ {
  continues = code ~ /\\$/
  sub(/[ \t]*\\$/, "", code)
  sub(/^#define[ \t]+/, "", code)
  definition = definition (definition == "" ? "" : " ") code
  if (!continues) {
    macro(definition, minor)
    definition = ""
  }
  next
}

code ~ /^(typedef )?struct berth_[a-z_]+ \{$/ {
  match(code, /berth_[a-z_]+/)
  structure = substr(code, RSTART, RLENGTH)
  structure_minor = minor
  text = ""
  print "STRUCT(" structure ", " minor ")"
  next
}

declaration != "" || code ~ /^typedef / {
  declaration = declaration (declaration == "" ? "" : " ") code
  if (declaration ~ /;$/) {
    sub(/;$/, "", declaration)
    type(declaration, minor)
    declaration = ""
  }
}

END {
  if (!failed && (structure != "" || in_comment)) fail("the last header ends within something")
}
