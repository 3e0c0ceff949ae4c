// What somebody asked to do about another person or what they wrote, wherever that stood: one question for the whole app.
import { useSyncExternalStore } from 'react'
import type { ReportKind } from '#contract/reports.ts'

export interface AskedPerson {
  readonly id: string
  readonly name: string
}

/** `report`: of a post, a comment or a person, and whose it is. */
export type Asked =
  | { readonly is: 'report'; readonly kind: ReportKind; readonly id: string; readonly owner: AskedPerson }
  | { readonly is: 'block'; readonly person: AskedPerson; readonly after: (() => void) | undefined }

let now: Asked | undefined
const listeners = new Set<() => void>()

function set(next: Asked | undefined): void {
  now = next
  for (const listener of listeners) listener()
}

/** Opens the sheet in which something is reported. */
export function askReport(kind: ReportKind, id: string, owner: AskedPerson): void {
  set({ is: 'report', kind, id, owner })
}

/**
 * Asks whether somebody shall be blocked, and says what that does.
 * @param after once they are: for a page that then shows nothing any more
 */
export function askBlock(person: AskedPerson, after?: () => void): void {
  set({ is: 'block', person, after })
}

export const askedNothing = (): void => set(undefined)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What was asked and not answered yet. */
export function useAsked(): Asked | undefined {
  return useSyncExternalStore(subscribe, () => now)
}
