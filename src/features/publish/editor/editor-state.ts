// What the editor shows, and how a press of 投稿 can end.
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
  /** Files that were picked and are not in the draft yet. */
  preparing: number
  /** The video's frame is being taken. */
  taking: boolean
  /** Files that were not taken at the last pick. */
  refused: Refused[]
  problems: DraftProblems
  /** The last change could not be stored on the device. */
  unsaved: boolean
  /** Another tab stored a different text: the person chooses. */
  conflict: Draft | null
  /** Another tab discarded the draft, which is still shown. */
  discarded: boolean
  /** Why the last press of 投稿 sent nothing. */
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
  taking: false,
  refused: [],
  problems: {},
  unsaved: false,
  conflict: null,
  discarded: false,
  unsent: null,
  submitting: false,
})
