// Small things a person leaves on this device: a half-written comment, the place a video was left at. They go when they sign out.
import type * as v from 'valibot'
import { type PersistedValue, createPersistedValue } from '#src/lib/persisted-value.ts'

const PREFIX = 'todoke.own.'
/** How the names of notes about comments that are being written begin. */
export const COMMENT_NOTE = 'comments.'
/** And those of forms that are not sent. */
export const FORM_NOTE = 'forms.'

/** The key of a person's value in local storage. */
export const noteKey = (ownerId: string, name: string): string => `${PREFIX}${ownerId}.${name}`

/** One value of a person under a name. */
export function ownNote<T>(
  ownerId: string,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): PersistedValue<T> {
  return createPersistedValue(() => localStorage, noteKey(ownerId, name), schema)
}

/** Names of a person's values that begin so. */
export function ownNames(ownerId: string, prefix: string): string[] {
  const whole = `${PREFIX}${ownerId}.`
  try {
    const names = Object.keys(localStorage).filter((it) => it.startsWith(whole + prefix))
    return names.map((it) => it.slice(whole.length))
  } catch {
    return []
  }
}

/** Drops everything a person left here. */
export function dropOwnNotes(ownerId: string): void {
  try {
    const names = Object.keys(localStorage).filter((it) => it.startsWith(`${PREFIX}${ownerId}.`))
    for (const name of names) localStorage.removeItem(name)
  } catch {
    // A browser that stores nothing has nothing to drop.
  }
}
