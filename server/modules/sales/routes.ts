// Routes of a creator's sales, their entries, and statements.
import type { FastifyInstance } from 'fastify'
import { getSales, listSalesEntries, type SalesView, type SoldItem } from '#contract/sales/sales.ts'
import { getStatement, listStatements, type StatementView } from '#contract/sales/statements.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { dayAfter, dayOf, dayRange, monthAfter, monthOf, monthRange } from '#server/rules/money/periods.ts'
import { balanceOf, figuresOf, type Shares, sharesOfSums } from '#server/rules/money/sales.ts'
import { addresseeOf } from '#server/services/documents/addressees.ts'
import { feeRateOn, nextFeeRate } from '#server/store/adjustments/fee-rates.ts'
import type { Db } from '#server/store/database.ts'
import { borneByCreators } from '#server/store/payouts/bank-fees.ts'
import { findUser } from '#server/store/people/people.ts'
import { listEntries } from '#server/store/sales/entries.ts'
import { countMembers, type MemberCounts } from '#server/store/sales/member-counts.ts'
import {
  findStatement,
  listStatements as statementsOf,
  type StatementRow,
} from '#server/store/sales/statements.ts'
import {
  balanceParts,
  firstMonth,
  type ItemSums,
  sumsByMonth,
  sumsOfMonth,
} from '#server/store/sales/sums.ts'
import { entryView, withinOf } from './entries.ts'
import { csvRoute } from './csv.ts'

/** Entries of one page. */
const PAGE = 50
/** Months of the chart. */
const MONTHS = 12

export function salesRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  memberRoute(app, getSales, ({ viewer, query }) => salesOf(deps, viewer.id, query.month))

  memberRoute(app, listSalesEntries, async ({ viewer, query }) => {
    const filter = { within: withinOf(query), kind: query.kind, itemId: query.item }
    const page = { after: timeCursor.read(query.cursor), order: 'newest', limit: PAGE + 1 } as const
    const rows = await listEntries(db, viewer.id, filter, page)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ at, id }) => ({ at, id }))
    return { entries: shown.map(entryView), next }
  })
  csvRoute(app, deps)

  memberRoute(app, listStatements, async ({ viewer }) => ({
    statements: (await statementsOf(db, viewer.id)).map(statementView),
  }))
  memberRoute(app, getStatement, async ({ viewer, params }) => {
    const found = await findStatement(db, viewer.id, params.statement_id)
    const creator = await findUser(db, viewer.id)
    if (!found || !creator) throw new ApiError('not_found')
    // Statements of before are made out to the name of the app.
    return { statement: statementView(found), creator: (await addresseeOf(deps, found.id)) ?? creator.name }
  })
}

async function salesOf(deps: Deps, creatorId: string, asked?: string): Promise<SalesView> {
  const { db, clock } = deps
  const now = clock()
  const month = asked ?? monthOf(now)
  const days = monthRange(month)
  const earliest = monthAfter(month, 1 - MONTHS)
  const tomorrow = dayRange(dayAfter(dayOf(now))).from
  const [{ byDay, items }, earlier, members, balance, first, feeRate, borne] = await Promise.all([
    sumsOfMonth(db, creatorId, days),
    sharesByMonth(db, creatorId, earliest, monthAfter(month, -1)),
    countMembers(db, creatorId, days),
    balanceParts(db, creatorId, tomorrow),
    firstMonth(db, creatorId),
    feeRateOf(deps, creatorId),
    borneByCreators(db, [creatorId], days),
  ])
  const sums = [...byDay.values()].flat()
  const byMonth = new Map([...earlier, [month, sharesOfSums(sums)]])
  const { feeTax: fee_tax, paidOut: paid_out, ...figures } = figuresOf(sums)
  return {
    month,
    first_month: first ?? null,
    figures: { ...figures, fee_tax, paid_out, transfer_fee: borne.get(creatorId) ?? 0 },
    balance: balanceOf(balance),
    fee_rate: feeRate,
    days: [...byDay].map(([day, rows]) => ({ day, ...sharesOfSums(rows) })),
    months: Array.from({ length: MONTHS }, (_, i) => {
      const it = monthAfter(earliest, i)
      return { month: it, ...(byMonth.get(it) ?? sharesOfSums([])) }
    }),
    items: itemsOf(items),
    members: membersOf(members),
  }
}

async function feeRateOf(
  { db, clock, settings }: Deps,
  creatorId: string,
): Promise<NonNullable<SalesView['fee_rate']>> {
  const today = dayOf(clock())
  const next = await nextFeeRate(db, creatorId, today)
  return {
    current: (await feeRateOn(db, creatorId, today)) ?? settings.payments.feeRate,
    next: next ? { rate: next.rate, first_day: next.firstDay } : null,
  }
}

/** Shares of each month that has some: those of closed months from their statements, so that few rows are summed. */
async function sharesByMonth(
  db: Db,
  creatorId: string,
  first: string,
  last: string,
): Promise<Map<string, Shares>> {
  const statements = (await statementsOf(db, creatorId)).filter((it) => it.month >= first && it.month <= last)
  const shares = new Map<string, Shares>(
    statements.map((it) => [it.month, { sales: it.plans + it.posts, refunds: it.refunds, net: it.net }]),
  )
  const newest = statements[0]?.month
  const open = newest === undefined ? first : monthAfter(newest)
  if (open > last) return shares
  const days = { from: monthRange(open).from, to: monthRange(last).to }
  for (const [month, rows] of await sumsByMonth(db, creatorId, days)) shares.set(month, sharesOfSums(rows))
  return shares
}

/** One item for all causes of it, in the order of the rows. */
function itemsOf(rows: readonly ItemSums[]): SoldItem[] {
  const items = Map.groupBy(rows, ({ kind, itemId }) => `${kind} ${itemId ?? ''}`)
  return [...items.values()].flatMap((of) => {
    const [first] = of
    if (!first) return []
    const { kind, itemId, title } = first
    return [{ kind, id: itemId, title: title ?? '', sold: figuresOf(of).sold, ...sharesOfSums(of) }]
  })
}

function membersOf(rows: readonly MemberCounts[]): SalesView['members'] {
  const sum = (of: 'before' | 'joined' | 'left') => rows.reduce((total, it) => total + it[of], 0)
  return {
    before: sum('before'),
    joined: sum('joined'),
    left: sum('left'),
    plans: rows.flatMap(({ planId, name, before, joined, left }) =>
      joined + left === 0 ? [] : [{ id: planId, name, before, joined, left }],
    ),
  }
}

const statementView = (row: StatementRow): StatementView => ({
  id: row.id,
  month: row.month,
  number: row.number,
  issued_at: row.issuedAt.toISOString(),
  opening: row.opening,
  plans: row.plans,
  posts: row.posts,
  refunds: row.refunds,
  fee: row.fee,
  fee_tax: row.feeTax,
  net: row.net,
  paid_out: row.paidOut,
  transfer_fee: row.transferFee ?? 0,
  transfer_fee_tax: row.transferFeeTax ?? 0,
  closing: row.closing,
  issuer: row.issuer,
  issuer_number: row.issuerNumber,
})
