// Performs the steps of a preupload: files of a draft that is still being written.
import type { Preupload } from '#device/jobs/job-rows.ts'
import type { Kind } from '#sw/queue/kind.ts'
import { apply, nextStep, type PreuploadEvent, type PreuploadStep } from '#sw/queue/machines/preupload.ts'
import type { FileApi } from '#sw/queue/ports.ts'
import { performFileStep } from './files.ts'

export const createPreuploadKind = (api: FileApi): Kind<Preupload, PreuploadStep, PreuploadEvent> => ({
  is: (job): job is Preupload => job.kind === 'preupload',
  nextStep,
  apply,
  perform: (job, step, context) =>
    step.do === 'drop' ? context.services.store.drop(job.id) : performFileStep(api, job, step, context),
  isBackground: true,
})
