// Checks that the tray shows a true state of a person's jobs.
import type { Job } from '#device/jobs/job-rows.ts'
import { viewOf } from '#src/features/publish/tray/delivery.ts'
import { canCancel } from '#sw/queue/machines/machines.ts'
import type { World } from './world.ts'

/** The first false statement that the tray would show about these jobs; `undefined` if all are true. */
export function falseStatement(
  { server, timeline, browser }: World,
  jobs: readonly Job[],
): string | undefined {
  for (const job of jobs) {
    const view = viewOf(job, [], null, timeline.now(), canCancel(job))
    const { key } = job
    const isPublic = job.kind === 'post' ? server.isPublicByKey(job.ownerId, key) : false
    if (view.status.is === 'failed' && isPublic) return 'a post is shown as failed that is public'
    if (view.status.is === 'failed' && server.messages.has(job.id) && !server.messages.wasRefused(job.id))
      return 'a message is shown as failed that was sent'
    if (view.percent === 100 && job.kind === 'post' && !isPublic)
      return 'a post is shown at 100 % that is not public'
    if (view.bytesUploaded > view.bytesTotal) return 'a job is shown with more sent bytes than its total'
    if (view.canCancel && job.stage.is === 'requested')
      return 'a job can be cancelled whose post may be on the server'
    if (view.status.is === 'failed' && browser.disk.rows('receipts').some((it) => it.id === job.id))
      return 'a published post is shown as failed'
  }
  return undefined
}
