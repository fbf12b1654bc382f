# What the CMakeLists.txt of every component shares: programs for a GPU and for the CPU, and checks.
# It lies in the lowest component, so that cpucc and traffic can be taken out of the tree.
include_guard(GLOBAL)
get_filename_component(SHARED ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(CPUCC ${SHARED}/cpucc/cpucc)

# Everything that the quick checks need: cmake --build build --target quick
add_custom_target(quick)

# ---- C ----

set(SANITIZE -fsanitize=address,undefined -fno-sanitize-recover=all)

# c_options(TARGET [OPTION...]): every warning is an error; the options are the linker's too. The
# quick checks need the target.
function(c_options target)
  target_compile_options(${target} PRIVATE -g -Wall -Wextra -Werror -Wpedantic ${ARGN})
  target_link_options(${target} PRIVATE ${ARGN})
  add_dependencies(quick ${target})
endfunction()

# ---- for a GPU ----

# cuda_program(TARGET SOURCE): a program of one .cu file, built by nvcc with warnings on.
function(cuda_program target source)
  add_executable(${target} ${source})
  target_include_directories(${target} PRIVATE ${SHARED})
  target_compile_options(${target} PRIVATE -Xcompiler=-Wall,-Wextra)
endfunction()

# ---- for the CPU ----

execute_process(COMMAND ${CPUCC} --version RESULT_VARIABLE no_cpucc OUTPUT_QUIET ERROR_QUIET)
if(no_cpucc)
  set(HAVE_CPUCC OFF)
  message(STATUS "no clang: nothing is run on the CPU")
else()
  set(HAVE_CPUCC ON)
  # The first compilation builds cpucc's own tools; the others wait for it.
  file(GLOB_RECURSE cpucc_sources CONFIGURE_DEPENDS ${SHARED}/cpucc/* ${SHARED}/traffic/*.[ch])
  list(FILTER cpucc_sources EXCLUDE REGEX "/tests/")
  file(GLOB harness_headers CONFIGURE_DEPENDS ${SHARED}/harness/*.h)
  set(cpucc_ready ${CMAKE_BINARY_DIR}/cpu/ready)
  file(WRITE ${CMAKE_BINARY_DIR}/cpu/ready.cu "int main() { return 0; }\n")
  add_custom_command(OUTPUT ${cpucc_ready} DEPENDS ${cpucc_sources} VERBATIM
                     COMMAND ${CPUCC} ${CMAKE_BINARY_DIR}/cpu/ready.cu -o ${cpucc_ready})
  add_custom_target(cpucc_ready DEPENDS ${cpucc_ready})
endif()

# cpucc_program(TARGET SOURCE [OPTION...] [COMPILER clang++] [SLOW] [INCLUDES FILE...]): a program of
# one .cu file, built by cpucc into ${CMAKE_BINARY_DIR}/cpu/TARGET; SLOW if no quick check needs it.
# INCLUDES names what it includes beside shared/harness. Call it only if HAVE_CPUCC.
function(cpucc_program target source)
  cmake_parse_arguments(PARSE_ARGV 2 with SLOW COMPILER INCLUDES)
  set(program ${CMAKE_BINARY_DIR}/cpu/${target})
  set(compile ${CPUCC} -I${SHARED} ${with_UNPARSED_ARGUMENTS} ${source} -o ${program})
  if(with_COMPILER)
    set(compile ${CMAKE_COMMAND} -E env CLANGXX=${with_COMPILER} ${compile})
  endif()
  add_custom_command(OUTPUT ${program} COMMAND ${compile} VERBATIM
                     DEPENDS ${source} ${with_INCLUDES} ${cpucc_ready} ${cpucc_sources} ${harness_headers})
  add_custom_target(cpu_${target} ALL DEPENDS ${program})
  add_dependencies(cpu_${target} cpucc_ready)
  if(NOT with_SLOW)
    add_dependencies(quick cpu_${target})
  endif()
endfunction()

# ---- tests ----

# check(NAME LABELS COMMAND...): one entry of CTest, called FOLDER.NAME after the folder that
# declares it, or after the folder above it if that is `tests`. LABELS is quick or slow, with `gpu` too for what needs a device: "slow;gpu", and with
# `long` for what takes ten seconds or more. Exit status 3 means skipped. Tests run side by side, the
# long ones first, so that no core waits for one at the end: give those that measure, or fill the
# device's memory, the RESOURCE_LOCK device_memory.
function(check name labels)
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  if(folder STREQUAL "tests")
    get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR}/.. ABSOLUTE)
    get_filename_component(folder ${folder} NAME)
  endif()
  add_test(NAME ${folder}.${name} COMMAND ${ARGN})
  set_tests_properties(${folder}.${name} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 3 TIMEOUT 600)
  if("long" IN_LIST labels)
    set_tests_properties(${folder}.${name} PROPERTIES COST 10)
  endif()
endfunction()
