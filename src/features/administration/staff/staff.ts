// Query and action of the roles of staff.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '#contract/administration/role-names.ts'
import { getDesk, listStaff, setRole } from '#contract/administration/staff.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { staffText as words } from './text.ts'

export const staffQuery = { ...queryFor(listStaff, {}), staleTime: 0 }

/** Counts are read again at this interval while a page of the administration is visible, ms. */
const COUNT_EVERY = 10_000

export const deskQuery = { ...queryFor(getDesk, {}), staleTime: 0, refetchInterval: COUNT_EVERY }

/** `saved`: the sheet can close. `unknown`: no such person. `kept`: nothing changed, and the person has seen the reason. */
export type RoleResult = 'saved' | 'unknown' | 'kept'

/** @param onUnconfirmed is called when the person has to confirm who they are first */
export function useRoleChange(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  async function change(person: string, role: Role): Promise<RoleResult> {
    setBusy(true)
    try {
      await call(setRole, { body: { person, role } })
      toast(role === 'member' ? words.taken : words.given(words.roles[role]), 'success')
      return 'saved'
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.fields?.['person']) return 'unknown'
      if (failure.code === 'validation_required') onUnconfirmed()
      else if (failure.code === 'conflict') toast(words.lastAdmin, 'error')
      else toast(`${words.failed}${errorText[failure.code]}`, 'error')
      return 'kept'
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(listStaff))
    }
  }

  return { busy, change }
}
