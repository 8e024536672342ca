# Stands where a project of CANN's kernel-launch style includes ascendc.cmake:
# with ASCEND_CANN_PACKAGE_PATH set to this folder's great-grandparent.
find_package(Belay REQUIRED CONFIG
  PATHS "${CMAKE_CURRENT_LIST_DIR}/../../../../../lib/cmake/Belay"
  NO_DEFAULT_PATH)
