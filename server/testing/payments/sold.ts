// Reads a creator's sales, and closes days and months.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getSales, listSalesEntries, SalesView } from '#contract/sales/sales.ts'
import type { listStatements, StatementView } from '#contract/sales/statements.ts'
import { sweepSales } from '#server/modules/sales/closing.ts'
import { call, type Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

export const salesOf = async (world: World, as: Member, month?: string): Promise<SalesView> =>
  (await call(world, as, 'GET', `/sales${month === undefined ? '' : `?month=${month}`}`)).json<
    ReplyOf<typeof getSales>
  >()

/** @param query such as `month=2026-11&kind=post` */
export const entriesOf = async (
  world: World,
  as: Member,
  query = '',
): Promise<ReplyOf<typeof listSalesEntries>> =>
  (await call(world, as, 'GET', `/sales/entries?${query}`)).json()

export const statementsOf = async (world: World, as: Member): Promise<StatementView[]> =>
  (await call(world, as, 'GET', '/sales/statements')).json<ReplyOf<typeof listStatements>>().statements

/** Sets the clock to a time in Asia/Tokyo (`2026-12-01T01:30`), and closes what is over then. */
export async function closeAt(world: World, time: string): Promise<void> {
  world.clock.now = inTokyo(time)
  await sweepSales(world.deps)
}

export const inTokyo = (time: string): number => Date.parse(`${time}:00+09:00`)
