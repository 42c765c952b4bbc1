// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/support/key_bindings.h"

#include <QAction>

#include "widgets/support/settings.h"

namespace warpline {

namespace {

QString settingOf(const QString& id) {
    return QStringLiteral("%1/%2").arg(QLatin1String(settings::kKeys), id);
}

}  // namespace

KeyBindings& keyBindings() {
    static KeyBindings bindings;
    return bindings;
}

void KeyBindings::add(QAction* action, const QString& id, const QString& group, const QString& defaultsAs) {
    action->setObjectName(id);
    if (!m_places.contains(id)) {
        m_places.insert(id, m_entries.size());
        m_entries.append({id, {}, {}, {}});
    }
    Entry& entry = m_entries[m_places.value(id)];
    entry.group = group;
    entry.defaultsAs = defaultsAs;
    entry.actions.removeIf([](const QPointer<QAction>& known) { return known.isNull(); });
    entry.actions.append(action);
    applyTo(action);
}

const KeyBindings::Entry* KeyBindings::find(const QString& id) const {
    const auto place = m_places.constFind(id);
    return place == m_places.cend() ? nullptr : &m_entries[*place];
}

QAction* KeyBindings::action(const QString& id) const {
    const Entry* entry = find(id);
    if (entry != nullptr) {
        for (auto known = entry->actions.crbegin(); known != entry->actions.crend(); ++known) {
            if (!known->isNull()) {
                return *known;
            }
        }
    }
    return nullptr;
}

QList<QAction*> KeyBindings::actions() const {
    QList<QAction*> found;
    for (const Entry& entry : m_entries) {
        if (QAction* known = action(entry.id)) {
            found << known;
        }
    }
    return found;
}

QString KeyBindings::groupOf(const QString& id) const {
    const Entry* entry = find(id);
    return entry == nullptr ? QString() : entry->group;
}

KeyScheme KeyBindings::scheme() const {
    return schemeOf(settings::store().value(settings::kKeyScheme).toString());
}

void KeyBindings::setScheme(KeyScheme scheme) {
    if (scheme != this->scheme()) {
        settings::store().setValue(settings::kKeyScheme, schemeId(scheme));
        apply();
    }
}

QList<QKeySequence> KeyBindings::schemeKeys(const QString& id) const {
    const KeyScheme scheme = this->scheme();
    QList<QKeySequence> keys = defaultKeys(id, scheme);
    if (const Entry* entry = find(id); keys.isEmpty() && entry != nullptr && !entry->defaultsAs.isEmpty()) {
        keys = defaultKeys(entry->defaultsAs, scheme);
    }
    return keys;
}

bool KeyBindings::isChanged(const QString& id) const {
    return settings::store().contains(settingOf(id));
}

QList<QKeySequence> KeyBindings::keys(const QString& id) const {
    return isChanged(id) ? keysFromText(settings::store().value(settingOf(id)).toString()) : schemeKeys(id);
}

void KeyBindings::setKeys(const QString& id, const QList<QKeySequence>& keys) {
    if (keys == this->keys(id)) {
        return;
    }
    if (keys == schemeKeys(id)) {
        settings::store().remove(settingOf(id));
    } else {
        settings::store().setValue(settingOf(id), keysAsText(keys));
    }
    apply();
}

void KeyBindings::reset(const QString& id) {
    if (isChanged(id)) {
        settings::store().remove(settingOf(id));
        apply();
    }
}

void KeyBindings::resetAll() {
    settings::store().remove(settings::kKeys);
    apply();
}

void KeyBindings::applyTo(QAction* action) const {
    const QString id = action->objectName();
    // Who gives way waits for the press that nobody else took.
    action->setShortcuts(givesWay(id) ? QList<QKeySequence>() : keys(id));
}

void KeyBindings::apply() {
    for (const Entry& entry : m_entries) {
        for (const QPointer<QAction>& known : entry.actions) {
            if (!known.isNull()) {
                applyTo(known);
            }
        }
    }
    emit changed();
}

QStringList KeyBindings::usersOf(const QKeySequence& key, const QString& except) const {
    QStringList ids;
    for (const Entry& entry : m_entries) {
        if (entry.id != except && action(entry.id) != nullptr && keys(entry.id).contains(key) &&
            !mayShareKeys(entry.id, except)) {
            ids << entry.id;
        }
    }
    return ids;
}

QList<KeyBindings::Conflict> KeyBindings::conflicts() const {
    QList<Conflict> owners;  // in the order of actions
    QHash<QKeySequence, qsizetype> places;
    for (const Entry& entry : m_entries) {
        if (action(entry.id) == nullptr) {
            continue;
        }
        for (const QKeySequence& key : keys(entry.id)) {
            const auto place = places.constFind(key);
            if (place == places.cend()) {
                places.insert(key, owners.size());
                owners.append({key, QStringList(entry.id)});
            } else if (!mayShareKeys(owners[*place].ids.first(), entry.id)) {
                owners[*place].ids << entry.id;
            }
        }
    }
    owners.removeIf([](const Conflict& owner) { return owner.ids.size() < 2; });
    return owners;
}

QString actionTitle(const QAction* action) {
    QString title;
    const QString text = action->text();
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&') && ++i >= text.size()) {
            break;
        }
        title += text[i];
    }
    if (title.endsWith(QStringLiteral("…"))) {
        title.chop(1);
    }
    return title;
}

QString fullTitle(const QAction* action) {
    const QString title = action->property(kFullTitle).toString();
    return title.isEmpty() ? actionTitle(action) : title;
}

QString shownKeys(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& key : keys) {
        texts << key.toString(QKeySequence::NativeText);
    }
    return texts.join(QStringLiteral("  or  "));
}

void setEnabledOr(QAction* action, bool enabled, const QString& reason) {
    action->setProperty(kDisabledReason, enabled ? QString() : reason);
    action->setEnabled(enabled);
}

}  // namespace warpline
