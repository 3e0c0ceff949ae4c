// Sends mutations: one request each, safe to repeat.
import {
  SEQUENCE_NUMBER_HEADER,
  writeSequenceNumber,
  type SequenceNumber,
} from '#contract/mutations/sequence-number.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpointOf, inputOf } from '#contract/mutations/mutation-endpoints.ts'
import { isContradicted, isUndoing } from '#contract/mutations/mutations.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import type { MutationApi, Outcome } from '#sw/queue/ports.ts'
import { type ApiCaller, call, deadlineAfter, type Reply } from './request.ts'

export interface MutationDeps extends ApiCaller {
  /** Called with the server's reply to a mutation. */
  onReply?: (job: MutationJob, reply: unknown) => void
  /** Returns a number of a new source; used when the server has later numbers, which only a copy can have sent. */
  renumber?: () => Promise<SequenceNumber>
}

/** Creates the API of mutations. Undoing what no longer exists counts as done. */
export function createMutationApi(deps: MutationDeps): MutationApi {
  return {
    async mutate(job, signal): Promise<Outcome<null>> {
      let end = await send(deps, job, job.number, signal)
      if (deps.renumber && job.number && end.is === 'ok' && isContradicted(job.form.mutation, end.value.json))
        end = await send(deps, job, await deps.renumber(), signal)
      if (end.is === 'gone' && isUndoing(job.form.mutation)) return { is: 'ok', value: null }
      if (end.is !== 'ok') return end
      if (end.value.is === 'reply') deps.onReply?.(job, end.value.json)
      return { is: 'ok', value: null }
    },
  }
}

function send(
  deps: MutationDeps,
  { form, ownerId, attempts }: MutationJob,
  number: SequenceNumber | undefined,
  signal: AbortSignal,
): Promise<Outcome<Reply<Endpoint>>> {
  const headers = number && { [SEQUENCE_NUMBER_HEADER]: writeSequenceNumber(number) }
  const options = { ...inputOf(form.mutation), headers, deadline: deadlineAfter(attempts) }
  return call(deps, ownerId, endpointOf(form.mutation), options, signal)
}
