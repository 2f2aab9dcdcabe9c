#pragma once

// Keeps programs from writing over their own input.

#include <span>
#include <string>

namespace berth {

// True if writing to both outputs would mix their content: the names lead to one regular file, also
// through links, or to one path at which there is no file yet. "-" is standard output; devices,
// pipes and sockets are never the same.
bool is_same_output(const std::string& a, const std::string& b);

// Throws Error, which names the output, if one of the inputs is the same regular file (device and
// inode), so that opening the output would destroy the input. "-" is standard output for `output`
// and standard input for an input: `< p.json` with `p.json` as output is found as well. Names that
// lead to no regular file pass. To be called before the output is opened.
void refuse_overwriting(const std::string& output, std::span<const std::string> inputs);

}  // namespace berth
