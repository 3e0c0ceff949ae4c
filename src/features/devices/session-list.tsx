// SessionList: the sessions of this account, with buttons to end them.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Laptop, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type SessionView,
} from '#contract/accounts/sessions.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { date, dateTime, relative } from '#src/lib/format.ts'
import { queryFor, queriesOf } from '#src/domain/queries/query.ts'
import { sessionsText as words } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { When } from '#src/ui/text/when.tsx'

/** The query of the list, for the page's loader. */
export const sessionsQuery = () => queryFor(listSessions, {})

type PendingEnd = { is: 'one'; session: SessionView } | { is: 'others'; count: number }

const icons = { phone: Smartphone, tablet: Tablet, desktop: Laptop, other: MonitorSmartphone } as const
const nameOf = ({ device }: SessionView) => device.name || words.unknown

export function SessionList() {
  const { sessions } = useSuspenseQuery(sessionsQuery()).data
  const [pending, setPending] = useState<PendingEnd>()
  const [busy, end] = useEnding(() => setPending(undefined))
  const others = sessions.filter((it) => !it.current).length
  return (
    <section aria-labelledby="sessions" className="mt-8 px-4">
      <h2 id="sessions" className="pb-2 text-sm font-semibold text-soft">
        {words.title}
      </h2>
      <p className="text-sm text-soft">{words.hint}</p>
      <ul className="mt-3">
        {sessions.map((session) => (
          <Row key={session.id} session={session} onEnd={() => setPending({ is: 'one', session })} />
        ))}
      </ul>
      {others > 0 && (
        <Button
          look="quiet"
          size="small"
          className="mt-4"
          onClick={() => setPending({ is: 'others', count: others })}
        >
          {words.others}
        </Button>
      )}
      <AlertDialog
        open={pending !== undefined}
        onOpenChange={(open) => !open && !busy && setPending(undefined)}
        title={pending?.is === 'others' ? words.othersTitle : words.revokeTitle}
        description={pending && consequenceOf(pending)}
        cancel={text.cancel}
        action={{ label: words.revokeAct, danger: true, busy, onSelect: () => pending && void end(pending) }}
      />
    </section>
  )
}

const consequenceOf = (pending: PendingEnd): string =>
  pending.is === 'others' ? words.othersText(pending.count) : words.revokeText(nameOf(pending.session))

/** Ends the chosen sessions; the list is read again after success and failure. */
function useEnding(over: () => void): [boolean, (pending: PendingEnd) => Promise<void>] {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  return [
    busy,
    async (pending) => {
      setBusy(true)
      try {
        toast(await endSessions(pending), 'success')
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error
        // An ended session needs no error.
        if (error.code === 'not_found') toast(words.revoked, 'success')
        else toast(words.failed, 'error')
      } finally {
        await queryClient.invalidateQueries(queriesOf(listSessions))
        setBusy(false)
        over()
      }
    },
  ]
}

async function endSessions(pending: PendingEnd): Promise<string> {
  if (pending.is === 'others') return words.othersDone((await call(revokeOtherSessions, {})).revoked)
  await call(revokeSession, { params: { session_id: pending.session.id } })
  return words.revoked
}

function Row({ session, onEnd }: { session: SessionView; onEnd: () => void }) {
  const Icon = icons[session.device.kind]
  return (
    <li className="flex items-center gap-3 border-t border-line py-3 first:border-t-0">
      <span className="grid size-11 shrink-0 place-items-center rounded-pill bg-sunk text-soft">
        <Icon aria-hidden size={22} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          {nameOf(session)}
          {session.current && <Badge look="good">{words.current}</Badge>}
        </p>
        <Facts>
          {(session.place ?? session.ip) || undefined}
          {session.current ? (
            words.usingNow
          ) : (
            <>
              {words.lastUse}{' '}
              <When
                at={session.last_used_at}
                format={(at, now) => relative(Date.parse(at), now)}
                whole={dateTime(Date.parse(session.last_used_at))}
              />
            </>
          )}
        </Facts>
        <Facts>
          {words.since(date(Date.parse(session.created_at)))}
          {words.method[session.method]}
        </Facts>
      </div>
      {!session.current && (
        <Button look="danger" size="small" aria-label={words.revokeOf(nameOf(session))} onClick={onEnd}>
          {words.revoke}
        </Button>
      )}
    </li>
  )
}

/** Facts in one line; a narrow one breaks between them, not within. */
function Facts({ children }: { children: (ReactNode | undefined)[] }) {
  return (
    <p className="text-sm text-soft [overflow-wrap:anywhere]">
      {children
        .filter((it) => it !== undefined)
        .map((it, n) => (
          // Their order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={n} className="inline-block not-last:after:content-['・']">
            {it}
          </span>
        ))}
    </p>
  )
}
