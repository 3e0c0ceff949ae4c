// Submission: hands what the editor shows to the queue, or says why it was not sent.
import { isSubmitted } from '#device/drafts/drafts.ts'
import type { Draft } from '#device/database/schema.ts'
import { submit } from '#src/sw-bridge.ts'
import type { DraftSync } from './draft-sync.ts'
import type { EditorState, SubmitEnd } from './editor-state.ts'

/** What a submission needs of its editor. */
export interface SubmissionDesk {
  state: () => EditorState
  sync: () => DraftSync
  /** Until no file and no change of the editor's is under way. */
  settled: () => Promise<void>
  reload: () => Promise<void>
  write: (change: (draft: Draft) => Draft) => Promise<unknown>
  /** Looks for problems and shows them. */
  hasProblems: () => boolean
  isConverting: () => boolean
  /** Until no photo of the draft is being converted, in this tab or another. */
  converted: () => Promise<void>
  /** Shows a new, empty draft. */
  restart: () => void
}

const waits = (submitWhenReady: boolean) => (draft: Draft) => ({ ...draft, submitWhenReady })

/** Submits what is shown, once its photos are converted. Rejects with the errors of the device's database. */
export async function submitShown(desk: SubmissionDesk): Promise<SubmitEnd> {
  await desk.settled()
  await desk.sync().save()
  await desk.reload()
  if (desk.state().conflict) return { is: 'unsent', why: 'conflict' }
  if (desk.hasProblems()) return problems(desk)
  if (desk.isConverting()) {
    await desk.write(waits(true))
    await desk.converted()
    if (!(await isSubmitted(desk.state().draft.id)) && desk.hasProblems()) {
      await desk.write(waits(false))
      return problems(desk)
    }
  }
  return send(desk, desk.state().draft)
}

const problems = (desk: SubmissionDesk): SubmitEnd => ({
  is: 'problems',
  problems: desk.state().problems,
})

async function send(desk: SubmissionDesk, shown: Draft): Promise<SubmitEnd> {
  const end = await submit(shown)
  switch (end.is) {
    case 'submitted':
    case 'already':
      // Letters that the queue does not have become a new draft.
      await desk.sync().fork(end.is === 'submitted' ? shown : undefined)
      desk.restart()
      return { is: 'submitted' }
    case 'changed':
      if (shown.submitWhenReady) await desk.write(waits(false))
      desk.sync().take(end.stored)
      return { is: 'unsent', why: desk.state().conflict ? 'conflict' : 'changed' }
    case 'missing':
    case 'unconverted':
      await desk.reload()
      return desk.hasProblems() ? problems(desk) : { is: 'unsent', why: 'changed' }
    case 'unreadable':
      return { is: 'unsent', why: 'outdated' }
    case 'empty':
      desk.hasProblems()
      return problems(desk)
    default:
      return end satisfies never
  }
}
