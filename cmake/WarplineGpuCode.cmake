# SPDX-License-Identifier: MIT
# Sample kernels, and GPU code as bytes in the program. nvcc is called by hand: CMake's own CUDA language would try the
# compiler at each configuration, and two kernels of one name could not be in one program.

set(WARPLINE_KERNELS FALSE)
if(WARPLINE_CUDA)
    if(CUDAToolkit_VERSION VERSION_LESS 12.8)
        message(STATUS "The CUDA Toolkit is older than 12.8: the sample kernels are not built")
    elseif(NOT CUDAToolkit_NVCC_EXECUTABLE OR NOT TARGET CUDA::cudart_static)
        message(STATUS "The CUDA Toolkit has no nvcc or no static runtime: the sample kernels are not built")
    else()
        set(WARPLINE_KERNELS TRUE)
    endif()
endif()

# warpline_sample_kernel(NAME): a component of the folder kernels, where kernels are built.
function(warpline_sample_kernel name)
    if(WARPLINE_KERNELS)
        warpline_component(kernels ${name} LINK warpline_kernels_device PRIVATE_LINK CUDA::cudart_static)
    endif()
endfunction()

# warpline_gpu_code(TARGET NAME SOURCE file.cu [HOPPER] [OPTIONS …])
# Compiles the file and gives TARGET the function `warpline::device::GpuCode warpline::device::code_NAME()`. For compute
# capability 9.0 as machine code and for newer ones as PTX; HOPPER: for 9.0 alone, with its own instructions.
# The code is not compressed, so that tests can read it.
function(warpline_gpu_code target name)
    if(NOT WARPLINE_KERNELS)
        return()
    endif()
    cmake_parse_arguments(arg "HOPPER" "SOURCE" "OPTIONS" ${ARGN})
    set(fatbin "${CMAKE_CURRENT_BINARY_DIR}/${name}.fatbin")
    set(architecture "arch=compute_90,code=[sm_90,compute_90]")
    if(arg_HOPPER)
        set(architecture "arch=compute_90a,code=sm_90a")
    endif()
    add_custom_command(OUTPUT "${fatbin}"
        COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" -std=c++17 -O3 -lineinfo -fatbin -no-compress -gencode "${architecture}"
            -ccbin "${CMAKE_CXX_COMPILER}" -I "${PROJECT_SOURCE_DIR}" ${arg_OPTIONS} -MD -MF "${fatbin}.d" -MT "${fatbin}"
            -o "${fatbin}" "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE}"
        DEPENDS "${arg_SOURCE}" DEPFILE "${fatbin}.d" COMMENT "GPU code ${name}" VERBATIM)
    set(WARPLINE_CODE_NAME ${name})
    set(WARPLINE_CODE_FILE "${fatbin}")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}_code.cpp")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/gpu_code.cpp.in" "${source}" @ONLY)
    set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${fatbin}" SKIP_PRECOMPILE_HEADERS ON)
    target_sources(${target} PRIVATE "${source}")
endfunction()
