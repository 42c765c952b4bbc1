// SPDX-License-Identifier: MIT
#include "core/capture/capture_writer.h"

#include "core/capture/texts.h"

namespace warpline::capture {

void CaptureWriter::writeFacts(std::string_view facts) {
    m_recordsLost += send(std::exchange(m_hasBegun, true) ? FrameType::Facts : FrameType::Begin, facts) ? 0 : 1;
}

void CaptureWriter::writeEnd(std::string_view facts) {
    flush();
    send(FrameType::End, facts);
}

uint32_t CaptureWriter::number(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    text = text.substr(0, kLongestText);
    if (const auto known = m_numbers.find(text); known != m_numbers.end()) {
        return known->second;
    }
    constexpr size_t kNodeBytes = 64;
    if (m_textBytes > kMostTextBytes) {
        m_numbers.clear();
        m_textBytes = 0;
    }
    const uint32_t next = ++m_lastNumber;
    m_numbers.emplace(text, next);
    m_textBytes += text.size() + kNodeBytes;
    appendText(m_texts, next, text);
    if (m_texts.size() > kMostTextBytes) {
        writeTexts();
    }
    return next;
}

void CaptureWriter::flush() {
    std::apply([this](auto&... batches) { (write(batches), ...); }, m_batches);
    writeTexts();
}

void CaptureWriter::writeModule(ModuleHead head, std::string_view code) {
    flush();
    if (!m_modules.insert(head.hash).second) {
        code = {};
    }
    head.offset = 0;
    bool isWhole = true;
    do {
        const std::string_view part = code.substr(0, kModulePart);
        m_payload.assign(reinterpret_cast<const char*>(&head), sizeof head);
        m_payload += part;
        const bool isSent = send(FrameType::Module, m_payload);
        m_recordsLost += isSent ? 0 : 1;
        isWhole = isWhole && isSent;
        head.offset += part.size();
        code.remove_prefix(part.size());
    } while (!code.empty());
    if (!isWhole) {
        m_modules.erase(head.hash);
    }
}

void CaptureWriter::writeFrame(FrameType type, std::string_view payload) {
    flush();
    m_recordsLost += send(type, payload) ? 0 : 1;
}

void CaptureWriter::writeTexts() {
    // What comes later names them too, so those that could not be written are tried again, as far as there is room.
    if (!m_texts.empty() && (send(FrameType::Strings, m_texts) || m_texts.size() > kMostTextBytes)) {
        m_texts.clear();
    }
}

bool CaptureWriter::send(FrameType type, std::string_view payload) {
    const FrameHeader header = makeHeader(type, m_source, m_sequence++, payload);
    if (m_sink({reinterpret_cast<const char*>(&header), sizeof header}, payload)) {
        m_bytes += sizeof header + payload.size();
        return true;
    }
    ++m_lost;
    return false;
}

}  // namespace warpline::capture
