// Handles the end of an upload that the browser carried.
import { carriedTitle } from '#contract/notifications/notices.ts'
import { titleOf, type FileJob } from '#device/jobs/job-rows.ts'
import { mediaOfName } from './queue/carrier.ts'

/** The event of the end. TypeScript's library has no types for Background Fetch. */
export interface CarriedEvent {
  readonly registration: { readonly id: string }
  /** Changes what the system shows; absent where the person has ended the upload. */
  readonly updateUI?: (options: { readonly title: string }) => Promise<void>
}

export interface CarriedPorts {
  /** The person's jobs that are not published. */
  readonly jobs: () => Promise<readonly FileJob[]>
  /** Runs the queue until nothing is left that it can do. */
  readonly deliver: () => Promise<void>
}

/** After success, failure, want of room, or the person's end of it, the queue sends what is left and publishes the post. */
export async function onCarriedEnd({ jobs, deliver }: CarriedPorts, event: CarriedEvent): Promise<void> {
  const mediaId = mediaOfName(event.registration.id)
  const jobNow = async () => (await jobs()).find(({ files }) => files.some(({ id }) => id === mediaId))
  const before = await jobNow()
  // A version that takes over continues by itself.
  await deliver().catch(() => undefined)
  const after = await jobNow()
  const title = carriedTitle(stateOf(before, after), before?.kind === 'post' ? titleOf(before) : '')
  await event.updateUI?.({ title }).catch(() => undefined)
}

/** A job that was gone before is published already, withdrawn, or of a person who has signed out. */
function stateOf(before: FileJob | undefined, after: FileJob | undefined) {
  if (!before) return 'ended'
  if (!after) return 'published'
  return after.stage.is === 'failed' ? 'failed' : 'rest'
}
