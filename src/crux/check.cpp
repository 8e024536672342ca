// SPDX-License-Identifier: Apache-2.0
#include "crux/check.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "crux/checker.h"
#include "crux/lexer.h"
#include "crux/messages.h"
#include "crux/parser.h"

namespace belay::crux {

Checked Check(const std::string& name, std::string text) {
  const Source source(name, std::move(text));
  Messages messages(source);
  const Tokens tokens = Tokenize(source, messages);
  syntax::Module module;
  Parse(tokens, messages, module);
  auto program = std::make_unique<typed::Program>();
  if (!tokens.too_large) {
    Checker(source, messages, *program).CheckModule(module);
  }
  Checked checked;
  if (messages.errors() == 0) checked.program = std::move(program);
  checked.diagnostics = messages.Take();
  return checked;
}

std::string ReadProgram(const std::string& path) {
  std::error_code ignored;
  // A folder opens as a file does.
  const bool folder = std::filesystem::is_directory(path, ignored);
  std::ifstream file(path, std::ios::binary);
  if (!file || folder) {
    throw UserError(fmt::format("[crux] cannot read '{}'{}", path,
                                folder ? ": it is a folder" : ""));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Checked CheckFile(const std::string& path) {
  return Check(path, ReadProgram(path));
}

}  // namespace belay::crux
