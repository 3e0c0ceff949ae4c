// Queries and actions of the settings at runtime.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addInvitations, listInvitations, revokeInvitation } from '#contract/accounts/invitations.ts'
import {
  changeRuntimeSettings,
  getRuntimeSettings,
  listSettingChanges,
  type SettingChange,
} from '#contract/administration/runtime-settings.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText, fieldSentence } from '#src/domain/api/errors-text.ts'
import { pagesFor, queriesOf, queryFor } from '#src/domain/queries/query.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { settingsText as words } from './text.ts'

export const settingsQuery = { ...queryFor(getRuntimeSettings, {}), staleTime: 0 }
export const changesQuery = { ...pagesFor(listSettingChanges, {}), staleTime: 0 }
export const invitationsQuery = { ...pagesFor(listInvitations, {}), staleTime: 0 }

/** Sentences of refused fields by their names, such as `bar.text`. */
export type Problems = Readonly<Record<string, string>>

type Result = { readonly is: 'done' } | { readonly is: 'kept'; readonly problems: Problems }

/** @param onUnconfirmed is called when the person has to confirm who they are first */
export function useSettingActs(onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<string>()

  async function act(name: string, failed: string, work: () => Promise<string>): Promise<Result> {
    setBusy(name)
    try {
      toast(await work(), 'success')
      return { is: 'done' }
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else toast(`${failed}${errorText[failure.code]}`, 'error')
      const fields = Object.entries(failure.fields ?? {})
      return {
        is: 'kept',
        problems: Object.fromEntries(fields.map(([key, code]) => [key, fieldSentence(code)])),
      }
    } finally {
      setBusy(undefined)
      for (const it of [getRuntimeSettings, listSettingChanges, listInvitations])
        void client.invalidateQueries(queriesOf(it))
    }
  }

  return {
    busy,
    change: (name: string, body: SettingChange) =>
      act(name, words.failed, async () => {
        await call(changeRuntimeSettings, { body })
        return words.saved
      }),
    make: (body: BodyOf<typeof addInvitations>) =>
      act('make', words.invitations.failed, async () => {
        const { invitations } = await call(addInvitations, { body })
        return words.invitations.made(invitations.length)
      }),
    revoke: (id: string) =>
      act(id, words.invitations.failed, async () => {
        await call(revokeInvitation, { params: { invitation_id: id } })
        return words.invitations.revoked
      }),
  }
}

export type SettingActs = ReturnType<typeof useSettingActs>

const TOKYO_MS = 9 * 3600_000

/** A moment as the value of a field for Asia/Tokyo. */
export const localTime = (at: number): string => new Date(at + TOKYO_MS).toISOString().slice(0, 16)

/** The moment of such a value; undefined without one. */
export function momentOf(local: string): string | undefined {
  const at = Date.parse(`${local}:00.000+09:00`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
