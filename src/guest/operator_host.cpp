// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_host.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>

#include "base/catalogue.h"
#include "base/error.h"
#include "guest/child.h"
#include "guest/module.h"
#include "guest/shared_bytes.h"
#include "runtime/operators/host_messages.h"
#include "toolchain/symbolize.h"

namespace belay::guest {
namespace {

using nlohmann::json;

std::string Dump(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

Diagnostic MakeDiagnostic(const char* code, std::string message,
                          std::string fix = {}) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

// A null pointer it was given is the likeliest cause; without one, what it
// asked last says how far it came.
void AddQuestion(const std::string& last, const std::string& null_answer,
                 Diagnostic& diagnostic) {
  if (!null_answer.empty()) {
    diagnostic.notes.push_back(
        {fmt::format("{} had returned nullptr", null_answer), {}});
  } else if (!last.empty()) {
    diagnostic.notes.push_back(
        {fmt::format("the last question was {}", last), {}});
  }
}

std::string TypeOfException() {
  const std::type_info* type = ::abi::__cxa_current_exception_type();
  if (type == nullptr) return "unknown";
  int status = 0;
  char* name = ::abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string text = name == nullptr ? type->name() : name;
  std::free(name);
  return text;
}

Diagnostic ThrownBy(const std::string& what) {
  Diagnostic diagnostic = MakeDiagnostic(
      code::kH104, fmt::format("op_host threw an exception: {}", what),
      "host code must report failure by returning ge::GRAPH_FAILED");
  AddQuestion(runtime::LastHostQuestion(), runtime::LastNullAnswer(),
              diagnostic);
  return diagnostic;
}

// Loads the module, then calls `work`; what escapes becomes a diagnostic.
int RunHostCode(const HostOptions& options, HostCrashReport& report,
                const SendLine& send,
                const std::function<void(const SendLine&)>& work) {
  if (options.output_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  GuardHostCode(report, options.module.c_str(), options.limits);
  BeforeGuestCode();
  try {
    LoadModule(options.module);
    work(send);
    return 0;
  } catch (const std::bad_alloc&) {
    send(Dump(ThrownBy(fmt::format("out of memory (it may use {} MB)",
                                   options.limits.bytes >> 20))));
  } catch (const std::exception& error) {
    send(
        Dump(ThrownBy(fmt::format("{}: {}", TypeOfException(), error.what()))));
  } catch (...) {
    send(Dump(ThrownBy(TypeOfException())));
  }
  return 1;
}

Diagnostic DescribeCrash(const HostOptions& options,
                         const HostCrashReport& report) {
  Diagnostic diagnostic =
      report.timed_out
          ? MakeDiagnostic(
                code::kH105,
                fmt::format("op_host does not end: it was stopped after {:g} "
                            "seconds",
                            options.limits.seconds),
                "check the loops of the tiling function; --host-timeout gives "
                "it more time")
          : MakeDiagnostic(
                code::kH104,
                fmt::format(
                    "op_host crashed: {}{}", DescribeSignal(report.signal),
                    report.address == 0 && report.signal != SIGSEGV
                        ? ""
                        : fmt::format(", address {:#x}", report.address)),
                "check what the context returned before using it: absent "
                "inputs and attributes are null pointers");
  AddQuestion(report.question, report.timed_out ? "" : report.null_answer,
              diagnostic);
  toolchain::Symbolizer symbolizer(options.module);
  for (int i = 0; i < report.place_count; ++i) {
    for (const SourceLocation& place : symbolizer.Frames(report.places[i])) {
      if (!place.known()) continue;
      diagnostic.location = place;
      return diagnostic;
    }
  }
  return diagnostic;
}

Diagnostic EndedBy(const HostOptions& options, const ChildResult& child) {
  if (child.out_of_time) {
    HostCrashReport report;
    report.timed_out = true;
    return DescribeCrash(options, report);
  }
  if (child.signal == SIGSYS) {
    return MakeDiagnostic(code::kJ103, "op_host made a forbidden system call",
                          "compute from what the context gives, and return");
  }
  return MakeDiagnostic(code::kH104, fmt::format("op_host was ended by {}",
                                                 DescribeSignal(child.signal)));
}

// Runs `work` in a child; `take` gets its messages, diagnostics come back.
std::vector<Diagnostic> InHostChild(
    const HostOptions& options, bool& killed,
    const std::function<void(const SendLine&)>& work,
    const std::function<void(const json&)>& take) {
  const SharedBytes memory(sizeof(HostCrashReport));
  auto* report = new (memory.data()) HostCrashReport;
  const ChildResult child = RunInChild([&](const SendLine& send) {
    return RunHostCode(options, *report, send, work);
  });
  std::vector<Diagnostic> diagnostics;
  for (const std::string& line : child.lines) {
    const json message = json::parse(line, nullptr, false);
    if (message.is_discarded()) continue;
    if (message.contains("code")) {
      diagnostics.push_back(message.get<Diagnostic>());
    } else {
      take(message);
    }
  }
  if (report->signal != 0) {
    diagnostics.push_back(DescribeCrash(options, *report));
  } else if (child.signal != 0) {
    killed = child.signal == SIGKILL && !child.out_of_time;
    diagnostics.push_back(EndedBy(options, child));
  } else if (child.exit_code != 0 && diagnostics.empty()) {
    diagnostics.push_back(MakeDiagnostic(
        code::kH104,
        fmt::format("op_host ended the process with exit code {}",
                    child.exit_code),
        "host code must return, not call exit"));
  }
  return diagnostics;
}

}  // namespace

OperatorsFound DescribeOperators(const HostOptions& options,
                                 const std::string& chip) {
  OperatorsFound found;
  bool answered = false;
  found.diagnostics = InHostChild(
      options, found.killed,
      [&](const SendLine& send) {
        send(Dump({{"operators", runtime::RegisteredOperators(chip)}}));
      },
      [&](const json& message) {
        message.at("operators").get_to(found.operators);
        answered = true;
      });
  if (answered && found.operators.empty()) {
    found.diagnostics.push_back(MakeDiagnostic(
        code::kH109, "op_host registers no operator",
        "define a class derived from ops::OpDef and register it with OP_ADD"));
  }
  return found;
}

HostPlan PlanInChild(const HostOptions& options,
                     const runtime::OperatorCall& call) {
  HostPlan result;
  result.diagnostics = InHostChild(
      options, result.killed,
      [&](const SendLine& send) {
        const runtime::PlanResult plan = runtime::PlanLaunch(call);
        for (const Diagnostic& diagnostic : plan.diagnostics) {
          send(Dump(diagnostic));
        }
        if (plan.plan) send(Dump({{"plan", *plan.plan}}));
      },
      [&](const json& message) {
        result.plan = message.at("plan").get<runtime::LaunchPlan>();
      });
  return result;
}

}  // namespace belay::guest
