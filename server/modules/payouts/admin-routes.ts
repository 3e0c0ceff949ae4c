// Routes of admins for payouts. Lists of payouts, files and changes are in the audit log; changes need a recent validation.
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import {
  type AdminPayout,
  approvePayouts,
  decidePayout,
  exportPayouts,
  importPayoutResults,
  listAdminPayouts,
  listPayoutExports,
  PAYOUT_FILE_PATH,
  settlePayout,
  voidPayoutExport,
} from '#contract/payouts/admin-payouts.ts'
import { recordBankFee as recordEndpoint } from '#contract/payouts/bank-fees.ts'
import type { PayoutList } from '#contract/payouts/payout-lists.ts'
import { id } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { staffOf, type Viewer } from '#server/http/viewer.ts'
import { byOf } from '#server/services/billing/money-door.ts'
import { openContact } from '#server/services/people/departed-payee.ts'
import { personView } from '#server/services/people/person-view.ts'
import { wasListed } from '#server/store/audit/entries.ts'
import { findPayees } from '#server/store/payouts/payees.ts'
import { findPayouts, listPayouts, lockPayout, sumPayouts } from '#server/store/payouts/payouts.ts'
import { findPeople } from '#server/store/people/people.ts'
import { isApprovable, isHeld } from '#server/rules/payouts/approval.ts'
import { advance, advanceLocked, type By, type Step } from './advance.ts'
import { recordBankFee } from './bank-fees.ts'
import { openAccount } from './sealed-account.ts'
import { recordResults } from './results.ts'
import { type Examined, examine } from './stops.ts'
import { exportViews } from './export-views.ts'
import { makeTransferFile, readTransferFile, voidTransferFile } from './transfer.ts'

/** Payouts of one reply. */
const SHOWN = 200

export function payoutAdminRoutes(app: FastifyInstance, deps: Deps): void {
  listRoutes(app, deps)
  decisionRoutes(app, deps)
  transferRoutes(app, deps)
}

function listRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, audit, settings } = deps
  memberRoute(app, listAdminPayouts, async ({ viewer, query: { list }, request }) => {
    const payouts = await viewsOf(deps, list, viewer)
    const entry = { actorId: viewer.id, act: 'payouts.list', subjectKind: 'user' } as const
    const detail = { list, payouts: payouts.map((it) => it.number) }
    await audit({ ...entry, subjectId: viewer.id, detail, ip: request.ip })
    return {
      payouts,
      ...(await sumPayouts(db, list)),
      has_requester: settings.payouts.requester !== undefined,
    }
  })
  memberRoute(app, listPayoutExports, async () => ({ exports: await exportViews(deps) }))
}

function decisionRoutes(app: FastifyInstance, deps: Deps): void {
  const one = async (payoutId: string, step: Step, by: By) => {
    const moved = await advance(deps, payoutId, step, by)
    if (moved === undefined) throw new ApiError('not_found')
    if (!moved) throw new ApiError('conflict')
    return { changed: [payoutId] }
  }
  memberRoute(app, approvePayouts, async ({ viewer, body, request }) => {
    const by = byOf(deps, viewer, request.ip)
    const changed: string[] = []
    const ids = new Set(body.ids)
    await requireListed(deps, [...ids], by)
    for (const payoutId of ids) if (await approve(deps, payoutId, by, ids.size > 1)) changed.push(payoutId)
    return { changed }
  })
  memberRoute(app, decidePayout, ({ viewer, params, body, request }) => {
    const step = body.is === 'release' ? { is: body.is, reason: '' } : body
    return one(params.payout_id, step, byOf(deps, viewer, request.ip))
  })
  memberRoute(app, settlePayout, ({ viewer, params, body, request }) => {
    const step: Step =
      body.is === 'paid'
        ? { is: 'pay', reason: '' }
        : { is: 'return', reason: body.reason, keepsFee: body.keeps_fee }
    return one(params.payout_id, step, byOf(deps, viewer, request.ip))
  })
}

function transferRoutes(app: FastifyInstance, deps: Deps): void {
  memberRoute(app, exportPayouts, ({ viewer, body, request }) =>
    makeTransferFile(deps, body, byOf(deps, viewer, request.ip)),
  )
  memberRoute(app, voidPayoutExport, async ({ viewer, params, body, request }) => ({
    payouts: await voidTransferFile(deps, params.export_id, body.reason, byOf(deps, viewer, request.ip)),
  }))
  memberRoute(app, recordEndpoint, ({ viewer, params, body, request }) =>
    recordBankFee(deps, params.export_id, body, byOf(deps, viewer, request.ip)),
  )
  memberRoute(app, importPayoutResults, ({ viewer, body, request }) =>
    recordResults(deps, Buffer.from(body.file, 'base64'), byOf(deps, viewer, request.ip)),
  )
  app.get(API_BASE + PAYOUT_FILE_PATH, async (request, reply) => {
    const viewer = staffOf(request, 'money')
    const parsed = v.safeParse(v.object({ export_id: id }), request.params)
    if (!parsed.success) throw new ApiError('not_found')
    const exportId = parsed.output.export_id
    const bytes = await readTransferFile(deps, exportId, byOf(deps, viewer, request.ip))
    return reply
      .header('content-disposition', `attachment; filename="transfer-${exportId}.txt"`)
      .header('cache-control', 'private, no-store')
      .type('application/octet-stream')
      .send(bytes)
  })
}

/**
 * Requires that a list has shown each payout to the admin as it is: since it was requested, its account or the creator's name changed, and
 * the creator was suspended or began to leave.
 * @throws ApiError `unseen`, before any payout of the request is approved
 */
async function requireListed({ db }: Deps, ids: readonly string[], { actorId }: By): Promise<void> {
  const payouts = await findPayouts(db, ids)
  const payees = await findPayees(
    db,
    payouts.map((it) => it.creatorId),
  )
  for (const { number, requestedAt, creatorId } of payouts) {
    const { account, namedAt, suspendedAt, leavingSince } = payees.get(creatorId) ?? {}
    const changes = [requestedAt, account?.changedAt, namedAt, suspendedAt, leavingSince]
    const since = new Date(Math.max(...changes.map((it) => it?.getTime() ?? 0)))
    const listed = { list: 'payouts', thing: number }
    if (!(await wasListed(db, { actorId, act: 'payouts.list', since }, listed))) throw new ApiError('unseen')
  }
}

/** Approves a payout that nothing stops. @param isOneOfSeveral then not one that needs an approval by itself */
function approve(deps: Deps, payoutId: string, by: By, isOneOfSeveral: boolean): Promise<boolean> {
  return deps.transaction(async (unit) => {
    const payout = await lockPayout(unit.tx, payoutId)
    const [it] = payout ? await examine(deps, unit.tx, [payout], by.actorId) : []
    if (!it || (isOneOfSeveral && (it.singleOnly || it.stop === 'own'))) return false
    if (it.stop !== 'own' && !isApprovable(it.payout.state, it.stop)) return false
    return advanceLocked(deps, unit, it.payout, { is: 'approve', reason: '' }, by)
  })
}

async function viewsOf(deps: Deps, list: PayoutList, viewer: Viewer): Promise<AdminPayout[]> {
  const { db, clock } = deps
  const rows = await listPayouts(db, list, SHOWN)
  const people = await findPeople(
    db,
    rows.map((it) => it.creatorId),
  )
  return (await examine(deps, db, rows, viewer.id)).flatMap(({ payout, account, ...it }): AdminPayout[] => {
    const person = people.get(payout.creatorId)
    if (!person) return []
    const held = account && isHeld(account.heldUntil, clock()) ? account.heldUntil : null
    return [
      {
        id: payout.id,
        number: payout.number,
        creator: personView(person),
        state: payout.state,
        amount: payout.amount,
        fee: payout.fee,
        requested_at: payout.requestedAt.toISOString(),
        due_on: payout.dueOn,
        reason: payout.reason,
        tax_check: payout.taxCheck,
        withheld: payout.withheld,
        tax_reason: payout.taxReason,
        name_check: account?.nameCheck ?? null,
        names: namesOf(deps, { payout, account, ...it }),
        held_until: held?.toISOString() ?? null,
        creator_state: it.creatorState,
        single_only: it.singleOnly,
        stop: it.stop,
      },
    ]
  })
}

/** States in which an admin may still compare the names. */
const undecided: ReadonlySet<string> = new Set(['requested', 'held', 'approved'])

/** What an admin compares where the holder is not the verified name; null elsewhere. */
function namesOf(deps: Deps, { payout, account, payee }: Examined): AdminPayout['names'] {
  if (!account || !payee || account.nameCheck === 'same' || !undecided.has(payout.state)) return null
  const { legalName: legal_name, legalNameKana: legal_name_kana } =
    (payee.departed && openContact(deps, payee.departed)) ?? payee
  return { holder: openAccount(deps, account).holder, legal_name, legal_name_kana }
}
