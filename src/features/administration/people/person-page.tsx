// PersonPage: what staff see of one person, by their role.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { mayUse } from '#contract/administration/areas.ts'
import { mayActOn } from '#contract/administration/person-parts.ts'
import type { PersonPage as Page } from '#contract/administration/people.ts'
import type { Role } from '#contract/administration/role-names.ts'
import { useMember } from '#src/domain/session/session.ts'
import { date, dateTime, number, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { AuditTable } from '#src/features/administration/audit/audit-table.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { Facts } from '#src/features/administration/facts.tsx'
import { staffText } from '#src/features/administration/staff/text.ts'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { Activity } from './activity.tsx'
import { AuthorityExports } from './authority-exports.tsx'
import { Deciding } from './deciding.tsx'
import { EmailValue } from './email-value.tsx'
import { PersonActs } from './person-acts.tsx'
import { personQuery } from './people.ts'
import { peopleText as words } from './text.ts'

interface PersonPageProps {
  id: string
  /** Of the caller. */
  role: Role
  failed: Failed
  Confirmation: Confirms
}

export function PersonPage({ id, role, failed, Confirmation }: PersonPageProps) {
  const [confirming, setConfirming] = useState(false)
  const reading = useQuery(personQuery(id))
  return (
    <section data-wide-page aria-labelledby="person" className="pb-16">
      <Link
        to="/administration"
        search={{ show: 'people' }}
        className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold"
      >
        <ChevronLeft aria-hidden size={20} />
        {words.toSearch}
      </Link>
      {reading.isPending ? (
        <Waiting />
      ) : reading.data ? (
        <Person person={reading.data} role={role} failed={failed} onUnconfirmed={() => setConfirming(true)} />
      ) : (
        failed(reading.error, reading.refetch)
      )}
      <ConfirmSheet
        description={words.confirm}
        open={confirming}
        onOpenChange={setConfirming}
        Confirmation={Confirmation}
      />
    </section>
  )
}

interface PersonProps {
  person: Page
  role: Role
  failed: Failed
  onUnconfirmed: () => void
}

function Person({ person, role, failed, onUnconfirmed }: PersonProps) {
  const me = useMember()
  const mayDecide = me?.id !== person.id && mayUse(role, 'reports') && person.state !== 'gone'
  const { state, account, sign_in: signIn, activity, money, history } = person
  const mayAct =
    me?.id !== person.id && mayUse(role, 'people') && mayActOn(role, person.role) && state !== 'gone'
  return (
    <>
      <Head person={person} />
      <div className="rail:grid rail:grid-cols-2">
        <Part title={words.parts.account}>
          <Facts
            facts={[
              [words.since, date(Date.parse(person.created_at))],
              ...(account
                ? ([
                    [
                      words.email,
                      <EmailValue
                        key="email"
                        person={person}
                        masked={account.email}
                        canShow={mayUse(role, 'authority') && state !== 'gone'}
                        onUnconfirmed={onUnconfirmed}
                      />,
                    ],
                    [words.identity, <Identity key="identity" role={role} account={account} />],
                  ] as const)
                : []),
            ]}
          />
          {state !== 'gone' && (
            <p className="pt-2">
              <Link to="/profile/$id" params={{ id: person.id }} className={linkClass}>
                {words.toProfile}
              </Link>
            </p>
          )}
        </Part>
        {activity && (
          <Part title={words.parts.activity}>
            <Activity activity={activity} reportsOf={mayDecide ? person.id : undefined} />
          </Part>
        )}
        {money && <MoneyPart money={money} id={person.id} role={role} />}
        {signIn && <SignInPart signIn={signIn} />}
      </div>
      {mayDecide && <Deciding person={person} role={role} failed={failed} onUnconfirmed={onUnconfirmed} />}
      {mayAct && signIn && <PersonActs person={person} signIn={signIn} onUnconfirmed={onUnconfirmed} />}
      {mayUse(role, 'authority') && state !== 'gone' && (
        <AuthorityExports userId={person.id} onUnconfirmed={onUnconfirmed} />
      )}
      {history && <HistoryPart history={history} id={person.id} />}
    </>
  )
}

function Head({ person }: { person: Page }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3">
        <h2 id="person" className="min-w-0 text-lg font-semibold break-words">
          {person.name}
        </h2>
        {person.role !== 'member' && <Badge look="info">{staffText.roles[person.role]}</Badge>}
        <Badge look={person.state === 'present' ? 'good' : 'care'}>{words.states[person.state]}</Badge>
      </div>
      <p className="px-4 pb-2 text-sm text-soft">
        {[person.handle !== null && `@${person.handle}`, words.idOf(person.id)].filter(Boolean).join('・')}
      </p>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="px-4 pt-6">
      <h3 id={id} className="pb-2 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

function Identity({ role, account }: { role: Role; account: NonNullable<Page['account']> }) {
  const { identity, identified_at: at } = account
  if (!identity) return at === null ? words.noIdentity : words.identifiedAt(date(Date.parse(at)))
  const state = administrationText.states[identity.state]
  if (!mayUse(role, 'identity')) return state
  return (
    <Link to="/administration" search={{ check: identity.id }} className={linkClass}>
      {state}
    </Link>
  )
}

function MoneyPart({ money, id, role }: { money: NonNullable<Page['money']>; id: string; role: Role }) {
  const names = ['purchases', 'sales', 'payouts'] as const
  return (
    <Part title={words.parts.money}>
      <Facts
        facts={names.map((it) => [words.sums[it], words.sum(number(money[it].count), yen(money[it].sum))])}
      />
      {mayUse(role, 'money') && (
        <p className="flex flex-wrap gap-x-4 pt-2">
          <Link to="/administration" search={{ show: 'adjustments', q: id }} className={linkClass}>
            {words.toMoney}
          </Link>
          <Link to="/administration" search={{ show: 'payouts' }} className={linkClass}>
            {words.toPayouts}
          </Link>
        </p>
      )}
    </Part>
  )
}

function SignInPart({ signIn }: { signIn: NonNullable<Page['sign_in']> }) {
  const { sessions, passkeys, second_factor: factor, recovery } = signIn
  const factorText = factor
    ? words.secondFactorOn(date(Date.parse(factor.since)), number(factor.codes_left))
    : words.secondFactorOff
  return (
    <Part title={words.parts.sign_in}>
      <Facts
        facts={[
          [words.passkeys, words.passkeyCount(number(passkeys))],
          [words.secondFactor, factorText],
          ...(recovery ? ([[words.recovery.label, recoveryText(recovery)]] as const) : []),
        ]}
      />
      {sessions.length === 0 ? (
        <p className="pt-2 text-sm text-soft">{words.noSessions}</p>
      ) : (
        <ul aria-label={words.sessions} className="pt-2">
          {sessions.map(({ id, device, place, method, last_used_at: used }) => (
            <li key={id} className="border-t border-line py-2">
              <p>{device.name || words.unknownDevice}</p>
              <p className="text-sm text-soft tabular-nums">
                {[
                  place ?? words.noPlace,
                  words.methods[method],
                  words.usedAt(dateTime(Date.parse(used))),
                ].join('・')}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function recoveryText({ state, due_at: due }: NonNullable<NonNullable<Page['sign_in']>['recovery']>): string {
  const shown = words.recovery.states[state]
  return state === 'confirmed' && due !== null ? words.recovery.due(shown, dateTime(Date.parse(due))) : shown
}

function HistoryPart({ history, id }: { history: NonNullable<Page['history']>; id: string }) {
  return (
    <section aria-labelledby="history" className="pt-8">
      <h3 id="history" className="px-4 pb-2 font-semibold">
        {words.parts.history}
      </h3>
      {history.length === 0 ? (
        <p className="px-4 text-sm text-soft">{words.noHistory}</p>
      ) : (
        <AuditTable entries={history} />
      )}
      <p className="px-4 pt-4">
        <Link to="/administration" search={{ show: 'audit', subject: id }} className={linkClass}>
          {words.toHistory}
        </Link>
      </p>
    </section>
  )
}
