# Compares what the ABI has now with the list of what was released, and explains each difference:
#   awk -v minor=M -f compare.awk LISTED PRESENT
# Lines are "NAME = WHAT, since 1.N". `minor` is the newest minor version that is released. Ends with
# status 1 if there is a difference.

function key(line) { return substr(line, 1, index(line, " = ") - 1) }
function what(line) { return substr(line, index(line, " = ") + 3) }
function since(line) {
  match(line, /since 1\.[0-9]+$/)
  return substr(line, RSTART + 8) + 0
}
function complain(text) {
  print text
  ++differences
}

# Of "berth_filter.hook": the struct.
function structure(name) { return substr(name, 1, index(name, ".") - 1) }
function is_member(name) { return name ~ /^berth_[a-z_]+\./ }
function is_reserved(name) { return name ~ /\.reserved[0-9]*$/ }
function offset(text) {
  match(text, /^at [0-9]+/)
  return substr(text, 4, RLENGTH - 3) + 0
}
function width(text) {
  match(text, /, [0-9]+ bytes/)
  return substr(text, RSTART + 2, RLENGTH - 8) + 0
}
function place(name, text) { return structure(name) " " offset(text) " " width(text) }

FNR == NR {
  listed[key($0)] = what($0)
  order[++listed_count] = key($0)
  if (is_reserved(key($0)) && since($0) <= minor) spare[place(key($0), what($0))] = 1
  if (key($0) ~ / size in 1\./ && since($0) <= minor) {
    name = key($0)
    sub(/ size in .*/, "", name)
    sub(/ bytes.*/, "", $0)
    released_size[name] = what($0) + 0
  }
  if (what($0) ~ /^struct, / && since($0) <= minor) fixed[key($0)] = 1
  next
}

{
  present[key($0)] = what($0)
  if (is_member(key($0)) && since($0) > minor) taken[place(key($0), what($0))] = 1
  if (key($0) in listed) next
  new_keys[++new_count] = key($0)
}

# The rule that a new member breaks; empty: none.
function misplaced(name, text, whole) {
  whole = structure(name)
  if (place(name, text) in spare) return ""
  if (whole in fixed) return whole " has no member `size`, so it never grows"
  if ((whole in released_size) && offset(text) < released_size[whole]) {
    return "it lies within the " released_size[whole] " bytes that " whole " had in ABI 1." minor \
           ", where an older binary has something else"
  }
  return ""
}

END {
  for (i = 1; i <= listed_count; ++i) {
    name = order[i]
    old = listed[name]
    if (!(name in present)) {
      if (is_reserved(name) && (place(name, old) in taken)) continue
      complain(name " was removed. It was: " old)
    } else if (present[name] != old) {
      complain(name " changed. It was: " old "; it is: " present[name])
    }
  }
  altered = differences
  for (i = 1; i <= new_count; ++i) {
    name = new_keys[i]
    text = present[name]
    rule = is_member(name) ? misplaced(name, text) : ""
    if (rule != "") {
      complain(name " is new, but " rule ": " text)
      ++altered
    } else if (since(text) <= minor) {
      complain(name " is new, but ABI 1." minor " is released without it. Mark it \"Since ABI 1." \
               (minor + 1) "\": " text)
    } else {
      complain(name " is new and not in abi/layout.list: " text)
    }
  }
  if (differences == 0) exit 0
  if (altered > 0) {
    print "abi/STABILITY.md, \"What is promised\": layouts, numbers, texts of ids and their meaning stay" \
          " as they are as long as the major is 1, so that binaries that were built with them load" \
          " for ever. Take the change back, and add something new instead: \"How something is added\"."
  } else {
    print "abi/STABILITY.md, \"How something is added\": an addition is marked with the minor version" \
          " that brings it, BERTH_ABI_MINOR is raised once for a release, and the list is edited" \
          " together with the header:"
    print "  cmake --build --preset release --target abi_layout_record"
  }
  exit 1
}
