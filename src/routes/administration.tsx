// /administration: identity checks and tasks about money, for admins alone.
import { createFileRoute, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { mayUse } from '#contract/administration/areas.ts'
import type { StaffRole } from '#contract/administration/role-names.ts'
import { type CheckList, checkLists } from '#contract/identity/check-lists.ts'
import { taskLists } from '#contract/payments/operator-tasks.ts'
import { payoutLists } from '#contract/payouts/payout-lists.ts'
import { AdjustmentsPage } from '#src/features/administration/adjustments/adjustments-page.tsx'
import { SettlementsPage } from '#src/features/administration/adjustments/settlements-page.tsx'
import { filterOf } from '#src/features/administration/audit/audit.ts'
import { AuditPage } from '#src/features/administration/audit/audit-page.tsx'
import { CheckDetail } from '#src/features/administration/check-detail.tsx'
import { CheckLists } from '#src/features/administration/check-list.tsx'
import { RequestsPart } from './-requests.tsx'
import { documentFilterOf } from '#src/features/administration/documents/documents.ts'
import { DocumentsPage } from '#src/features/administration/documents/documents-page.tsx'
import { MachinePage } from '#src/features/administration/machine/machine-page.tsx'
import { BalancesPage } from '#src/features/administration/payouts/balances-page.tsx'
import { PayoutsPage } from '#src/features/administration/payouts/payouts-page.tsx'
import { PeoplePage } from '#src/features/administration/people/people-page.tsx'
import { PersonPage } from '#src/features/administration/people/person-page.tsx'
import { SettingsPage } from '#src/features/administration/runtime/settings-page.tsx'
import { SellerRequests } from '#src/features/administration/seller-requests.tsx'
import { Desk, partFor } from '#src/features/administration/desk-links.tsx'
import { StaffPage } from '#src/features/administration/staff/staff-page.tsx'
import { MoneyTasks } from '#src/features/administration/tasks/money-tasks.tsx'
import { ReservedNames } from '#src/features/administration/reserved-names.tsx'
import { WordsPage } from '#src/features/administration/words/words-page.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { searchId, searchText } from '#src/lib/search-text.ts'
import { loadDesk, StaffConfirmation, StaffGate } from './-staff.tsx'

const search = v.object({
  /** Of identity checks. */
  list: searchText,
  /** The check that is open. */
  check: searchId,
  /** What is shown instead of checks: a part of `desk-links.tsx`. */
  show: searchText,
  /** A list of payouts. */
  payouts: searchText,
  /** A list of tasks about money. */
  tasks: searchText,
  /** The person whose page is open. */
  person: searchId,
  /** The filter of the audit log. */
  act: searchText,
  kind: searchText,
  actor: searchId,
  subject: searchId,
  from: searchText,
  to: searchText,
  /** Amounts of issued documents. */
  least: searchText,
  most: searchText,
  /** What is searched among adjustments, people and issued documents. */
  q: searchText,
  /** The inquiry that is open, and whether overdue ones alone are listed. */
  request: searchId,
  late: searchText,
})

export const Route = createFileRoute('/administration')({
  codeSplitGroupings: [['loader', 'component'], ['errorComponent']],
  staticData: { access: 'staff', layout: 'head-title', title: '管理' },
  validateSearch: search,
  loader: ({ context }) => loadDesk(context.queryClient, 'desk'),
  errorComponent: Failed,
  component: Administration,
})

function Administration() {
  return <StaffGate path="/administration">{(role) => <Parts role={role} />}</StaffGate>
}

function Parts({ role }: { role: StaffRole }) {
  const { check, show: wanted, q, ...rest } = Route.useSearch()
  const list = checkLists.find((it) => it === rest.list) ?? 'waiting'
  const payouts = payoutLists.find((it) => it === rest.payouts) ?? 'open'
  const navigate = Route.useNavigate()
  const show = partFor(role, wanted)
  if (show === 'tasks') return <Tasks list={rest.tasks} />
  if (show === 'payouts')
    return (
      <PayoutsPage
        shown={payouts}
        onShow={(next) => void navigate({ search: { show: 'payouts', payouts: next }, replace: true })}
        failed={loadFailed}
        Confirmation={StaffConfirmation}
      />
    )
  if (show === 'balances') return <BalancesPage failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'adjustments')
    return (
      <AdjustmentsPage
        searched={q === '' ? undefined : q}
        onSearch={(next) => void navigate({ search: { show: 'adjustments', q: next } })}
        failed={loadFailed}
        Confirmation={StaffConfirmation}
      />
    )
  if (show === 'documents')
    return (
      <DocumentsPage
        filter={documentFilterOf({ ...rest, q })}
        onSearch={({ partner, ...next }) =>
          void navigate({ search: { show: 'documents', ...next, q: partner }, replace: true })
        }
        failed={loadFailed}
      />
    )
  if (show === 'settlements') return <SettlementsPage failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'sellers') return <SellerRequests failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'requests')
    return (
      <RequestsPart
        search={rest}
        onSearch={(next, replace) => void navigate({ search: { show: 'requests', ...next }, replace })}
      />
    )
  if (show === 'people' || show === 'audit')
    return <PeopleAndAudit show={show} role={role} q={q} rest={rest} />
  if (show === 'staff') return <StaffPage failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'words') return <WordsPage failed={loadFailed} />
  if (show === 'machine') return <MachinePage failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'settings') return <SettingsPage failed={loadFailed} Confirmation={StaffConfirmation} />
  if (show === 'names') return <ReservedNames failed={loadFailed} />
  if (!mayUse(role, 'identity')) return <Desk role={role} />
  return <Checks role={role} list={list} check={check} />
}

function Tasks({ list }: { list: string | undefined }) {
  const navigate = Route.useNavigate()
  return (
    <MoneyTasks
      shown={taskLists.find((it) => it === list) ?? 'open'}
      onShow={(next) => void navigate({ search: { show: 'tasks', tasks: next }, replace: true })}
      failed={loadFailed}
      Confirmation={StaffConfirmation}
    />
  )
}

interface ChecksProps {
  role: StaffRole
  list: CheckList
  /** The check that is open; undefined for none. */
  check: string | undefined
}

function Checks({ role, list, check }: ChecksProps) {
  const navigate = Route.useNavigate()
  if (check === undefined)
    return (
      <CheckLists
        role={role}
        shown={list}
        onShow={(next) => void navigate({ search: { list: next }, replace: true })}
        failed={loadFailed}
      />
    )
  return (
    <CheckDetail
      key={check}
      id={check}
      list={list}
      onOpen={(next, from) => void navigate({ search: { list: from, check: next } })}
      failed={loadFailed}
      Confirmation={StaffConfirmation}
    />
  )
}

interface PeopleAndAuditProps {
  show: 'people' | 'audit'
  role: StaffRole
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
        Confirmation={StaffConfirmation}
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

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
