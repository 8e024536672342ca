// SPDX-License-Identifier: Apache-2.0
// Kernels nobody trusts: what would reach past the simulated chip is refused or
// gone, and what kernels need is not.

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "guest_program.h"
#include "toolchain/link.h"

namespace belay::testing::test_untrusted {
namespace {

bool Compiles(GuestProgram& program) {
  program.options().untrusted = true;
  program.options().is_provided = [](const std::string& symbol) {
    // Code generation copies and clears what is known to be safe with these.
    return symbol.starts_with("belay_") || symbol == "memcpy" ||
           symbol == "memset" || symbol == "memmove" ||
           symbol == "__safestack_unsafe_stack_ptr";
  };
  return program.Compile();
}

// Whether all errors are refusals, and there is one.
bool IsRefused(const GuestProgram& program) {
  bool refused = false;
  for (const Diagnostic& diagnostic : program.diagnostics()) {
    if (diagnostic.severity != Severity::kError) continue;
    if (diagnostic.code != std::string("BLY-C108") &&
        diagnostic.code != std::string("BLY-C104") &&
        diagnostic.code != std::string("BLY-C102") &&
        diagnostic.code != std::string("BLY-C101"))
      return false;
    refused = true;
  }
  return refused;
}

struct Escape {
  const char* name;
  const char* text;  // a whole file
};

const Escape kEscapes[] = {
    {"inline assembly", R"(
__global__ __aicore__ void k(int n) { asm volatile("syscall"); })"},
    {"assembly of the file", R"(
asm(".globl belay_read\nbelay_read: ret");
__global__ __aicore__ void k(int n) {})"},
    {"incbin", R"(
asm(".data\n.incbin \"/etc/passwd\"");
__global__ __aicore__ void k(int n) {})"},
    {"a call by the runtime's name", R"(
#include "kernel_operator.h"
__global__ __aicore__ void k(int n) { belay_write((void*)16, 8); })"},
    {"a declaration of a variable of the runtime's", R"(
extern "C" long belay_budget[1000];
__global__ __aicore__ void k(int n) { belay_budget[500] = 1; })"},
    {"the runtime's counters of time", R"(
#include "kernel_operator.h"
__global__ __aicore__ void k(int n) { belay_scalar_work[0] = 0; })"},
    {"a pasted name of the runtime's", R"(
#include "kernel_operator.h"
#define JOIN(a, b) a##b
__global__ __aicore__ void k(int n) { JOIN(bel, ay_budget) = 1L << 60; })"},
    {"a claim to be a system header", R"(
#pragma GCC system_header
#include "kernel_operator.h"
__global__ __aicore__ void k(int n) { belay_budget = 1L << 60; })"},
    {"a claim to lie elsewhere", R"(
#include "kernel_operator.h"
# 1 "/usr/include/stdio.h" 1 3
__global__ __aicore__ void k(int n) { belay_budget = 1L << 60; })"},
    {"a definition of the runtime's function", R"(
extern "C" void* belay_write(void* p, unsigned long n) { return p; }
__global__ __aicore__ void k(char* p) { p[0] = 1; })"},
    {"an assembler name", R"(
extern "C" void* mine(void* p, unsigned long n) asm("belay_write");
extern "C" void* mine(void* p, unsigned long n) { return p; }
__global__ __aicore__ void k(char* p) { p[0] = 1; })"},
    {"an assembler name with a mark", R"(
extern "C" void* mine(void* p, unsigned long n) asm("\01belay_write");
extern "C" void* mine(void* p, unsigned long n) { return p; }
__global__ __aicore__ void k(char* p) { p[0] = 1; })"},
    {"an alias", R"(
extern "C" void* mine(void* p, unsigned long n) { return p; }
extern "C" void* belay_write(void*, unsigned long) __attribute__((alias("mine")));
__global__ __aicore__ void k(char* p) { p[0] = 1; })"},
    {"a function chosen at load", R"(
extern "C" {
static void one() {}
static void* choose() { return (void*)one; }
void other() __attribute__((ifunc("choose")));
}
__global__ __aicore__ void k(char* p) { other(); })"},
    {"a section", R"(
__attribute__((section("belay_kernels"), used)) void* forged[6] = {};
__global__ __aicore__ void k(char* p) {})"},
    {"an initialiser by section", R"(
void evil() {}
__attribute__((section(".init_array"), used)) void (*start)() = evil;
__global__ __aicore__ void k(char* p) {})"},
    {"a constructor", R"(
__attribute__((constructor)) void evil() {}
__global__ __aicore__ void k(char* p) {})"},
    {"a naked function", R"(
__attribute__((naked)) __aicore__ void f() { asm("ret"); }
__global__ __aicore__ void k(char* p) { f(); })"},
    {"a computed goto", R"(
__global__ __aicore__ void k(long p) { void* t = (void*)p; goto *t; })"},
    {"a label's address", R"(
__global__ __aicore__ void k(char* p) {
  void* t = &&here;
  if (p == t) p[0] = 1;
here:;
})"},
    {"setjmp", R"(
__global__ __aicore__ void k(char* p) {
  void* b[5];
  if (__builtin_setjmp(b) == 0) __builtin_longjmp(b, 1);
})"},
    {"the frame's address", R"(
__global__ __aicore__ void k(char** p) {
  p[0] = (char*)__builtin_frame_address(0);
})"},
    {"the return address", R"(
__global__ __aicore__ void k(char** p) {
  p[0] = (char*)__builtin_return_address(0);
})"},
    {"the time stamp counter", R"(
__global__ __aicore__ void k(unsigned long* p) {
  p[0] = __builtin_readcyclecounter();
})"},
    {"a built-in of the processor that stores", R"(
typedef float V __attribute__((vector_size(16)));
__global__ __aicore__ void k(unsigned long p) {
  __builtin_ia32_storehps((int __attribute__((vector_size(8)))*)p, V{1, 2});
  __builtin_ia32_clflush((void*)p);
})"},
    {"a library function", R"(
#include <cstdlib>
__global__ __aicore__ void k(char* p) { system("true"); })"},
    {"a declared library function", R"(
extern "C" int open(const char*, int, ...);
__global__ __aicore__ void k(char* p) { open(p, 0); })"},
    {"a system call", R"(
extern "C" long syscall(long, ...);
__global__ __aicore__ void k(char* p) { syscall(39); })"},
    {"versions by processor", R"(
__attribute__((target_clones("default,avx2"))) int f(int n) { return n; }
__global__ __aicore__ void k(int* p) { p[0] = f(1); })"},
    {"a register of the processor", R"(
register unsigned long stack asm("rsp");
__global__ __aicore__ void k(unsigned long* p) { p[0] = stack; })"},
};

TEST(Untrusted, EscapesAreRefused) {
  for (const Escape& escape : kEscapes) {
    GuestProgram program(escape.text);
    EXPECT_FALSE(Compiles(program)) << escape.name;
    EXPECT_TRUE(IsRefused(program)) << escape.name << "\n"
                                    << program.Messages();
  }
}

TEST(Untrusted, HostCodeAndInitialisersAreGone) {
  GuestProgram program(R"(
#include <cstdio>
#include <cstdlib>
static int ready = std::puts("loaded");
struct Loud { Loud() { std::puts("made"); } ~Loud() { std::puts("gone"); } };
Loud loud;
__global__ __aicore__ void k(int* p) { p[0] = 1; }
int main() { return std::system("true"); }
)");
  ASSERT_TRUE(Compiles(program)) << program.Messages();
  for (const std::string& symbol :
       toolchain::UndefinedSymbols(program.options().output)) {
    EXPECT_TRUE(symbol.starts_with("belay_") || symbol.starts_with("__"))
        << symbol;
  }
}

TEST(Untrusted, CallsThroughPointersStayInTheModule) {
  GuestProgram program(R"(
typedef int (*F)(int);
static __aicore__ int twice(int n) { return 2 * n; }
static __aicore__ int thrice(int n) { return 3 * n; }
__global__ __aicore__ void k(int* p, int n) {
  F choice[2] = {twice, thrice};
  p[0] = choice[n & 1](n);
}
__global__ __aicore__ void forged(int* p, unsigned long target) {
  p[0] = ((F)target)(1);
}
)");
  ASSERT_TRUE(Compiles(program)) << program.Messages();
  bool traps = false;
  for (const std::string& symbol :
       toolchain::UndefinedSymbols(program.options().output))
    traps |= symbol == "belay_trap";
  EXPECT_TRUE(traps);
}

TEST(Untrusted, ExamplesCompile) {
  int count = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(BELAY_SOURCE_DIR) / "examples")) {
    if (file.path().extension() != ".asc") continue;
    GuestProgram program("");
    program.options().sources = {file.path().string()};
    EXPECT_TRUE(Compiles(program)) << file.path() << "\n" << program.Messages();
    ++count;
  }
  EXPECT_GT(count, 3);
}

}  // namespace
}  // namespace belay::testing::test_untrusted
