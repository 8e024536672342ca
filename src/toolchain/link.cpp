// SPDX-License-Identifier: Apache-2.0
#include "toolchain/link.h"

#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/raw_ostream.h>

#include "base/error.h"
#include "belay/guest_abi.h"
#include "toolchain/export_kernels.h"
#include "toolchain/host_compiler.h"

LLD_HAS_DRIVER(elf)

namespace belay::toolchain {

LinkResult Link(const std::vector<std::string>& objects,
                const std::string& output) {
  const HostCompiler& host = FindHostCompiler();
  std::vector<const char*> arguments = {
      "ld.lld",           "-shared",     "-Bsymbolic",
      "--eh-frame-hdr",   "--threads=1", "--unresolved-symbols=ignore-all",
      "--build-id=none",  "-z",          "now",
      "--hash-style=gnu", "-o",          output.c_str()};
  const std::string table = std::string("--defsym=") + abi::kKernelTableSymbol +
                            "=__start_" + kKernelSection;
  arguments.push_back(table.c_str());
  const auto append = [&](const std::vector<std::string>& files) {
    for (const std::string& file : files) arguments.push_back(file.c_str());
  };
  append(host.link_before);
  append(objects);
  append(host.link_after);

  std::string text;
  llvm::raw_string_ostream messages(text);
  LinkResult result;
  result.ok = lld::elf::link(arguments, messages, messages,
                             /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    line.consume_front("ld.lld: error: ");
    result.errors.push_back(line.str());
  }
  return result;
}

std::vector<std::string> UndefinedSymbols(const std::string& shared_object) {
  auto file = llvm::object::ObjectFile::createObjectFile(shared_object);
  if (!file) {
    throw InternalError("[toolchain] cannot read back " + shared_object + ": " +
                        llvm::toString(file.takeError()));
  }
  std::vector<std::string> names;
  const auto* elf =
      llvm::cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  for (const llvm::object::ELFSymbolRef symbol :
       elf->getDynamicSymbolIterators()) {
    const auto flags = llvm::cantFail(symbol.getFlags());
    if (!(flags & llvm::object::SymbolRef::SF_Undefined) ||
        (flags & llvm::object::SymbolRef::SF_Weak))
      continue;
    const llvm::StringRef name = llvm::cantFail(symbol.getName());
    if (!name.empty()) names.push_back(name.str());
  }
  return names;
}

}  // namespace belay::toolchain
