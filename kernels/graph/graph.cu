// SPDX-License-Identifier: MIT
// A node of the graph: values = values * 0.5 + 0.25.

extern "C" __global__ void graph_node_kernel(float* values, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        values[i] = values[i] * 0.5f + 0.25f;
    }
}
