// Submits the displayed draft to the queue, or returns why it was not submitted.
import { isSubmitted } from '#device/drafts/drafts.ts'
import type { Draft } from '#device/database/schema.ts'
import { submit } from '#src/sw-bridge.ts'
import type { DraftSync } from './draft-sync.ts'
import type { EditorState, SubmitEnd } from './editor-state.ts'

/** The editor's functions that a submission uses. */
export interface SubmissionPorts {
  state: () => EditorState
  sync: () => DraftSync
  /** Resolves when no file and no change of the editor is being processed. */
  idle: () => Promise<void>
  reload: () => Promise<void>
  write: (change: (draft: Draft) => Draft) => Promise<unknown>
  /** Checks for problems and shows them. */
  hasProblems: () => boolean
  isConverting: () => boolean
  /** Resolves when no tab is converting a photo of the draft. */
  converted: () => Promise<void>
  /** Shows a new, empty draft. */
  restart: () => void
}

const setWaiting = (submitWhenReady: boolean) => (draft: Draft) => ({ ...draft, submitWhenReady })

/** Submits the displayed draft after the conversion of its photos. Rejects with the database's errors. */
export async function submitShown(ports: SubmissionPorts): Promise<SubmitEnd> {
  await ports.idle()
  await ports.sync().save()
  await ports.reload()
  if (ports.state().conflict) return { is: 'unsent', why: 'conflict' }
  if (ports.hasProblems()) return problems(ports)
  if (ports.isConverting()) {
    await ports.write(setWaiting(true))
    await ports.converted()
    if (!(await isSubmitted(ports.state().draft.id)) && ports.hasProblems()) {
      await ports.write(setWaiting(false))
      return problems(ports)
    }
  }
  return send(ports, ports.state().draft)
}

const problems = (desk: SubmissionPorts): SubmitEnd => ({
  is: 'problems',
  problems: desk.state().problems,
})

async function send(desk: SubmissionPorts, shown: Draft): Promise<SubmitEnd> {
  const end = await submit(shown)
  switch (end.is) {
    case 'submitted':
    case 'already':
      // Changes that were not submitted become a new draft.
      await desk.sync().fork(end.is === 'submitted' ? shown : undefined)
      desk.restart()
      return { is: 'submitted' }
    case 'changed':
      if (shown.submitWhenReady) await desk.write(setWaiting(false))
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
