#pragma once

// `berth serve`: the threads of a service and how they begin and end.
//
//   owner      the core and its turns (service/loop); the thread that calls serve()
//   network    the client of the API server (service/network)
//   endpoint   health and metrics (service/endpoint)
//   signals    SIGTERM and SIGINT end it, SIGUSR2 logs its state and compares it with the server's

#include "engine/startup/serve/serve_options.h"

namespace berth::cli {

// Schedules until a signal ends it, or the lease is lost. Returns the exit status. Throws Error if
// it cannot begin.
int serve(startup::ServeOptions& options);

}  // namespace berth::cli
