// Hourly: closes days that are over, and makes the statements of months that are closed.
import { setTimeout as wait } from 'node:timers/promises'
import type { Deps, Unit } from '#server/deps.ts'
import { dayAfter, dayOf, monthAfter, monthOf, monthRange } from '#server/rules/money/periods.ts'
import { transferFeeTax } from '#server/rules/money/fees.ts'
import { feeTaxRoundingLines, transferFeeTaxLines } from '#server/rules/money/ledger.ts'
import { type CauseSums, figuresOf, unbookedTax } from '#server/rules/money/sales.ts'
import { bookEntry, publishSales } from '#server/services/payments/book.ts'
import { addAddressees } from '#server/services/documents/addressees.ts'
import { createFailures, type Failures } from '#server/services/transaction/failures.ts'
import { borneByCreators } from '#server/store/payouts/bank-fees.ts'
import { findUser } from '#server/store/people/people.ts'
import { closeDay, closedDays } from '#server/store/sales/closed-days.ts'
import {
  addStatements,
  firstMonthWithoutStatement,
  listWithoutStatement,
  type NewStatement,
  statementBefore,
} from '#server/store/sales/statements.ts'
import { closedSums } from '#server/store/sales/sums.ts'

/** A day is closed so long after its end, ms; an entry of a later moment is booked in the next day. */
const AFTER_MS = 3600_000
/** Attempts to close a day between two entries, and the time between two of them, ms. */
const ATTEMPTS = 50
const PAUSE_MS = 20
/** Statements of one transaction. */
const BATCH = 200

/** @throws AggregateError at the end when days could not be closed, or statements could not be made */
export async function sweepSales(deps: Deps): Promise<void> {
  const failures = createFailures('sales of')
  await failures.attempt('days that are over', () => closeDays(deps))
  await closeMonths(deps, failures)
  failures.report()
}

async function closeDays(deps: Deps): Promise<void> {
  const { last, first } = await closedDays(deps.db)
  const before = dayOf(deps.clock() - AFTER_MS)
  const from = last === null ? first : dayAfter(last)
  if (from !== null) for (let day = from; day < before; day = dayAfter(day)) await close(deps, day)
}

/** @throws while entries are added all the time; the next sweep tries again */
async function close({ transaction, clock }: Deps, day: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await transaction(({ tx }) => closeDay(tx, day, clock()))
      return
    } catch (error) {
      if (codeOf(error) !== LOCKED || attempt === ATTEMPTS) throw error
      await wait(PAUSE_MS)
    }
}

/** SQLSTATE of a lock that another transaction has. */
const LOCKED = '55P03'
const codeOf = (error: unknown): string | undefined => {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } }
  return cause?.code ?? code
}

/** Makes the statements of each month whose days are all closed, in the order of the months. */
async function closeMonths(deps: Deps, failures: Failures): Promise<void> {
  const { last } = await closedDays(deps.db)
  if (last === null) return
  const open = monthOf(Date.parse(`${dayAfter(last)}T00:00:00+09:00`))
  const from = await firstMonthWithoutStatement(deps.db, open)
  if (from !== undefined)
    for (let month = from; month < open; month = monthAfter(month)) await closeMonth(deps, month, failures)
}

async function closeMonth(deps: Deps, month: string, failures: Failures): Promise<void> {
  const days = { first: `${month}-01`, next: `${monthAfter(month)}-01` }
  const add = (creatorIds: readonly string[]) =>
    deps.transaction((unit) => addBatch(deps, unit, month, days, creatorIds))
  for (let after = ''; ;) {
    const creatorIds = await listWithoutStatement(deps.db, { name: month, ...days }, after, BATCH)
    const last = creatorIds.at(-1)
    if (last === undefined) return
    const areAdded = await add(creatorIds).then(
      () => true,
      () => false,
    )
    // Again one by one, since all of a batch share the failure of one.
    if (!areAdded) for (const id of creatorIds) await failures.attempt(`${month} of ${id}`, () => add([id]))
    after = last
  }
}

async function addBatch(
  deps: Deps,
  unit: Unit,
  month: string,
  days: { readonly first: string; readonly next: string },
  creatorIds: readonly string[],
): Promise<void> {
  const { clock, settings } = deps
  const { tx } = unit
  const sums = await closedSums(tx, creatorIds, days)
  const openings = await statementBefore(tx, creatorIds, month)
  const borne = await borneByCreators(tx, creatorIds, monthRange(month))
  const { operator } = settings
  const issued = {
    issuer: operator.name ?? '',
    issuerNumber: operator.invoice_number ?? '',
    issuedAt: new Date(clock()),
  }
  const rows = creatorIds.map((creatorId) => ({
    ...statementOf(openings.get(creatorId) ?? 0, sums.get(creatorId) ?? [], borne.get(creatorId) ?? 0),
    ...issued,
    creatorId,
    month,
  }))
  const added = await addStatements(tx, month, rows)
  for (const { id, creatorId } of added) {
    publishSales(unit, creatorId)
    await bookTax(unit, id, unbookedTax(sums.get(creatorId) ?? []), clock())
    const { transferFeeTax: tax } = rows.find((it) => it.creatorId === creatorId) ?? {}
    await bookTransferTax(unit, id, tax ?? 0, clock())
  }
  await addAddressees(deps, tx, added)
  await announce(unit, added, rows, settings.publicUrl)
}

/** Books what the tax on a statement differs by from that of its sales, so that the ledger has what statements say. */
async function bookTax(unit: Unit, statementId: string, tax: number, now: number): Promise<void> {
  const lines = feeTaxRoundingLines(tax)
  // Without a creator: it is none of their sales, and no statement is made for it.
  if (lines.length > 0)
    await bookEntry(unit, { cause: 'fee_tax_rounding', statementId, creatorId: null, lines }, now)
}

/** Books the tax of the transfer fees that the creator bore: the payouts have booked the fees with it. */
async function bookTransferTax(unit: Unit, statementId: string, tax: number, now: number): Promise<void> {
  const lines = transferFeeTaxLines(tax)
  if (lines.length > 0)
    await bookEntry(unit, { cause: 'transfer_fee_tax', statementId, creatorId: null, lines }, now)
}

function statementOf(opening: number, rows: readonly CauseSums[], transferFee: number) {
  const { sold: _, refunded: __, ...figures } = figuresOf(rows)
  return {
    ...figures,
    transferFee,
    transferFeeTax: transferFeeTax(figures.fee + figures.feeTax, transferFee),
    opening,
    closing: opening + figures.net - figures.paidOut,
  }
}

/** Emails each creator who still has an account. */
async function announce(
  { tx, email }: Unit,
  added: readonly { readonly id: string; readonly creatorId: string }[],
  rows: readonly NewStatement[],
  publicUrl: string,
): Promise<void> {
  for (const { id, creatorId } of added) {
    const person = await findUser(tx, creatorId)
    const row = rows.find((it) => it.creatorId === creatorId)
    if (!person || !row || person.deletedAt !== null) continue
    const { month, net, closing } = row
    const url = `${publicUrl}/settings/sales-management/statement?id=${id}`
    await email(
      { email: person.email, name: person.name },
      { is: 'statement', month, net, balance: closing, url },
    )
  }
}
