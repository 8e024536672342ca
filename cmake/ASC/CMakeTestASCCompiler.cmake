# The driver comes with this package and calls a compiler that CMake tests.
set(CMAKE_ASC_COMPILER_WORKS TRUE CACHE INTERNAL "")
