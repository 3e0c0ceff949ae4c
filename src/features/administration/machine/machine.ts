// Queries and actions of the machine page.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  dropFailedJobs,
  getMachine,
  listFailedJobs,
  listFailedMedia,
  retryFailedJobs,
  retryMediaByStaff,
} from '#contract/administration/machine.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { pagesFor, queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { machineText as words } from './text.ts'

/** The page is read again at this interval while it is visible, ms. */
const READ_EVERY = 10_000

export type Machine = ReplyOf<typeof getMachine>

export const machineQuery = { ...queryFor(getMachine, {}), staleTime: 0, refetchInterval: READ_EVERY }
export const failedJobsQuery = {
  ...queryFor(listFailedJobs, {}),
  staleTime: 0,
  refetchInterval: READ_EVERY,
}
/** Each reading is in the audit log, so that it is not repeated by itself. */
export const failedMediaQuery = { ...pagesFor(listFailedMedia, {}), staleTime: 60_000 }

/** One failed job, or all failed ones of a kind. */
export type Which =
  | { readonly is: 'one'; readonly id: string; readonly name: string }
  | { readonly is: 'all'; readonly name: string; readonly count: number }

/** Runs an action of staff; refusals are shown. @returns whether it was done */
async function attempt(work: () => Promise<void>, onUnconfirmed: () => void): Promise<boolean> {
  try {
    await work()
    return true
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure
    if (failure.code === 'validation_required') onUnconfirmed()
    else if (failure.code === 'conflict') toast(words.media.conflict, 'error')
    else toast(`${words.jobs.failed}${errorText[failure.code]}`, 'error')
    return false
  }
}

/** @param onUnconfirmed is called when the person has to confirm who they are first */
export function useMachineActs(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<string>()

  async function act(name: string, work: () => Promise<void>): Promise<boolean> {
    setBusy(name)
    const done = await attempt(work, onUnconfirmed)
    setBusy(undefined)
    for (const it of [getMachine, listFailedJobs]) void client.invalidateQueries(queriesOf(it))
    return done
  }
  const tell = (count: number, done: (count: number) => string) =>
    toast(count === 0 ? words.jobs.gone : done(count), count === 0 ? undefined : 'success')
  const bodyOf = (it: Which) => (it.is === 'one' ? { id: it.id } : { name: it.name })

  return {
    busy,
    retry: (it: Which) =>
      act('retry', async () => {
        const { count } = await call(retryFailedJobs, { body: bodyOf(it) })
        tell(count, words.jobs.retried)
      }),
    drop: (it: Which) =>
      act('drop', async () => {
        const { count } = await call(dropFailedJobs, { body: bodyOf(it) })
        tell(count, words.jobs.dropped)
      }),
    retryMedia: (id: string) =>
      act(id, async () => {
        await call(retryMediaByStaff, { params: { media_id: id } })
        toast(words.media.retried, 'success')
        void client.invalidateQueries(queriesOf(listFailedMedia))
      }),
  }
}
