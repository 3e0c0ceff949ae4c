// Checks that what the tray shows of a person's jobs is true.
import type { Job } from '#device/jobs/job-rows.ts'
import { viewOf } from '#src/features/publish/tray/delivery.ts'
import { canCancel } from '#sw/queue/machines/machines.ts'
import type { World } from './world.ts'

/** The first false sentence that the tray would show of these jobs; `undefined` when all are true. */
export function falseSentence(
  { server, timeline, browser }: World,
  jobs: readonly Job[],
): string | undefined {
  for (const job of jobs) {
    const view = viewOf(job, [], null, timeline.now(), canCancel(job))
    const { key } = job
    const isPublic = job.kind === 'post' ? server.isPublicByKey(job.ownerId, key) : false
    if (view.status.is === 'failed' && isPublic) return 'a post is called failed that is public'
    if (view.percent === 100 && job.kind === 'post' && !isPublic) return '100 % of a post that is not public'
    if (view.bytesUploaded > view.bytesTotal) return 'more bytes were sent than there are'
    if (view.canCancel && job.stage.is === 'requested')
      return 'a job can be taken back whose post may be there'
    if (view.status.is === 'failed' && browser.disk.rows('receipts').some((it) => it.id === job.id))
      return 'a published post is called failed'
  }
  return undefined
}
