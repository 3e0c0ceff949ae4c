// Routes of admins for settlements of the payment provider.
import type { FastifyInstance } from 'fastify'
import {
  addSettlement,
  listSettlements as listEndpoint,
  reverseSettlement as reverseEndpoint,
  type SettledReply,
  type SettlementView,
} from '#contract/adjustments/settlements.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Account } from '#server/rules/money/ledger.ts'
import { dayOf } from '#server/rules/money/periods.ts'
import { byOf, type ActedBy, type Seconded } from '#server/services/billing/money-door.ts'
import { perform, replyOf } from '#server/services/billing/perform.ts'
import { personView } from '#server/services/people/person-view.ts'
import { findSettlement, listSettlements, type SettlementRow } from '#server/store/adjustments/settlements.ts'
import type { Db } from '#server/store/database.ts'
import { balanceOf, type BookedEntry, entriesOf, firstEntryAt } from '#server/store/payments/ledger.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'
import { isSame, recordSettlement, reverseSettlement } from './settlements.ts'

/** Settlements that the page lists. */
const LISTED = 100

export function settlementRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  memberRoute(app, listEndpoint, async () => {
    const first = await firstEntryAt(db)
    const rows = await listSettlements(db, LISTED)
    return {
      balance: await owed(db),
      days: first === undefined ? null : { first: dayOf(first), last: dayOf(clock()) },
      settlements: await viewsOf(db, rows),
    }
  })
  memberRoute(app, addSettlement, async ({ viewer, body, request }) => {
    const by = byOf(deps, viewer, request.ip)
    const { preview, ...asked } = body
    const booked = (tx: Db) => entriesOf(tx, { settlementId: body.id })
    const same = await findSettlement(db, body.id)
    if (same && isSame(same, asked)) return { ...replyOf(await booked(db), true), balance: await owed(db) }
    const { day, received, fee } = asked
    const act = {
      door: 'addSettlement',
      about: [day, received, fee],
      amount: received,
      paymentId: null,
    } as const
    return settle(deps, {
      by,
      isPreview: preview,
      second: act,
      work: (unit) => recordSettlement(deps, unit, by, asked),
      booked,
    })
  })
  memberRoute(app, reverseEndpoint, async ({ viewer, params, body, request }) => {
    const by = byOf(deps, viewer, request.ip)
    const settlementId = params.settlement_id
    if (!(await findSettlement(db, settlementId))) throw new ApiError('not_found')
    return settle(deps, {
      by,
      isPreview: body.preview,
      work: (unit) => reverseSettlement(deps, unit, by, settlementId, body.reason),
      booked: async (tx) =>
        (await entriesOf(tx, { settlementId })).filter((it) => it.cause === 'settlement_reversed'),
    })
  })
}

/** What the provider owes, whole yen. */
const owed = (db: Db): Promise<number> => balanceOf(db, 'provider_receivable' satisfies Account)

interface Act {
  readonly by: ActedBy
  readonly isPreview: boolean
  readonly second?: Seconded
  readonly work: (unit: Unit) => Promise<void>
  readonly booked: (tx: Db) => Promise<readonly BookedEntry[]>
}

/** Performs an adjustment. @returns what it books, and what the provider owes after it, also for a preview */
async function settle(deps: Deps, act: Act): Promise<SettledReply> {
  let balance = 0
  const booked = async (tx: Db) => {
    balance = await owed(tx)
    return act.booked(tx)
  }
  const reply = await perform(deps, { ...act, booked })
  return { ...reply, balance }
}

async function viewsOf(db: Db, rows: readonly SettlementRow[]): Promise<SettlementView[]> {
  const actors = rows.flatMap((it) => [it.actorId, it.reversedBy]).filter((it) => it !== null)
  const people = await findPeople(db, actors)
  return rows.map((row) => ({
    id: row.id,
    day: row.day,
    received: row.received,
    fee: row.fee,
    reference: row.reference,
    recorded_at: row.recordedAt.toISOString(),
    actor: actorView(people, row.actorId),
    reversal:
      row.reversedAt === null
        ? null
        : {
            reason: row.reversalReason,
            at: row.reversedAt.toISOString(),
            actor: actorView(people, row.reversedBy),
          },
  }))
}

function actorView(people: ReadonlyMap<string, Person>, id: string | null): SettlementView['actor'] {
  const actor = people.get(id ?? '')
  return actor ? personView(actor) : null
}
