// Sends acts: one request each, safe to repeat.
import { ACT_NUMBER, writeActNumber } from '#contract/act-number.ts'
import { endpointOf, isUndoing, requestOf } from '#contract/acts.ts'
import type { Outcome, PublishApi } from './ports.ts'
import { call, patience, type Caller } from './request.ts'

export interface ActDeps extends Caller {
  /** Base of the API, absolute. */
  api: string
  /** Hears what the server answered to an act. */
  heard?: (id: string, reply: unknown) => void
}

/** Doing an act. What takes something back is done where there is nothing any more. */
export function makeActs(deps: ActDeps): Pick<PublishApi, 'act'> {
  return {
    async act(job, signal): Promise<Outcome<null>> {
      const { method, path, body } = requestOf(job.form.act)
      const headers = {
        ...(job.number && { [ACT_NUMBER]: writeActNumber(job.number) }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      }
      const init = { method, headers, ...(body !== undefined && { body }) }
      const deadline = patience(job.facts.attempts)
      const { reply } = endpointOf(job.form.act)
      const end = await call(deps, job.ownerId, reply, { url: deps.api + path, init, deadline }, signal)
      if (end.is === 'gone' && isUndoing(job.form.act)) return { is: 'ok', value: null }
      if (end.is !== 'ok') return end
      if (end.value.is === 'reply') deps.heard?.(job.id, end.value.json)
      return { is: 'ok', value: null }
    },
  }
}
