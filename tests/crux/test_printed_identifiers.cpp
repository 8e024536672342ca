// SPDX-License-Identifier: Apache-2.0
// Printed AscendC of every example: each identifier is C++'s, AscendC's or
// declared in the text itself; no line is too long; how many lines there are.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "crux/check.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "files.h"

namespace belay::testing {
namespace {

using Words = std::set<std::string, std::less<>>;

Words WordsOf(const std::string& text) {
  std::istringstream list(text);
  return Words(std::istream_iterator<std::string>(list), {});
}

// Keywords, and what printed text uses of the standard library.
const Words& CppWords() {
  static const Words words = WordsOf(
      "define elif endif ifndef auto bool break case char class const "
      "constexpr continue default do "
      "double else enum explicit extern false float for if inline int "
      "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
      "namespace nullptr operator private public return size_t sizeof static "
      "static_cast reinterpret_cast struct template this true typename union "
      "using void while std assign find_first_of INT64_MIN INT64_MAX abs "
      "algorithm at atof atoi atoll "
      "begin binary c_str ceil clamp clear conditional_t copy count empty end "
      "exit exp find floor "
      "file_size filesystem fmod fprintf getline ifstream infinity insert ios "
      "isfinite isinf isnan log log2 log10 map max min nearbyint "
      "numeric_limits ofstream pair pow push_back quiet_NaN read size sqrt "
      "stderr stoll streamsize string stringstream substr value vector write "
      "__VA_ARGS__");
  return words;
}

// Marks, classes, enumerations and macros of AscendC, of the operator
// framework and of acl. Calls on tensors are looked up in docs/.
const Words& AscendWords() {
  static const Words words = WordsOf(
      "AscendC GM_ADDR __aicore__ __global__ __gm__ __mix__ __vector__ half "
      "bfloat16_t ascendc_assert Trap LocalTensor GlobalTensor "
      "ListTensorDesc IsSameType TQue TQueBind TBuf TPipe TPosition VECIN "
      "VECOUT VECCALC "
      "AllocTensor EnQue DeQue FreeTensor Get GetValue SetValue InitBuffer "
      "SetGlobalBuffer GetDataPtr ReinterpretCast GetPhyAddr SetL2CacheHint "
      "CacheMode CACHE_MODE_DISABLE RoundMode CAST_NONE CAST_RINT CAST_FLOOR "
      "CAST_CEIL CAST_ROUND CAST_TRUNC CAST_ODD CMPMODE LT GT LE GE EQ NE "
      "SELMODE VSEL_TENSOR_TENSOR_MODE VSEL_TENSOR_SCALAR_MODE ReduceOrder "
      "ORDER_ONLY_VALUE ORDER_VALUE_INDEX ORDER_INDEX_VALUE ORDER_ONLY_INDEX "
      "MaskMode COUNTER NORMAL MASK_PLACEHOLDER BinaryRepeatParams "
      "BrcbRepeatParams CopyRepeatParams DataCopyExtParams "
      "DataCopyPadExtParams DataCopyParams GatherMaskParams MrgSort4Info "
      "MrgSortSrcList TransDataTo5HDParams UnaryRepeatParams HardEvent "
      "V_MTE2 V_MTE3 MTE2_V MTE2_MTE3 MTE3_V MTE3_MTE2 MTE2_S MTE3_S S_MTE2 "
      "S_MTE3 S_V V_S GetTPipePtr FetchEventID SetFlag WaitFlag PipeBarrier "
      "PIPE_ALL PIPE_V PIPE_MTE2 PIPE_MTE3 SyncAll GetBlockIdx GetBlockNum "
      "DataCacheCleanAndInvalid CacheLine SINGLE_CACHE_LINE ENTIRE_DATA_CACHE "
      "DcciDst CACHELINE_OUT ToFloat ToBfloat16 SetAtomicAdd SetAtomicNone "
      "SetAtomicMax SetAtomicMin GetUserWorkspace GET_TILING_DATA "
      "REGISTER_TILING_DEFAULT TILING_KEY_IS KERNEL_TASK_TYPE "
      "KERNEL_TASK_TYPE_DEFAULT KERNEL_TYPE_AIV_ONLY KERNEL_TYPE_MIX_AIV_1_0 "
      "gert TilingContext InferShapeContext InferDataTypeContext RuntimeAttrs "
      "Shape StorageShape GetStorageShape GetShapeSize GetDim GetDimNum "
      "SetDimNum AppendDim Tensor GetData GetDataType GetAttrs GetInt GetFloat "
      "GetBool GetStr GetListInt GetSize GetNodeName GetPlatformInfo "
      "GetTilingData GetOutputShape GetRequiredInputShape "
      "GetOptionalInputShape GetDynamicInputShape GetRequiredInputTensor "
      "GetIrInputInstanceInfo GetInstanceNum GetRequiredInputDesc "
      "GetOptionalInputDesc GetDynamicInputDesc GetOutputDesc "
      "GetRequiredInputDataType GetOptionalInputDataType "
      "GetDynamicInputDataType SetOutputDataType SetTilingKey SetBlockDim "
      "SetScheduleMode GetWorkspaceSizes ge DataType graphStatus "
      "GRAPH_SUCCESS GRAPH_FAILED GetSizeByDataType Format FORMAT_ND "
      "DT_FLOAT16 "
      "DT_BF16 DT_FLOAT "
      "DT_BOOL DT_INT8 DT_UINT8 DT_INT16 DT_UINT16 DT_INT32 DT_UINT32 "
      "DT_INT64 DT_UINT64 OpDef Input Output Attr ParamType REQUIRED OPTIONAL "
      "DYNAMIC FormatList ValueDepend OutputShapeDependOnCompute AttrType Int "
      "Float Bool String ListInt SetInferShape SetInferDataType AICore "
      "SetTiling AddConfig OP_ADD OP_CHECK_IF OP_CHECK_NULL_WITH_CONTEXT "
      "OP_LOGE platform_ascendc PlatformAscendC PlatformAscendCManager "
      "GetInstance GetCoreNumAiv GetCoreMemSize CoreMemType UB "
      "GetLibApiWorkSpaceSize aclError aclInit aclFinalize aclrtCreateStream "
      "aclrtDestroyStream aclrtMalloc aclrtMemcpy aclrtResetDevice "
      "aclrtSetDevice aclrtStream aclrtSynchronizeStream ACL_SUCCESS "
      "ACL_MEMCPY_DEVICE_TO_HOST ACL_MEMCPY_HOST_TO_DEVICE "
      "ACL_MEM_MALLOC_HUGE_FIRST");
  return words;
}

bool IsWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool IsWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Words in the first column of the tables of a page, and of its code spans.
Words TableWords(const std::string& page) {
  Words words;
  std::istringstream lines(ReadAll(InSourceTree(page)));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    const std::string cell = line.substr(2, line.find('|', 2) - 2);
    for (size_t i = 0; i < cell.size();) {
      size_t end = i;
      while (end < cell.size() && IsWordPart(cell[end])) ++end;
      if (end > i) words.insert(cell.substr(i, end - i));
      i = end + 1;
    }
  }
  return words;
}

// Tokens without comments, strings and #include lines.
std::vector<std::string> TokensOf(const std::string& text) {
  std::vector<std::string> tokens;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#include")) continue;
    for (size_t i = 0; i < line.size();) {
      size_t end = i + 1;
      if (line.compare(i, 2, "//") == 0) break;
      if (line[i] == '"') {
        while (end < line.size() && line[end] != '"') {
          end += line[end] == '\\' ? 2 : 1;
        }
        i = end + 1;
        tokens.emplace_back("\"\"");
        continue;
      }
      if (IsWordPart(line[i])) {
        while (end < line.size() && IsWordPart(line[end])) ++end;
      }
      if (line[i] != ' ') tokens.push_back(line.substr(i, end - i));
      i = end;
    }
  }
  return tokens;
}

// Names that stand where a declaration has them: behind a type, and before
// what can follow a declared name.
Words DeclaredIn(const std::vector<std::string>& tokens) {
  Words declared;
  for (size_t i = 1; i + 1 < tokens.size(); ++i) {
    const std::string& before = tokens[i - 1];
    const std::string& word = tokens[i];
    const std::string& after = tokens[i + 1];
    if (!IsWordStart(word[0])) continue;
    const bool follows_type =
        (IsWordStart(before[0]) && before != "return" && before != "else") ||
        before == ">" || before == "*" || before == "&";
    const bool ends = after == "=" || after == ";" || after == "," ||
                      after == "(" || after == ")" || after == "[" ||
                      after == "{" || after == ":" || after == ">";
    if (follows_type && ends) declared.insert(word);
    // "enum class A { kB, kC }"
    if (before == "class" && i > 1 && tokens[i - 2] == "enum") {
      for (size_t k = i + 1; k + 1 < tokens.size() && tokens[k] != "}"; ++k) {
        declared.insert(tokens[k]);
      }
    }
    // "int64_t a = 0, b[256], c;"
    const auto behind = [&](size_t at) {
      const bool begins = tokens[at] == "=" && tokens[at + 1] == "0";
      const bool array =
          tokens[at] == "[" && at + 3 < tokens.size() && tokens[at + 2] == "]";
      return array ? at + 3 : begins ? at + 2 : at;
    };
    for (size_t k = behind(i + 1); follows_type && k + 3 < tokens.size();
         k = behind(k + 2)) {
      const std::string& next = tokens[k + 2];
      if (tokens[k] != "," || !IsWordStart(tokens[k + 1][0]) ||
          (next != "," && next != ";" && next != "=" && next != "[")) {
        break;
      }
      declared.insert(tokens[k + 1]);
    }
    // "typename... Args>", "const Args&... args)"
    if (i > 2 && before == "." && tokens[i - 2] == "." &&
        tokens[i - 3] == "." && ends) {
      declared.insert(word);
    }
    if (before == "class" || before == "struct" || before == "typename" ||
        before == "namespace" || before == "define" || before == "ifndef") {
      declared.insert(word);
    }
  }
  return declared;
}

std::string Unknown(const std::string& text) {
  static const Words calls = [] {
    Words words = TableWords("docs/coverage.md");
    words.merge(TableWords("docs/high_level.md"));
    return words;
  }();
  const std::vector<std::string> tokens = TokensOf(text);
  const Words declared = DeclaredIn(tokens);
  std::string unknown;
  for (const std::string& token : tokens) {
    if (!IsWordStart(token[0])) continue;
    const bool of_a_column =
        token.starts_with("DTYPE_") || token.starts_with("ORIG_DTYPE_");
    if (of_a_column || CppWords().contains(token) ||
        AscendWords().contains(token) || calls.contains(token) ||
        declared.contains(token)) {
      continue;
    }
    if (unknown.find(" " + token + " ") == std::string::npos) {
      unknown += " " + token + " ";
    }
  }
  return unknown;
}

size_t LongestLine(const std::string& text) {
  size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, line.size());
  }
  return longest;
}

// Without comments and blank lines.
size_t CodeLines(const std::string& text) {
  size_t count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos || line.compare(first, 2, "//") == 0) {
      continue;
    }
    ++count;
  }
  return count;
}

struct PrintedExample {
  std::string name;
  size_t variants = 0;
  std::string source;
  std::string project;
  // The project without forms for short rows, and of its first variant.
  std::string usual;
  std::string alone;
  std::string source_in_float;  // of the first variant in float
};

// Kernels that are not compiled yet are left out.
std::vector<PrintedExample> PrintedExamples() {
  std::vector<PrintedExample> examples;
  for (const auto& path : FilesIn("examples/crux", ".crux")) {
    const std::string text = ReadAll(path);
    const crux::Checked checked = crux::Check(path.string(), text);
    const crux::Source source(path.string(), text);
    for (const crux::typed::Kernel* kernel : checked.program->kernels) {
      crux::print::Compiled compiled{kernel, &source, {}};
      try {
        compiled.variants = crux::CompileAll(*kernel);
      } catch (const crux::ir::Refusal&) {
        continue;
      }
      PrintedExample example;
      example.name = kernel->name;
      example.variants = compiled.variants.size();
      example.source = crux::print::PrintSource(compiled);
      const auto project = [&] {
        std::string all;
        for (const crux::print::File& file :
             crux::print::PrintProject(compiled)) {
          all += file.text + "\n";
        }
        return all;
      };
      example.project = project();
      std::erase_if(compiled.variants, [](const crux::CompiledVariant& one) {
        return one.tiles->rows_on_lanes;
      });
      example.usual = project();
      const std::vector<crux::CompiledVariant> usual = compiled.variants;
      compiled.variants.resize(1);
      example.alone = project();
      const auto in_float = std::find_if(
          usual.begin(), usual.end(), [](const crux::CompiledVariant& one) {
            return !one.dtypes.empty() && one.dtypes[0] == DType::kFloat;
          });
      if (in_float != usual.end()) {
        compiled.variants = {*in_float};
        example.source_in_float = crux::print::PrintSource(compiled);
      }
      examples.push_back(std::move(example));
    }
  }
  return examples;
}

size_t HandWrittenLines(const std::vector<std::string>& folders,
                        const std::vector<std::string>& extensions) {
  size_t count = 0;
  for (const std::string& folder : folders) {
    for (const std::string& extension : extensions) {
      for (const auto& path : FilesIn(folder, extension)) {
        count += CodeLines(ReadAll(path));
      }
    }
  }
  return count;
}

TEST(Printed, EveryIdentifierIsKnown) {
  const std::vector<PrintedExample> examples = PrintedExamples();
  EXPECT_GE(examples.size(), 40u);
  for (const PrintedExample& example : examples) {
    EXPECT_EQ(Unknown(example.source), "") << example.name << ".asc";
    EXPECT_EQ(Unknown(example.project), "") << example.name;
    EXPECT_EQ(example.source.find("belay"), std::string::npos) << example.name;
    EXPECT_EQ(example.project.find("belay"), std::string::npos) << example.name;
    EXPECT_LE(LongestLine(example.source), 80u) << example.name;
    EXPECT_LE(LongestLine(example.project), 80u) << example.name;
  }
}

TEST(Printed, AnUnknownIdentifierIsFound) {
  EXPECT_EQ(Unknown("LocalTensor<float> x = q.Get<float>();\nAdd(x, x, 8);"),
            " q ");
  EXPECT_EQ(Unknown("int64_t a = 1;\nBelayAdd(a);"), " BelayAdd ");
  EXPECT_EQ(Unknown("int64_t a[8], own_b[8];\nown_b[0] = own_c[0];"),
            " own_c ");
}

size_t TimesIn(const std::string& text, std::string_view words) {
  size_t found = 0;
  for (size_t at = text.find(words); at != std::string::npos;
       at = text.find(words, at + 1)) {
    ++found;
  }
  return found;
}

// Later cores get fewer items in float only: others are told that it is 0.
TEST(Printed, ItemsAreSharedOutAlike) {
  for (const PrintedExample& example : PrintedExamples()) {
    if (example.name != "softmax") continue;
    const auto count = [&](std::string_view words) {
      return TimesIn(example.source, words);
    };
    EXPECT_EQ(count("int64_t FirstItem("), 1u);
    EXPECT_EQ(count("FirstItem(tiling_->items, 0)"), 0u);
    EXPECT_EQ(count("FirstItem(tiling_->items, 0, tiling_->late)"), 3u);
    EXPECT_EQ(count("tiling.late = 0;"), 1u);
    EXPECT_GE(count("tiling.late = "), 2u);
    EXPECT_EQ(example.source_in_float.find("tiling.late = 0;"),
              std::string::npos);
  }
}

// Variants that share a class share their tiling, whatever their keys are.
TEST(Printed, TilingIsSaidOnceForEachClass) {
  for (const PrintedExample& example : PrintedExamples()) {
    const auto count = [&](std::string_view words) {
      return TimesIn(example.project, words);
    };
    // One class is the operator's definition.
    EXPECT_LE(count("// Bytes of on-chip memory.") + 1, count("\nclass "))
        << example.name;
  }
}

// Of a gamma that float keeps in its queue and others convert once: loads are
// said alike for all sizes of T, and where it is kept is one member.
TEST(Printed, WhatIsKeptForAllTurnsIsOneMember) {
  for (const PrintedExample& example : PrintedExamples()) {
    if (example.name != "layer_norm") continue;
    const auto count = [&](std::string_view words) {
      return TimesIn(example.project, words);
    };
    EXPECT_EQ(count("LoadInto(x_local_queue_, gamma_, tiling_->N);"), 1u);
    EXPECT_EQ(count("gamma_local_ = gamma_float_buffer_.Get<float>();"), 1u);
    EXPECT_EQ(count("gamma_local_ = gamma_local_queue_.DeQue<float>();"), 1u);
    EXPECT_EQ(count("tiling_->N * 2, 0, 0, 0)"), 0u);
  }
}

// One operator by hand, in all its dtypes, and printed: one variant, and all.
// Those by hand have no forms of their own for short rows.
TEST(Printed, LinesBesideHandWrittenOnes) {
  struct Pair {
    std::string printed;
    size_t by_hand;
  };
  const std::vector<Pair> pairs = {
      {"foreach_add_scalar",
       HandWrittenLines({"examples/ops/foreach_scale_list/op_host",
                         "examples/ops/foreach_scale_list/op_kernel"},
                        {".cpp", ".h"})},
      {"layer_norm", HandWrittenLines({"examples/ops/layer_norm/op_host",
                                       "examples/ops/layer_norm/op_kernel"},
                                      {".cpp", ".h"})},
  };
  const std::vector<PrintedExample> examples = PrintedExamples();
  for (const Pair& pair : pairs) {
    for (const PrintedExample& example : examples) {
      if (example.name != pair.printed) continue;
      const size_t alone = CodeLines(example.alone);
      const size_t usual = CodeLines(example.usual);
      fmt::print(
          "{}: {} lines by hand; printed {} for one variant, {} without forms "
          "for short rows, {} for all {}\n",
          example.name, pair.by_hand, alone, usual, CodeLines(example.project),
          example.variants);
      EXPECT_LE(alone, pair.by_hand);
      EXPECT_LE(usual, pair.by_hand * 5 / 3);
      EXPECT_LE(CodeLines(example.project), pair.by_hand * 5 / 2);
    }
  }
}

// By hand in float, on rows that fit, with inputs of its own making; printed
// with tiling, files and arguments, and for rows of any length.
TEST(Printed, LinesBesideAHandWrittenSource) {
  const size_t by_hand = HandWrittenLines({"examples/softmax"}, {".asc"});
  for (const PrintedExample& example : PrintedExamples()) {
    if (example.name != "softmax") continue;
    const size_t alone = CodeLines(example.source_in_float);
    fmt::print(
        "softmax.asc: {} lines by hand; printed {} for one variant, {} "
        "for all {}\n",
        by_hand, alone, CodeLines(example.source), example.variants);
    EXPECT_LE(alone, by_hand * 5 / 2);
    EXPECT_LE(CodeLines(example.source), by_hand * 25 / 3);
  }
}

}  // namespace
}  // namespace belay::testing
