// Performs the steps of identity checks and messages: their files, then one request.
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { IdentityJob, MessageJob, RequestJob } from '#device/jobs/job-rows.ts'
import type { Kind } from '#sw/queue/kind.ts'
import {
  apply,
  nextStep,
  type RequestEvent,
  type RequestStep,
} from '#sw/queue/machines/request-with-files.ts'
import type { FileApi, IdentityApi, MessageApi, Outcome } from '#sw/queue/ports.ts'
import { showNotice } from '#sw/queue/show-notice.ts'
import { performFileStep } from './files.ts'
import { performRequest } from './request.ts'

type RequestKind<J extends RequestJob> = Kind<J, RequestStep, RequestEvent>

/** What differs between the kinds. @typeParam J the jobs of one kind */
interface Delivery<J extends RequestJob> extends Pick<RequestKind<J>, 'is'> {
  /** Sends the request; safe to repeat. */
  readonly submit: (job: J, signal: AbortSignal) => Promise<Outcome<{ id: string }>>
  readonly failed: (job: J) => DeliveryNotice
  /** The notice about a delivered job; absent for a kind without one. */
  readonly sent?: (job: J) => DeliveryNotice
}

const kindOf = <J extends RequestJob>(
  api: FileApi,
  { is, submit, failed, sent }: Delivery<J>,
): RequestKind<J> => ({
  is,
  nextStep,
  apply,
  async perform(job, step, context) {
    const { services, signal } = context
    switch (step.do) {
      case 'send':
      case 'discard':
        return performFileStep(api, job, step, context)
      case 'submit':
        return performRequest(job, () => submit(job, signal), context)
      case 'finish':
        await services.store.finish(job, step.id, step.at)
        return sent && showNotice(services, sent(job))
      case 'drop':
        return services.store.drop(job.id)
      default:
        step satisfies never
    }
  },
  failureNotice: failed,
})

export const createIdentityKind = (api: IdentityApi): RequestKind<IdentityJob> =>
  kindOf<IdentityJob>(api, {
    is: (job): job is IdentityJob => job.kind === 'identity',
    submit: api.submitCheck,
    failed: ({ id }) => ({ is: 'identityFailed', jobId: id }),
    sent: ({ id }) => ({ is: 'identitySent', jobId: id }),
  })

export const createMessageKind = (api: MessageApi): RequestKind<MessageJob> =>
  kindOf<MessageJob>(api, {
    is: (job): job is MessageJob => job.kind === 'message',
    submit: api.submitMessage,
    failed: ({ id, form }) => ({ is: 'messageFailed', jobId: id, userId: form.recipientId }),
  })
