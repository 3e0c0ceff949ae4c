// Reads, requests and sets payouts.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import {
  getPayouts,
  type PayoutOverview,
  requestPayout,
  setAutomaticPayouts,
} from '#contract/payouts/payouts.ts'
import { getSales } from '#contract/sales/sales.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { payoutsText as words } from './payouts-text.ts'

export const payoutsQuery = queryFor(getPayouts, {})

export function usePayouts() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  /** Chosen once, so that a request whose reply was lost can be sent again. */
  const [id, setId] = useState(newId)

  /** Shows what the server replied; after a refusal the overview is read again. */
  async function send(work: () => Promise<PayoutOverview>, refused: (failure: ApiFailure) => string) {
    setBusy(true)
    try {
      client.setQueryData(payoutsQuery.queryKey, await work())
      return true
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(refused(failure), 'error')
      await client.invalidateQueries(queriesOf(getPayouts))
      return false
    } finally {
      setBusy(false)
    }
  }

  return {
    busy,
    async request(amount: number): Promise<void> {
      const isDone = await send(() => call(requestPayout, { body: { id, amount } }), refusal)
      if (!isDone) return
      setId(newId())
      toast(words.request.done, 'success')
      void client.invalidateQueries(queriesOf(getSales))
    },
    setAutomatic: (automatic: boolean) =>
      send(
        () => call(setAutomaticPayouts, { body: { automatic } }),
        ({ code }) => `${words.automaticFailed}${errorText[code]}`,
      ),
  }
}

function refusal({ code }: ApiFailure): string {
  if (code === 'price_changed') return words.request.amountChanged
  if (code === 'conflict') return words.request.obstacle
  return `${words.request.failed}${errorText[code]}`
}
