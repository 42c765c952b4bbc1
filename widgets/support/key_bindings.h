// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All actions that can be asked for by key or by name, and the keys they are bound to now: those of the chosen scheme
// (key_schemes.h), or what the user has set instead, which settings keep. Changes count at once, in every menu.
// GUI thread only.

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include "widgets/support/key_schemes.h"

class QAction;

namespace warpline {

class KeyBindings : public QObject {
    Q_OBJECT

public:
    /// `id` becomes the action's object name. `group` is where users look for it ("Timeline"); `defaultsAs` the id that
    /// the table knows its keys by, if that is another. An action that is destroyed is forgotten; of several with one
    /// id all get the keys, and the newest is listed.
    void add(QAction* action, const QString& id, const QString& group, const QString& defaultsAs = {});
    /// One an id, in the order that ids were first added.
    QList<QAction*> actions() const;
    /// Null if there is none.
    QAction* action(const QString& id) const;
    QString groupOf(const QString& id) const;

    KeyScheme scheme() const;
    void setScheme(KeyScheme scheme);
    QList<QKeySequence> keys(const QString& id) const;
    QList<QKeySequence> schemeKeys(const QString& id) const;
    /// Whether the user has set its keys.
    bool isChanged(const QString& id) const;
    void setKeys(const QString& id, const QList<QKeySequence>& keys);
    void reset(const QString& id);
    void resetAll();

    /// Ids of the other actions that have the key and cannot share it.
    QStringList usersOf(const QKeySequence& key, const QString& except) const;
    struct Conflict {
        QKeySequence key;
        QStringList ids;
    };
    QList<Conflict> conflicts() const;

signals:
    /// Keys, or what is bound to them, are others now.
    void changed();

private:
    void apply();
    void applyTo(QAction* action) const;

    struct Entry {
        QString id;
        QString group;
        QString defaultsAs;
        QList<QPointer<QAction>> actions;
    };
    const Entry* find(const QString& id) const;
    QList<Entry> m_entries;
    QHash<QString, qsizetype> m_places;  ///< id -> in m_entries
};

/// The program's.
KeyBindings& keyBindings();

/// The action's text without mnemonic and dots.
QString actionTitle(const QAction* action);
/// The same, or what its property kFullTitle says, where the menu around it is not seen.
QString fullTitle(const QAction* action);
inline constexpr auto kFullTitle = "fullTitle";
/// For people: "W  or  +"; "" for none.
QString shownKeys(const QList<QKeySequence>& keys);

/// Actions say in this property why they are disabled, for lists that show them anyway.
inline constexpr auto kDisabledReason = "disabledReason";
void setEnabledOr(QAction* action, bool enabled, const QString& reason);

}  // namespace warpline
