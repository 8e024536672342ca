// SPDX-License-Identifier: Apache-2.0
#include "toolchain/symbolize.h"

#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Object/ObjectFile.h>

#include <utility>

namespace belay::toolchain {

class Symbolizer::Reader {
 public:
  Reader() : symbolizer_(Options()) {}

  std::vector<SourceLocation> Frames(const std::string& module,
                                     uint64_t offset) {
    auto found = symbolizer_.symbolizeInlinedCode(
        module, {offset, llvm::object::SectionedAddress::UndefSection});
    if (!found) {
      llvm::consumeError(found.takeError());
      return {};
    }
    std::vector<SourceLocation> frames;
    for (uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
      const llvm::DILineInfo& frame = found->getFrame(i);
      if (!frame) continue;
      frames.push_back({.file = frame.FileName,
                        .line = static_cast<int>(frame.Line),
                        .column = static_cast<int>(frame.Column),
                        .function = frame.FunctionName});
    }
    return frames;
  }

 private:
  static llvm::symbolize::LLVMSymbolizer::Options Options() {
    llvm::symbolize::LLVMSymbolizer::Options options;
    options.PathStyle =
        llvm::DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath;
    options.RelativeAddresses = false;
    options.UseSymbolTable = true;
    return options;
  }

  llvm::symbolize::LLVMSymbolizer symbolizer_;
};

Symbolizer::Symbolizer(std::string module_path)
    : module_path_(std::move(module_path)) {}

Symbolizer::~Symbolizer() = default;

std::vector<SourceLocation> Symbolizer::Frames(uint64_t module_offset) {
  if (!reader_) reader_ = std::make_unique<Reader>();
  return reader_->Frames(module_path_, module_offset);
}

}  // namespace belay::toolchain
