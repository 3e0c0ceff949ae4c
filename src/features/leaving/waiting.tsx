// Waiting: the page of a person who signs in during the deletion period.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cancelDeletion } from '#contract/accounts/leaving.ts'
import type { MembershipNote } from '#contract/memberships/memberships.ts'
import { call } from '#src/domain/api/api.ts'
import { dateTime, yen } from '#src/lib/format.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { restOf } from './earnings.tsx'
import { deletionQuery, namesOfPlans } from './queries.ts'
import { leavingText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'

const words = leavingText.waiting
const DAY = 24 * 3600 * 1000

interface WaitingProps {
  name: string
  /** Milliseconds since 1970. */
  due: number
  /** @param stopped the memberships whose charges the deletion had stopped */
  onUndone: (stopped: readonly MembershipNote[]) => Promise<void>
}

export function Waiting({ name, due, onUndone }: WaitingProps) {
  const [days] = useState(() => Math.ceil((due - Date.now()) / DAY))
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const { memberships = [], members = 0, earnings = null } = useQuery(deletionQuery).data ?? {}
  async function undo() {
    setBusy(true)
    setRefused(undefined)
    try {
      const { stopped } = await call(cancelDeletion, {})
      await onUndone(stopped)
    } catch (failure) {
      setRefused(refusalOf(failure, []).whole)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p>{words.text(name)}</p>
        <p className="mt-3 text-xl font-semibold tabular-nums">{dateTime(due)}</p>
        <p className="text-sm text-soft tabular-nums">{words.left(days)}</p>
      </div>
      <p>{words.hidden}</p>
      {memberships.length > 0 && <p>{words.stopped(namesOfPlans(memberships))}</p>}
      {members > 0 && <p>{words.members(members)}</p>}
      {earnings && restOf(earnings) > 0 && (
        <p>{(earnings.has_account ? words.paid : words.noAccount)(yen(earnings.balance))}</p>
      )}
      <FormError sentence={refused} />
      <Button look="seal" wide busy={busy} busyLabel={text.working} onClick={() => void undo()}>
        {words.undo}
      </Button>
    </div>
  )
}
