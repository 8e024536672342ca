// SPDX-License-Identifier: Apache-2.0
// The `belay` program: parses the command line and calls one command.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "cli/command.h"

namespace belay::cli {
namespace {

void RequireKnownCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::string known;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == argv[1]) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw UserError(std::string("there is no command '") + argv[1] +
                  "'; commands: " + known);
}

// Programs that read JSON find an error where they look for results.
int Fail(int exit_code, const std::string& message, bool json) {
  if (json) {
    const nlohmann::json object = {{"error", message},
                                   {"exit_code", exit_code}};
    std::puts(
        object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
            .c_str());
  }
  return exit_code;
}

int Main(int argc, char** argv) {
  PassedThrough passed;
  int own = argc;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--") != 0) continue;
    own = i;
    passed.assign(argv + i + 1, argv + argc);
    break;
  }

  CLI::App app{
      "Belay runs, checks and times Ascend NPU kernels on any machine."};
  app.name("belay");
  app.set_version_flag("--version", "belay " BELAY_VERSION);
  app.require_subcommand(1);
  app.footer("`belay COMMAND --help` explains a command with an example.");
  int exit_code = 0;
  AddRunCommand(app, passed, &exit_code);
  AddCheckCommand(app, passed, &exit_code);
  AddProfileCommand(app, passed, &exit_code);
  AddChipsCommand(app, &exit_code);
  AddCruxCommand(app, &exit_code);
  AddTasksCommand(app, &exit_code);
  AddJudgeCommand(app, &exit_code);
  AddBenchCommand(app, &exit_code);
  AddCompareCommand(app, &exit_code);
  AddReportCommand(app, &exit_code);
  AddExplainCommand(app, &exit_code);

  const bool json = std::any_of(argv + 1, argv + own, [](const char* argument) {
    return std::strcmp(argument, "--json") == 0;
  });
  try {
    RequireKnownCommand(app, own, argv);
    app.parse(own, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : Fail(kUsage, error.what(), json);
  } catch (const UserError& error) {
    std::fprintf(stderr, "belay: error: %s\n", error.what());
    return Fail(kUsage, error.what(), json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "belay: internal error: %s\nThis is a bug in Belay.\n",
                 error.what());
    return Fail(kBug, error.what(), json);
  }
  return exit_code;
}

}  // namespace
}  // namespace belay::cli

int main(int argc, char** argv) { return belay::cli::Main(argc, argv); }
