#include "engine/startup/serve/serve_command.h"

#include <memory>
#include <utility>

namespace berth::startup {

void add_serve(CLI::App& app, int& status, std::function<int(ServeOptions&)> run) {
  CLI::App* command = app.add_subcommand(
      "serve",
      "schedule the pods of a real cluster, in the place of kube-scheduler or beside it; exit "
      "status 0 after SIGTERM, 1 if the lease was lost or the API server cannot be used, 70 if a "
      "plugin did not return, 134 if an audit found a fault");
  auto options = std::make_shared<ServeOptions>();
  add_serve_options(*command, *options);
  command->callback([options, run = std::move(run), &status] { status = run(*options); });
}

}  // namespace berth::startup
