// Invitations: makes codes, shows how often they were used, and revokes them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Invitation,
  MAX_INVITATIONS,
  MAX_INVITE_DAYS,
  MAX_INVITE_USES,
} from '#contract/accounts/invitations.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Part } from '#src/features/administration/part.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { invitationsQuery, type Problems, type SettingActs } from './settings.ts'
import { settingsText } from './text.ts'

const words = settingsText.invitations

const fields = [
  { name: 'count', max: MAX_INVITATIONS },
  { name: 'uses', max: MAX_INVITE_USES },
  { name: 'days', max: MAX_INVITE_DAYS },
] as const

export function Invitations({ acts, failed }: { acts: SettingActs; failed: Failed }) {
  return (
    <Part title={words.title} lead={words.lead}>
      <Make acts={acts} />
      <List acts={acts} failed={failed} />
    </Part>
  )
}

function Make({ acts }: { acts: SettingActs }) {
  const [typed, setTyped] = useState({ count: '1', uses: '1', days: '14' })
  const [problems, setProblems] = useState<Problems>({})
  async function make() {
    const body = { count: Number(typed.count), uses: Number(typed.uses), days: Number(typed.days) }
    const wrong = fields.filter((it) => !Number.isInteger(body[it.name]) || typed[it.name].trim() === '')
    setProblems(Object.fromEntries(wrong.map((it) => [it.name, settingsText.limits.number])))
    if (wrong.length > 0) return
    const result = await acts.make(body)
    setProblems(result.is === 'kept' ? result.problems : {})
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 rail:grid-cols-3">
        {fields.map(({ name, max }) => (
          <Field key={name} label={words[name]} hint={`1〜${max}`} error={problems[name]}>
            <TextInput
              inputMode="numeric"
              value={typed[name]}
              onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
            />
          </Field>
        ))}
      </div>
      <Button
        look="quiet"
        className="self-start"
        busy={acts.busy === 'make'}
        busyLabel={text.working}
        onClick={() => void make()}
      >
        {words.make}
      </Button>
    </div>
  )
}

function List({ acts, failed }: { acts: SettingActs; failed: Failed }) {
  const pages = useInfiniteQuery(invitationsQuery)
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const all = pages.data.pages.flatMap((page) => page.invitations)
  if (all.length === 0) return <p className="pt-4 text-soft">{words.none}</p>
  return (
    <>
      <ul aria-label={words.title} className="mt-4 border-t border-line">
        {all.map((it) => (
          <Row key={it.id} invitation={it} readAt={pages.dataUpdatedAt} acts={acts} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

function stateOf({ revoked_at, used, uses, until }: Invitation, now: number): keyof typeof words.states {
  if (revoked_at !== null) return 'revoked'
  if (used >= uses) return 'used'
  return Date.parse(until) <= now ? 'over' : 'usable'
}

/** Copies the address of the page of registration with the code. */
async function copyLink(code: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${location.origin}/register#invite=${code}`)
    toast(words.copied, 'success')
  } catch {
    toast(words.notCopied, 'error')
  }
}

interface RowProps {
  invitation: Invitation
  readAt: number
  acts: SettingActs
}

function Row({ invitation, readAt, acts }: RowProps) {
  const { id, code, used, uses, until } = invitation
  const state = stateOf(invitation, readAt)
  return (
    <li data-row tabIndex={-1} className="flex flex-wrap items-center gap-3 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-3">
          <span className="font-mono break-all select-all">{code}</span>
          <Badge look={state === 'usable' ? 'good' : 'plain'}>{words.states[state]}</Badge>
        </p>
        <p className="text-sm text-soft tabular-nums">
          {[words.used(used, uses), words.until(dateTime(Date.parse(until)))].join('・')}
        </p>
      </div>
      {state === 'usable' && (
        <div className="flex flex-wrap gap-2">
          <Button
            data-open
            look="quiet"
            size="small"
            aria-label={words.copyOf(code)}
            onClick={() => void copyLink(code)}
          >
            {words.copy}
          </Button>
          <Button
            look="danger"
            size="small"
            busy={acts.busy === id}
            busyLabel={text.working}
            aria-label={words.revokeOf(code)}
            onClick={() => void acts.revoke(id)}
          >
            {words.revoke}
          </Button>
        </div>
      )}
    </li>
  )
}
