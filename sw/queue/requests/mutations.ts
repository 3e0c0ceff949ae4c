// Sends mutations: one request each, safe to repeat.
import {
  SEQUENCE_NUMBER_HEADER,
  writeSequenceNumber,
  type SequenceNumber,
} from '#contract/mutations/sequence-number.ts'
import { endpointOf, isContradicted, isUndoing, requestOf } from '#contract/mutations/mutations.ts'
import type { MutationJob } from '#device/database/schema.ts'
import type { Outcome, PublishApi } from '#sw/queue/ports.ts'
import { call, patience, type Caller, type Reply } from './request.ts'

export interface MutationDeps extends Caller {
  /** Base of the API, absolute. */
  api: string
  /** Hears what the server answered to a mutation. */
  heard?: (id: string, reply: unknown) => void
  /** Gives a number of a new source: the server has noted later numbers of this one, which only a copy can have sent. */
  renumber?: () => Promise<SequenceNumber>
}

/** Doing a mutation. What takes something back is done where there is nothing any more. */
export function makeMutations(deps: MutationDeps): Pick<PublishApi, 'act'> {
  return {
    async act(job, signal): Promise<Outcome<null>> {
      let end = await send(deps, job, job.number, signal)
      if (deps.renumber && job.number && end.is === 'ok' && isContradicted(job.form.act, end.value.json))
        end = await send(deps, job, await deps.renumber(), signal)
      if (end.is === 'gone' && isUndoing(job.form.act)) return { is: 'ok', value: null }
      if (end.is !== 'ok') return end
      if (end.value.is === 'reply') deps.heard?.(job.id, end.value.json)
      return { is: 'ok', value: null }
    },
  }
}

function send(
  deps: MutationDeps,
  { form, ownerId, facts }: MutationJob,
  number: SequenceNumber | undefined,
  signal: AbortSignal,
): Promise<Outcome<Reply<ReturnType<typeof endpointOf>['reply']>>> {
  const { method, path, body } = requestOf(form.act)
  const headers = {
    ...(number && { [SEQUENCE_NUMBER_HEADER]: writeSequenceNumber(number) }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const init = { method, headers, ...(body !== undefined && { body }) }
  const asked = { url: deps.api + path, init, deadline: patience(facts.attempts) }
  return call(deps, ownerId, endpointOf(form.act).reply, asked, signal)
}
