// The open report or block dialog: one for the whole app.
import type { ReportKind } from '#contract/posts/reports.ts'
import { createStore, useStore } from '#src/lib/store.ts'

export interface ModeratedPerson {
  readonly id: string
  readonly name: string
}

/** `report`: of a post, a comment or a person, and whose it is. */
export type ModerationRequest =
  | { readonly is: 'report'; readonly kind: ReportKind; readonly id: string; readonly owner: ModeratedPerson }
  /** The choice of a person's message to report. */
  | { readonly is: 'messages'; readonly person: ModeratedPerson }
  | { readonly is: 'block'; readonly person: ModeratedPerson; readonly after: (() => void) | undefined }

const openRequest = createStore<ModerationRequest | undefined>(undefined)

/** Opens the sheet in which something is reported. */
export function requestReport(kind: ReportKind, id: string, owner: ModeratedPerson): void {
  openRequest.set({ is: 'report', kind, id, owner })
}

/** Opens the choice of a message of a person, which the viewer may no longer see. */
export function requestMessageReport(person: ModeratedPerson): void {
  openRequest.set({ is: 'messages', person })
}

/**
 * Opens the dialog that asks about a block and explains its effect.
 * @param after called after the block: for a page that then shows nothing
 */
export function requestBlock(person: ModeratedPerson, after?: () => void): void {
  openRequest.set({ is: 'block', person, after })
}

/** Closes this request; a newer one stays. */
export function closeModeration(of: ModerationRequest): void {
  if (openRequest.get() === of) openRequest.set(undefined)
}

/** The open request. */
export const useModerationRequest = (): ModerationRequest | undefined => useStore(openRequest)
