// Sends acts: one request each, safe to repeat.
import { ACT_NUMBER, writeActNumber, type ActNumber } from '#contract/mutations/sequence-number.ts'
import { endpointOf, isContradicted, isUndoing, requestOf } from '#contract/mutations/mutations.ts'
import type { ActJob } from '#device/database/schema.ts'
import type { Outcome, PublishApi } from '#sw/queue/ports.ts'
import { call, patience, type Caller, type Reply } from './request.ts'

export interface ActDeps extends Caller {
  /** Base of the API, absolute. */
  api: string
  /** Hears what the server answered to an act. */
  heard?: (id: string, reply: unknown) => void
  /** Gives a number of a new source: the server has noted later numbers of this one, which only a copy can have sent. */
  renumber?: () => Promise<ActNumber>
}

/** Doing an act. What takes something back is done where there is nothing any more. */
export function makeActs(deps: ActDeps): Pick<PublishApi, 'act'> {
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
  deps: ActDeps,
  { form, ownerId, facts }: ActJob,
  number: ActNumber | undefined,
  signal: AbortSignal,
): Promise<Outcome<Reply<ReturnType<typeof endpointOf>['reply']>>> {
  const { method, path, body } = requestOf(form.act)
  const headers = {
    ...(number && { [ACT_NUMBER]: writeActNumber(number) }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const init = { method, headers, ...(body !== undefined && { body }) }
  const asked = { url: deps.api + path, init, deadline: patience(facts.attempts) }
  return call(deps, ownerId, endpointOf(form.act).reply, asked, signal)
}
