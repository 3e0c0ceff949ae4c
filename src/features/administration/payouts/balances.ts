// Query and actions of balances that are not paid out by themselves.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import {
  clearBalance,
  listStrandedBalances,
  readPayeeContact,
  requestLastPayout,
} from '#contract/payouts/balances.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { pagesFor, queriesOf } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { balancesText as words } from './balances-text.ts'

/** Made when it is used, like that of the audit log. */
export const balancesQuery = () => ({
  ...pagesFor(listStrandedBalances, {}),
  staleTime: 0,
  // Each reading is an entry of the audit log.
  refetchOnWindowFocus: false,
})

export type Contact = ReplyOf<typeof readPayeeContact>

/** Records a clearing, or shows what it would book. @throws ApiFailure */
export async function clearOf(creatorId: string, body: BodyOf<typeof clearBalance>) {
  const { booked } = await call(clearBalance, { params: { creator_id: creatorId }, body })
  return booked ?? { entries: [], done: !body.preview, waits: false }
}

/** @param onUnconfirmed is called when the person has to confirm who they are first */
export function useBalanceActs(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  const readAgain = () => void client.invalidateQueries(queriesOf(listStrandedBalances))

  async function perform<Result>(work: () => Promise<Result>, changes: boolean): Promise<Result | undefined> {
    setBusy(true)
    try {
      return await work()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else if (failure.code === 'conflict') toast(words.changed, 'error')
      else toast(`${words.failed}${errorText[failure.code]}`, 'error')
      return undefined
    } finally {
      setBusy(false)
      if (changes) readAgain()
    }
  }

  return {
    busy,
    readAgain,
    onUnconfirmed,
    contact: (creatorId: string): Promise<Contact | undefined> =>
      perform(() => call(readPayeeContact, { params: { creator_id: creatorId } }), false),
    request: async (creatorId: string): Promise<boolean> =>
      (await perform(() => call(requestLastPayout, { params: { creator_id: creatorId } }), true)) !==
      undefined,
  }
}

export type BalanceActs = ReturnType<typeof useBalanceActs>
