// /administration: identity checks and tasks about money, for admins alone.
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, notFound, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { mayUse } from '#contract/administration/areas.ts'
import type { Role } from '#contract/administration/role-names.ts'
import { checkLists } from '#contract/identity/check-lists.ts'
import { id as idSchema } from '#contract/ids.ts'
import { payoutLists } from '#contract/payouts/payout-lists.ts'
import { ValidationForm } from '#src/features/accounts/validation-form.tsx'
import { AdjustmentsPage } from '#src/features/administration/adjustments/adjustments-page.tsx'
import { SettlementsPage } from '#src/features/administration/adjustments/settlements-page.tsx'
import { filterOf } from '#src/features/administration/audit/audit.ts'
import { AuditPage } from '#src/features/administration/audit/audit-page.tsx'
import { CheckDetail } from '#src/features/administration/check-detail.tsx'
import { CheckLists } from '#src/features/administration/check-list.tsx'
import { deskQuery } from '#src/features/administration/staff/staff.ts'
import { PayoutsPage } from '#src/features/administration/payouts/payouts-page.tsx'
import { validationPath } from '#src/features/leaving/password-validation.ts'
import { PasskeyRequired } from '#src/features/passkeys/passkey-required.tsx'
import { PasskeyValidation } from '#src/features/passkeys/passkey-validation.tsx'
import { PeoplePage } from '#src/features/administration/people/people-page.tsx'
import { PersonPage } from '#src/features/administration/people/person-page.tsx'
import { SellerRequests } from '#src/features/administration/seller-requests.tsx'
import { Desk, partFor } from '#src/features/administration/desk-links.tsx'
import { StaffPage } from '#src/features/administration/staff/staff-page.tsx'
import { MoneyTasks } from '#src/features/administration/tasks.tsx'
import { ReservedNames } from '#src/features/administration/reserved-names.tsx'
import { SettingsSkeleton } from '#src/features/settings/settings-skeleton.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/load-failure.tsx'
import { ApiFailure, isMissing } from '#src/domain/api/api.ts'
import { useMember } from '#src/domain/session/session.ts'

/** Examined by the part that uses it: this code is in the first download. */
const words = v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(200))), undefined))
const person = v.optional(v.fallback(v.optional(idSchema), undefined))

const search = v.object({
  /** Of identity checks. */
  list: words,
  /** The check that is open. */
  check: person,
  /** What is shown instead of checks: a part of `desk-links.tsx`. */
  show: words,
  /** A list of payouts. */
  payouts: words,
  /** The person whose page is open. */
  person,
  /** The filter of the audit log. */
  act: words,
  kind: words,
  actor: person,
  subject: person,
  from: words,
  to: words,
  /** What is searched among adjustments, and among people. */
  q: words,
})

export const Route = createFileRoute('/administration')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: '管理' },
  validateSearch: search,
  // The server decides who is staff: for all other people there is no such page.
  loader: async ({ context }) => {
    try {
      await context.queryClient.ensureQueryData(deskQuery)
    } catch (error) {
      if (isMissing(error)) throw notFound()
      // The page leads to a passkey.
      if (!needsPasskey(error)) throw error
    }
  },
  pendingComponent: SettingsSkeleton,
  errorComponent: Failed,
  component: Administration,
})

const needsPasskey = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'passkey_required'

function Administration() {
  const desk = useQuery(deskQuery)
  const { check, show: wanted, q, ...rest } = Route.useSearch()
  const list = checkLists.find((it) => it === rest.list) ?? 'waiting'
  const payouts = payoutLists.find((it) => it === rest.payouts) ?? 'open'
  const navigate = Route.useNavigate()
  const router = useRouter()
  if (needsPasskey(desk.error))
    return (
      <PasskeyRequired
        onProven={() => void desk.refetch()}
        onValidate={() => router.history.push(validationPath('/administration'))}
      />
    )
  if (!desk.data) return desk.error && loadFailed(desk.error, desk.refetch)
  const { role } = desk.data
  const show = partFor(role, wanted)
  if (show === 'tasks') return <MoneyTasks failed={loadFailed} />
  if (show === 'payouts')
    return (
      <PayoutsPage
        shown={payouts}
        onShow={(next) => void navigate({ search: { show: 'payouts', payouts: next }, replace: true })}
        failed={loadFailed}
        Confirmation={Confirmation}
      />
    )
  if (show === 'adjustments')
    return (
      <AdjustmentsPage
        searched={q === '' ? undefined : q}
        onSearch={(next) => void navigate({ search: { show: 'adjustments', q: next } })}
        failed={loadFailed}
        Confirmation={Confirmation}
      />
    )
  if (show === 'settlements') return <SettlementsPage failed={loadFailed} Confirmation={Confirmation} />
  if (show === 'sellers') return <SellerRequests failed={loadFailed} Confirmation={Confirmation} />
  if (show === 'people' || show === 'audit')
    return <PeopleAndAudit show={show} role={role} q={q} rest={rest} />
  if (show === 'staff') return <StaffPage failed={loadFailed} Confirmation={Confirmation} />
  if (show === 'names') return <ReservedNames failed={loadFailed} />
  if (!mayUse(role, 'identity')) return <Desk role={role} />
  if (check === undefined)
    return (
      <CheckLists
        role={role}
        shown={list}
        onShow={(next) => void navigate({ search: { list: next }, replace: true })}
        failed={loadFailed}
      />
    )
  return <CheckDetail key={check} id={check} list={list} failed={loadFailed} Confirmation={Confirmation} />
}

interface PeopleAndAuditProps {
  show: 'people' | 'audit'
  role: Role
  q: string | undefined
  rest: Pick<v.InferOutput<typeof search>, 'person' | 'act' | 'kind' | 'actor' | 'subject' | 'from' | 'to'>
}

function PeopleAndAudit({ show, role, q, rest }: PeopleAndAuditProps) {
  const navigate = Route.useNavigate()
  if (show === 'people')
    return rest.person === undefined ? (
      <PeoplePage
        searched={q === '' ? undefined : q}
        onSearch={(next) => void navigate({ search: { show: 'people', q: next } })}
        failed={loadFailed}
      />
    ) : (
      <PersonPage
        key={rest.person}
        id={rest.person}
        role={role}
        failed={loadFailed}
        Confirmation={Confirmation}
      />
    )
  return (
    <AuditPage
      filter={filterOf(rest)}
      onFilter={(next) => void navigate({ search: { show: 'audit', ...next }, replace: true })}
      failed={loadFailed}
    />
  )
}

/** The ways to confirm who one is: the password, or a passkey. */
function Confirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const me = useMember()
  return (
    me && (
      <>
        <ValidationForm email={me.email} onValidated={async () => onConfirmed()} />
        <PasskeyValidation onValidated={onConfirmed} />
      </>
    )
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
