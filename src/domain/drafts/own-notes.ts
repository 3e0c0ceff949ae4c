// Notes: small values of one account in local storage, deleted at sign-out.
import type * as v from 'valibot'
import { type PersistedValue, createPersistedValue } from '#src/lib/persisted-value.ts'

const PREFIX = 'todoke.own.'
/** Prefix of the names of notes with unsent comments. */
export const COMMENT_NOTE = 'comments.'
/** Prefix of the names of notes with unsent messages. */
export const MESSAGE_NOTE = 'messages.'
/** Prefix of the names of notes with unsent forms. */
export const FORM_NOTE = 'forms.'

/** The key of a person's note in local storage. */
export const noteKey = (ownerId: string, name: string): string => `${PREFIX}${ownerId}.${name}`

/** A person's note under a name. */
export function ownNote<T>(
  ownerId: string,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): PersistedValue<T> {
  return createPersistedValue(() => localStorage, noteKey(ownerId, name), schema)
}

/** Names of a person's notes that begin with a prefix. */
export function ownNames(ownerId: string, prefix: string): string[] {
  const personPrefix = `${PREFIX}${ownerId}.`
  try {
    const names = Object.keys(localStorage).filter((it) => it.startsWith(personPrefix + prefix))
    return names.map((it) => it.slice(personPrefix.length))
  } catch {
    return []
  }
}

/** Deletes all notes of a person. */
export function deleteOwnNotes(ownerId: string): void {
  try {
    const names = Object.keys(localStorage).filter((it) => it.startsWith(`${PREFIX}${ownerId}.`))
    for (const name of names) localStorage.removeItem(name)
  } catch {
    // A browser without storage has no notes.
  }
}
