// The open report or block dialog: one for the whole app.
import type { ReportKind } from '#contract/posts/reports.ts'
import { createStore } from '#src/lib/store.ts'

export interface ModeratedPerson {
  readonly id: string
  readonly name: string
}

/** `report`: of a post, a comment or a person, and whose it is. */
export type ModerationRequest =
  | { readonly is: 'report'; readonly kind: ReportKind; readonly id: string; readonly owner: ModeratedPerson }
  | { readonly is: 'block'; readonly person: ModeratedPerson; readonly after: (() => void) | undefined }

const asked = createStore<ModerationRequest | undefined>(undefined)

/** Opens the sheet in which something is reported. */
export function openReport(kind: ReportKind, id: string, owner: ModeratedPerson): void {
  asked.set({ is: 'report', kind, id, owner })
}

/**
 * Asks whether somebody shall be blocked, and says what that does.
 * @param after once they are: for a page that then shows nothing any more
 */
export function openBlock(person: ModeratedPerson, after?: () => void): void {
  asked.set({ is: 'block', person, after })
}

/** That question is answered, or nobody wants it answered any more; one asked since stays. */
export function closeModeration(of: ModerationRequest): void {
  if (asked.get() === of) asked.set(undefined)
}

/** What was asked and not answered yet. */
export const useModerationRequest = (): ModerationRequest | undefined => asked.use()
