// What somebody asked to do about another person or what they wrote, wherever that stood: one question for the whole app.
import type { ReportKind } from '#contract/posts/reports.ts'
import { held } from '#src/lib/store.ts'

export interface AskedPerson {
  readonly id: string
  readonly name: string
}

/** `report`: of a post, a comment or a person, and whose it is. */
export type Asked =
  | { readonly is: 'report'; readonly kind: ReportKind; readonly id: string; readonly owner: AskedPerson }
  | { readonly is: 'block'; readonly person: AskedPerson; readonly after: (() => void) | undefined }

const asked = held<Asked | undefined>(undefined)

/** Opens the sheet in which something is reported. */
export function askReport(kind: ReportKind, id: string, owner: AskedPerson): void {
  asked.set({ is: 'report', kind, id, owner })
}

/**
 * Asks whether somebody shall be blocked, and says what that does.
 * @param after once they are: for a page that then shows nothing any more
 */
export function askBlock(person: AskedPerson, after?: () => void): void {
  asked.set({ is: 'block', person, after })
}

/** That question is answered, or nobody wants it answered any more; one asked since stays. */
export function askedNoMore(of: Asked): void {
  if (asked.get() === of) asked.set(undefined)
}

/** What was asked and not answered yet. */
export const useAsked = (): Asked | undefined => asked.use()
