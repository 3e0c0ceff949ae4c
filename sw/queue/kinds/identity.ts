// Performs the steps of an identity check: its files, and the request for the check.
import type { IdentityJob } from '#device/jobs/job-rows.ts'
import type { Kind, StepContext } from '#sw/queue/kind.ts'
import { apply, nextStep, type IdentityEvent, type IdentityStep } from '#sw/queue/machines/identity.ts'
import type { IdentityApi } from '#sw/queue/ports.ts'
import { showNotice } from '#sw/queue/show-notice.ts'
import { performFileStep } from './files.ts'
import { performRequest } from './request.ts'

export const createIdentityKind = (api: IdentityApi): Kind<IdentityJob, IdentityStep, IdentityEvent> => ({
  is: (job): job is IdentityJob => job.kind === 'identity',
  nextStep,
  apply,
  perform: (job, step, context) => perform(api, job, step, context),
  failureNotice: (job) => ({ is: 'identityFailed', jobId: job.id }),
})

async function perform(
  api: IdentityApi,
  job: IdentityJob,
  step: Exclude<IdentityStep, { do: 'wait' }>,
  context: StepContext<IdentityJob, IdentityEvent>,
): Promise<void> {
  const { services, signal } = context
  switch (step.do) {
    case 'send':
    case 'discard':
      return performFileStep(api, job, step, context)
    case 'submit':
      return performRequest(job, () => api.submitCheck(job, signal), context)
    case 'finish':
      await services.store.finish(job, step.id, step.at)
      return showNotice(services, { is: 'identitySent', jobId: job.id })
    case 'drop':
      return services.store.drop(job.id)
    default:
      step satisfies never
  }
}
