// Performs the steps for a job's files, which the kinds with files share.
import type { FileJob } from '#device/jobs/job-rows.ts'
import { isRemovedFile } from '#device/jobs/file-row.ts'
import type { StepContext } from '#sw/queue/kind.ts'
import type { FileStep } from '#sw/queue/machines/files.ts'
import type { FileApi, OnProgress, Outcome } from '#sw/queue/ports.ts'

type FileContext = Pick<StepContext<FileJob, never>, 'signal' | 'recordFile' | 'conclude'>

/** Sends one file of a job, or removes one from the server. */
export function performFileStep(
  api: FileApi,
  job: FileJob,
  step: FileStep,
  context: FileContext,
): Promise<void> {
  return step.do === 'send' ? send(api, job, step.fileId, context) : discard(api, job, step.fileId, context)
}

/** Whether the server refused a request in any way. A repetition would be refused again. */
export const isRefusal = ({ is }: Outcome<unknown>): boolean =>
  is === 'refused' || is === 'digestDiffers' || is === 'uploadsDenied'

async function send(api: FileApi, job: FileJob, fileId: string, context: FileContext): Promise<void> {
  const { signal, recordFile } = context
  const onProgress: OnProgress = (progress) =>
    recordFile(
      'url' in progress
        ? { type: 'created', fileId, url: progress.url }
        : { type: 'accepted', fileId, offset: progress.offset },
    )
  const end = await api.send(job, fileId, onProgress, signal)
  if (end.is === 'gone') await recordFile({ type: 'gone', fileId })
  else if (end.is === 'refused') await recordFile({ type: 'fileRefused', fileId, code: end.code })
  else await context.conclude(end)
}

async function discard(api: FileApi, job: FileJob, fileId: string, context: FileContext): Promise<void> {
  const { signal, recordFile } = context
  const end = await api.discard(job, fileId, signal)
  const file = job.files.find((it) => it.id === fileId)
  // An upload that the server refuses to remove expires there after 7 days: no post waits for that.
  const isRefused = isRefusal(end) && file !== undefined && isRemovedFile(file)
  if (end.is === 'ok' || end.is === 'gone' || isRefused) await recordFile({ type: 'discarded', fileId })
  else await context.conclude(end)
}
