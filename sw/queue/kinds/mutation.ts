// Performs the one request of a mutation.
import type { MutationJob } from '#device/jobs/job-rows.ts'
import type { Kind } from '#sw/queue/kind.ts'
import { apply, nextStep, type MutationEvent, type MutationStep } from '#sw/queue/machines/mutation.ts'
import type { MutationApi } from '#sw/queue/ports.ts'
import { performRequest } from './request.ts'

export const createMutationKind = (api: MutationApi): Kind<MutationJob, MutationStep, MutationEvent> => ({
  is: (job): job is MutationJob => job.kind === 'mutation',
  nextStep,
  apply,
  perform(job, step, context) {
    if (step.do === 'finish') return context.services.store.finish(job, step.id, step.at)
    const send = async () => {
      const end = await api.mutate(job, context.signal)
      return end.is === 'ok' ? ({ is: 'ok', value: { id: job.id } } as const) : end
    }
    return performRequest(job, send, context)
  },
})
