#pragma once

// get, list and watch.

#include <memory>

#include "tests/apiserver/objects/problem.h"
#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

Answer get_object(Call& call);

// Answers, or with a revision that is ahead after three seconds. Throws Problem.
void list_objects(Call& call, const std::shared_ptr<Reply>& reply);

// Throws Problem if the watch does not begin.
void watch_objects(Call& call, const std::shared_ptr<Reply>& reply);

// Begins, writes and ends an answer.
void send_answer(Reply& reply, const Answer& answer);
void send_problem(Reply& reply, const Problem& problem);

// The selectors of the query, and the name if the path has one.
Selector selector_of(const Call& call);
// Of the keys in the namespace of the path.
std::string prefix_of(const Call& call);
// A number of the query, or `otherwise` if it is not there. Throws Problem for another text.
uint64_t query_number(const Call& call, std::string_view name, uint64_t otherwise);

}  // namespace berth::apiserver
