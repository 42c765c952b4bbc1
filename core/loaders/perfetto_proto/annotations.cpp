// SPDX-License-Identifier: MIT
#include "core/loaders/perfetto_proto/annotations.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/json_writer.h"
#include "core/base/packed.h"
#include "core/loaders/perfetto_proto/field_numbers.h"
#include "core/loaders/perfetto_proto/wire.h"

namespace warpline::loaders::perfetto_proto {

namespace {

constexpr std::string_view kTooDeep = "\u2026";

std::string numbered(std::string_view what, uint64_t number) {
    return "(" + std::string(what) + " " + std::to_string(number) + ")";
}

/// How deep a JSON text opens brackets outside of strings.
uint32_t bracketDepth(std::string_view json) {
    uint32_t depth = 0;
    uint32_t deepest = 0;
    bool isInString = false;
    for (size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (isInString) {
            i += c == '\\' ? 1 : 0;
            isInString = c != '"';
        } else if (c == '"') {
            isInString = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
    return deepest;
}

class AnnotationWriter {
public:
    AnnotationWriter(JsonWriter& json, const AnnotationTexts& texts, uint32_t maxDepth)
        : m_json(json), m_texts(texts), m_maxDepth(maxDepth) {}

    void writeMember(std::string_view message, uint32_t depth) {
        std::string name = "(no name)";
        for (WireReader reader(message); reader.next();) {
            const WireField& field = reader.field();
            if (field.number == annotation::kName && field.isBytes()) {
                name = field.bytes;
            } else if (field.number == annotation::kNameIid && !field.isBytes()) {
                const auto it = m_texts.names.find(field.value);
                name = it == m_texts.names.end() ? numbered("name", field.value) : it->second;
            }
        }
        m_json.key(name);
        writeValue(message, depth);
    }

private:
    void writeValue(std::string_view message, uint32_t depth) {
        if (depth >= m_maxDepth) {
            m_json.text(kTooDeep);
            return;
        }
        WireField value;  // the last one counts
        bool isDict = false;
        bool isArray = false;
        for (WireReader reader(message); reader.next();) {
            const WireField& field = reader.field();
            isDict = isDict || (field.number == annotation::kDictEntries && field.isBytes());
            isArray = isArray || (field.number == annotation::kArrayValues && field.isBytes());
            const bool isName = field.number == annotation::kName || field.number == annotation::kNameIid;
            value = isName ? value : field;
        }
        if (isDict || isArray) {
            isDict ? m_json.beginObject() : m_json.beginArray();
            for (WireReader reader(message); reader.next();) {
                const WireField& field = reader.field();
                if (isDict && field.number == annotation::kDictEntries && field.isBytes()) {
                    writeMember(field.bytes, depth + 1);
                } else if (!isDict && field.number == annotation::kArrayValues && field.isBytes()) {
                    writeValue(field.bytes, depth + 1);
                }
            }
            isDict ? m_json.endObject() : m_json.endArray();
            return;
        }
        writeLeaf(value, depth);
    }

    void writeLeaf(const WireField& value, uint32_t depth) {
        switch (value.number) {
            case annotation::kBool:
                m_json.boolean(value.value != 0);
                break;
            case annotation::kUnsigned:
                m_json.unsignedInteger(value.value);
                break;
            case annotation::kSigned:
                m_json.integer(value.asSigned());
                break;
            case annotation::kDouble:
                m_json.real(value.asDouble());
                break;
            case annotation::kText:
                m_json.text(value.bytes);
                break;
            case annotation::kPointer: {
                char text[24];
                std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value.value));
                m_json.text(text);
                break;
            }
            case annotation::kTextIid: {
                const auto it = m_texts.values.find(value.value);
                m_json.text(it == m_texts.values.end() ? numbered("text", value.value) : it->second);
                break;
            }
            case annotation::kNested:
                writeNested(value.bytes, depth + 1);
                break;
            case annotation::kLegacyJson:
                bracketDepth(value.bytes) < m_maxDepth&& nlohmann::json::accept(value.bytes) ? m_json.raw(value.bytes)
                                                                                             : m_json.text(value.bytes);
                break;
            case annotation::kProtoValue:
                m_json.text(std::to_string(value.bytes.size()) + " bytes");
                break;
            default:
                m_json.null();
                break;
        }
    }

    void writeNested(std::string_view message, uint32_t depth) {
        if (depth >= m_maxDepth) {
            m_json.text(kTooDeep);
            return;
        }
        uint64_t type = 0;
        std::vector<std::string_view> keys;
        std::vector<std::string_view> values;
        WireField leaf;
        for (WireReader reader(message); reader.next();) {
            const WireField& field = reader.field();
            if (field.number == nested::kType) {
                type = field.value;
            } else if (field.number == nested::kKeys && field.isBytes()) {
                keys.push_back(field.bytes);
            } else if ((field.number == nested::kValues || field.number == nested::kArrayValues) && field.isBytes()) {
                values.push_back(field.bytes);
            } else {
                leaf = field;
            }
        }
        if (type == nested::kDict) {
            m_json.beginObject();
            for (size_t i = 0; i < values.size(); ++i) {
                m_json.key(i < keys.size() ? keys[i] : "(no name)");
                writeNested(values[i], depth + 1);
            }
            m_json.endObject();
        } else if (type == nested::kArray) {
            m_json.beginArray();
            for (const std::string_view value : values) {
                writeNested(value, depth + 1);
            }
            m_json.endArray();
        } else if (leaf.number == nested::kSigned) {
            m_json.integer(leaf.asSigned());
        } else if (leaf.number == nested::kDouble) {
            m_json.real(leaf.asDouble());
        } else if (leaf.number == nested::kBool) {
            m_json.boolean(leaf.value != 0);
        } else if (leaf.number == nested::kText) {
            m_json.text(leaf.bytes);
        } else {
            m_json.null();
        }
    }

    JsonWriter& m_json;
    const AnnotationTexts& m_texts;
    uint32_t m_maxDepth;
};

/// Messages of sorts of their own: Chromium's and Android's, and a few of Perfetto's.
bool isTypedArgument(const WireField& field) {
    constexpr uint32_t kFirstExtension = 1000;
    return field.isBytes() && (field.number == event::kTaskExecution || field.number == event::kLogMessage ||
                               field.number == event::kSourceLocation || field.number >= kFirstExtension);
}

}  // namespace

void AnnotationTable::clear(uint32_t sequence, Place place) {
    std::vector<Generation>& generations = m_sequences[sequence];
    const bool isUsed =
        !generations.empty() && (!generations.back().texts.names.empty() || !generations.back().texts.values.empty());
    if (isUsed || generations.empty()) {
        generations.push_back({place, {}});
    } else {
        generations.back().begin = std::min(generations.back().begin, place);
    }
}

AnnotationTexts& AnnotationTable::current(uint32_t sequence) {
    std::vector<Generation>& generations = m_sequences[sequence];
    if (generations.empty()) {
        generations.push_back({{}, {}});
    }
    return generations.back().texts;
}

const AnnotationTexts& AnnotationTable::at(uint32_t sequence, Place place) const {
    static const AnnotationTexts kNone;
    const auto it = m_sequences.find(sequence);
    if (it == m_sequences.end()) {
        return kNone;
    }
    const auto after = std::ranges::upper_bound(it->second, place, {}, &Generation::begin);
    return after == it->second.begin() ? kNone : (after - 1)->texts;
}

std::string annotationsJson(std::string_view trackEvent, const AnnotationTexts& texts, uint32_t maxDepth) {
    std::string out;
    JsonWriter json(out);
    AnnotationWriter writer(json, texts, maxDepth);
    bool isOpen = false;
    for (WireReader reader(trackEvent); reader.next();) {
        const WireField& field = reader.field();
        const bool isAnnotation = field.number == event::kAnnotations && field.isBytes();
        if (!isAnnotation && !isTypedArgument(field)) {
            continue;
        }
        if (!isOpen) {
            json.beginObject();
            isOpen = true;
        }
        if (isAnnotation) {
            writer.writeMember(field.bytes, 0);
        } else {
            json.key(numbered("typed argument", field.number)).text(std::to_string(field.bytes.size()) + " bytes");
        }
    }
    if (!isOpen) {
        return "null";
    }
    json.endObject();
    return out;
}

std::string AnnotationTable::stored() const {
    PackedWriter out;
    const auto writeTexts = [&](const std::unordered_map<uint64_t, std::string>& texts) {
        out.number(texts.size());
        for (const auto& [number, text] : texts) {
            out.number(number);
            out.text(text);
        }
    };
    out.number(m_sequences.size());
    for (const auto& [sequence, generations] : m_sequences) {
        out.number(sequence);
        out.number(generations.size());
        for (const Generation& generation : generations) {
            out.number(generation.begin.offset);
            out.number(generation.begin.number);
            writeTexts(generation.texts.names);
            writeTexts(generation.texts.values);
        }
    }
    return out.take();
}

std::optional<AnnotationTable> AnnotationTable::fromStored(std::string_view bytes) {
    PackedReader in(bytes);
    const auto readTexts = [&](std::unordered_map<uint64_t, std::string>& texts) {
        for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
            const uint64_t number = in.number();
            texts.try_emplace(number, in.text());
        }
    };
    AnnotationTable table;
    for (uint64_t left = in.number(); left > 0 && !in.failed(); --left) {
        auto& generations = table.m_sequences[static_cast<uint32_t>(in.number())];
        for (uint64_t more = in.number(); more > 0 && !in.failed(); --more) {
            Generation& generation = generations.emplace_back();
            generation.begin.offset = in.number();
            generation.begin.number = static_cast<uint32_t>(in.number());
            readTexts(generation.texts.names);
            readTexts(generation.texts.values);
        }
    }
    return in.ok() ? std::optional(std::move(table)) : std::nullopt;
}

}  // namespace warpline::loaders::perfetto_proto
