// SPDX-License-Identifier: Apache-2.0
#include "rewrite/c_library.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace belay::rewrite {
namespace {

// Sorted. What <math.h>, <stdlib.h>, <string.h>, <stdio.h>, <ctype.h>,
// <time.h>, <unistd.h> and their like declare.
constexpr std::string_view kNames[] = {
    "abort",       "abs",       "accept",    "access",
    "acos",        "acosh",     "alarm",     "aligned_alloc",
    "asctime",     "asin",      "asinh",     "atan",
    "atan2",       "atanh",     "atexit",    "atof",
    "atoi",        "atol",      "atoll",     "bcmp",
    "bcopy",       "bind",      "bsearch",   "bzero",
    "cabs",        "cacos",     "calloc",    "carg",
    "casin",       "catan",     "cbrt",      "ccos",
    "ceil",        "cexp",      "chdir",     "chmod",
    "chown",       "cimag",     "clearerr",  "clock",
    "clog",        "close",     "conj",      "connect",
    "copysign",    "cos",       "cosh",      "cpow",
    "cproj",       "creal",     "csin",      "csqrt",
    "ctan",        "ctime",     "difftime",  "div",
    "drand48",     "drem",      "dup",       "dup2",
    "erf",         "erfc",      "execv",     "exit",
    "exp",         "exp10",     "exp2",      "expm1",
    "fabs",        "fclose",    "fdim",      "feof",
    "ferror",      "fflush",    "ffs",       "fgetc",
    "fgets",       "finite",    "floor",     "fma",
    "fmax",        "fmin",      "fmod",      "fopen",
    "fork",        "fprintf",   "fputc",     "fputs",
    "fread",       "free",      "freopen",   "frexp",
    "fscanf",      "fseek",     "ftell",     "fwrite",
    "gamma",       "getc",      "getchar",   "getenv",
    "getpid",      "gets",      "gmtime",    "hypot",
    "ilogb",       "index",     "isalnum",   "isalpha",
    "isascii",     "isatty",    "isblank",   "iscntrl",
    "isdigit",     "isgraph",   "isinf",     "islower",
    "isnan",       "isprint",   "ispunct",   "isspace",
    "isupper",     "isxdigit",  "j0",        "j1",
    "jn",          "kill",      "labs",      "ldexp",
    "ldiv",        "lgamma",    "link",      "listen",
    "llabs",       "lldiv",     "llrint",    "llround",
    "localtime",   "log",       "log10",     "log1p",
    "log2",        "logb",      "lrand48",   "lrint",
    "lround",      "lseek",     "malloc",    "mblen",
    "memccpy",     "memchr",    "memcmp",    "memcpy",
    "memmem",      "memmove",   "memset",    "mkdir",
    "mktime",      "modf",      "mrand48",   "nan",
    "nanosleep",   "nearbyint", "nextafter", "nexttoward",
    "nice",        "open",      "pause",     "perror",
    "pipe",        "poll",      "popen",     "pow",
    "pow10",       "printf",    "putc",      "putchar",
    "putenv",      "puts",      "qsort",     "raise",
    "rand",        "random",    "read",      "realloc",
    "recv",        "remainder", "remove",    "remquo",
    "rename",      "rewind",    "rindex",    "rint",
    "rmdir",       "round",     "scalb",     "scalbln",
    "scalbn",      "scanf",     "select",    "send",
    "setbuf",      "setenv",    "setjmp",    "signal",
    "significand", "sin",       "sincos",    "sinh",
    "sleep",       "snprintf",  "socket",    "sprintf",
    "sqrt",        "srand",     "srand48",   "srandom",
    "sscanf",      "stat",      "stpcpy",    "strcat",
    "strchr",      "strcmp",    "strcpy",    "strdup",
    "strerror",    "strlen",    "strncat",   "strncmp",
    "strncpy",     "strrchr",   "strstr",    "strtod",
    "strtof",      "strtok",    "strtol",    "strtoll",
    "strtoul",     "strtoull",  "sync",      "system",
    "tan",         "tanh",      "tgamma",    "time",
    "times",       "tmpfile",   "tmpnam",    "toascii",
    "tolower",     "toupper",   "trunc",     "truncate",
    "ungetc",      "unlink",    "usleep",    "vfprintf",
    "vprintf",     "vsprintf",  "wait",      "write",
    "y0",          "y1",        "yn",
};

// Sorted. Those that exist for float and long double too.
constexpr std::string_view kMathematics[] = {
    "acos",      "acosh",   "asin",      "asinh",    "atan",  "atan2",
    "atanh",     "cbrt",    "ceil",      "copysign", "cos",   "cosh",
    "erf",       "erfc",    "exp",       "exp10",    "exp2",  "expm1",
    "fabs",      "fdim",    "floor",     "fma",      "fmax",  "fmin",
    "fmod",      "frexp",   "hypot",     "ilogb",    "ldexp", "lgamma",
    "llrint",    "llround", "log",       "log10",    "log1p", "log2",
    "logb",      "lrint",   "lround",    "modf",     "nan",   "nearbyint",
    "nextafter", "pow",     "remainder", "rint",     "round", "scalbn",
    "sin",       "sincos",  "sinh",      "sqrt",     "tan",   "tanh",
    "tgamma",    "trunc",
};

static_assert(std::is_sorted(std::begin(kNames), std::end(kNames)));
static_assert(std::is_sorted(std::begin(kMathematics), std::end(kMathematics)));

}  // namespace

bool IsCLibraryName(std::string_view name) {
  if (std::binary_search(std::begin(kNames), std::end(kNames), name)) {
    return true;
  }
  if (!name.ends_with('f') && !name.ends_with('l')) return false;
  name.remove_suffix(1);
  return std::binary_search(std::begin(kMathematics), std::end(kMathematics),
                            name);
}

}  // namespace belay::rewrite
