// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which key does what before the user changes anything: one table of action ids, and what each scheme does otherwise.
// A scheme is the set of keys that users of another profiler have in their fingers; Perfetto's is the default.
// An id is "<where>.<what>" and stays the same for good: settings name it.

#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>

namespace warpline {

enum class KeyScheme : uint8_t { Perfetto, ChromeTracing, Tracy, Optiq, Speedscope, NsysAi };

inline constexpr std::array kKeySchemes{KeyScheme::Perfetto, KeyScheme::ChromeTracing, KeyScheme::Tracy,
                                        KeyScheme::Optiq,    KeyScheme::Speedscope,    KeyScheme::NsysAi};

/// As settings write it: "chrome_tracing". What settings hold and nobody knows is Perfetto's.
QString schemeId(KeyScheme scheme);
KeyScheme schemeOf(const QString& id);
/// As users know it: "chrome://tracing, XProf".
QString schemeTitle(KeyScheme scheme);

/// Every id of the table, in its order.
QStringList idsWithKeys();
/// Empty for what has none, and for ids that the table does not know.
QList<QKeySequence> defaultKeys(const QString& id, KeyScheme scheme);
/// Two actions of which one is possible only while the other has no use for the key (Esc stops a load, else clears).
bool mayShareKeys(const QString& a, const QString& b);
/// Whether the action leaves its keys to whoever else wants them at that moment, such as a window's shortcut.
bool givesWay(const QString& id);

/// Keys of one action as one text, as settings hold it: "W + =". Keys that cannot be read are left out.
QString keysAsText(const QList<QKeySequence>& keys);
QList<QKeySequence> keysFromText(const QString& text);

}  // namespace warpline
