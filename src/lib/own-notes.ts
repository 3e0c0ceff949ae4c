// Small things a person leaves on this device: a half-written comment, the place a video was left at. They go when they sign out.
import type * as v from 'valibot'
import { type Kept, kept } from './kept.ts'

const PREFIX = 'todoke.own.'

/** One value of a person under a name. */
export function ownNote<T>(ownerId: string, name: string, schema: v.GenericSchema<unknown, T>): Kept<T> {
  return kept(() => localStorage, `${PREFIX}${ownerId}.${name}`, schema)
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
