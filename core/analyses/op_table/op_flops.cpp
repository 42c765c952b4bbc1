// SPDX-License-Identifier: MIT
#include "core/analyses/op_table/op_flops.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpline::op_table {

namespace {

using Shape = std::vector<int64_t>;

std::optional<int64_t> product(std::initializer_list<int64_t> factors) {
    int64_t out = 1;
    for (const int64_t factor : factors) {
        if (factor < 0 || __builtin_mul_overflow(out, factor, &out)) {
            return std::nullopt;
        }
    }
    return out;
}

struct MatrixProduct {
    std::string_view name;
    size_t first;  ///< the first factor's place among the inputs
    bool batched;
};

constexpr std::array<MatrixProduct, 4> kMatrixProducts = {
    {{"aten::mm", 0, false}, {"aten::addmm", 1, false}, {"aten::bmm", 0, true}, {"aten::baddbmm", 1, true}}};

std::optional<int64_t> matrixProductFlops(const MatrixProduct& op, const std::vector<Shape>& shapes) {
    if (shapes.size() < op.first + 2) {
        return std::nullopt;
    }
    const Shape& a = shapes[op.first];
    const Shape& b = shapes[op.first + 1];
    const size_t rank = op.batched ? 3 : 2;
    if (a.size() != rank || b.size() != rank || a[rank - 1] != b[rank - 2]) {
        return std::nullopt;
    }
    return product({2, op.batched ? a[0] : 1, a[rank - 2], a[rank - 1], b[rank - 1]});
}

}  // namespace

std::optional<std::vector<std::vector<int64_t>>> parseShapes(std::string_view json) {
    std::vector<Shape> out;
    int depth = 0;
    bool plain = true;  // the current input is a flat list of whole numbers
    bool entry = false;
    const auto finish = [&] {
        if (entry) {
            if (!plain) {
                out.back().clear();
            }
            entry = false;
        }
    };
    for (size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '[') {
            ++depth;
            if (depth == 2) {
                out.emplace_back();
                plain = entry = true;
            } else if (depth > 2) {
                plain = false;
            }
        } else if (c == ']') {
            if (depth-- == 0) {
                return std::nullopt;
            }
            if (depth == 1) {
                finish();
            }
        } else if (c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            continue;
        } else if (c == '"') {
            do {
                i += i < json.size() && json[i] == '\\' ? 2 : 1;
            } while (i < json.size() && json[i] != '"');
            if (depth == 1) {
                out.emplace_back();
            }
            plain = false;
        } else {
            const size_t end = std::min(json.find_first_of(",] \t\r\n", i), json.size());
            if (depth == 0) {
                return std::nullopt;
            }
            int64_t value = 0;
            const auto parsed = std::from_chars(json.data() + i, json.data() + end, value);
            const bool whole = parsed.ec == std::errc() && parsed.ptr == json.data() + end;
            if (depth == 1) {
                out.emplace_back();
            } else if (whole) {
                out.back().push_back(value);
            } else {
                plain = false;
            }
            i = end - 1;
        }
    }
    return depth == 0 && !json.empty() ? std::optional(std::move(out)) : std::nullopt;
}

bool hasFlopsFormula(std::string_view opName) {
    return opName == "aten::mul" || opName == "aten::add" ||
           std::any_of(kMatrixProducts.begin(), kMatrixProducts.end(),
                       [&](const auto& op) { return op.name == opName; });
}

std::optional<int64_t> computeFlops(std::string_view opName, std::string_view inputDims) {
    if (!hasFlopsFormula(opName)) {
        return std::nullopt;
    }
    const auto shapes = parseShapes(inputDims);
    if (!shapes || shapes->empty()) {
        return std::nullopt;
    }
    for (const MatrixProduct& op : kMatrixProducts) {
        if (op.name == opName) {
            return matrixProductFlops(op, *shapes);
        }
    }
    int64_t elements = 1;
    for (const int64_t size : shapes->front()) {
        if (size < 0 || __builtin_mul_overflow(elements, size, &elements)) {
            return std::nullopt;
        }
    }
    return elements;
}

}  // namespace warpline::op_table
