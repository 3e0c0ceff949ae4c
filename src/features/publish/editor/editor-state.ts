// The state that the editor displays, and the outcomes of a submission.
import type { Draft } from '#device/database/schema.ts'
import type { EditorItem, MissingFile } from '#src/features/publish/files/editor-item.ts'
import type { Refused } from '#src/features/publish/files/intake.ts'
import type { DraftProblems } from './rules.ts'
import type { UnsentReason } from './unsent-reason.ts'

export interface EditorState {
  draft: Draft
  /** In the order of the post. */
  items: EditorItem[]
  /** Files of the draft that are not on the device. */
  missing: MissingFile[]
  thumbnail: EditorItem | null
  frame: EditorItem | null
  /** Number of picked files that are not in the draft yet. */
  preparing: number
  /** The video's frame is being taken. */
  isTakingFrame: boolean
  /** Files that were refused at the last pick. */
  refused: Refused[]
  problems: DraftProblems
  /** The last change could not be stored on the device. */
  unsaved: boolean
  /** The conflicting draft that another tab stored. */
  conflict: Draft | null
  /** Whether another tab discarded the displayed draft. */
  discarded: boolean
  /** Why the last submission failed. */
  unsent: UnsentReason | null
  submitting: boolean
}

export type SubmitEnd =
  | { is: 'submitted' }
  | { is: 'problems'; problems: DraftProblems }
  | { is: 'unsent'; why: UnsentReason }
  | { is: 'busy' }

/** The state of an editor that has just been opened with a draft. */
export const stateOf = (draft: Draft): EditorState => ({
  draft,
  items: [],
  missing: [],
  thumbnail: null,
  frame: null,
  preparing: 0,
  isTakingFrame: false,
  refused: [],
  problems: {},
  unsaved: false,
  conflict: null,
  discarded: false,
  unsent: null,
  submitting: false,
})
