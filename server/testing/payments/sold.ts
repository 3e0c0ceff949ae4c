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

/**
 * Lets each insert of a creator's row fail, with a message that has their address.
 * @returns a function that ends it
 */
export async function refuseRowsOf(
  { database }: World,
  table: 'payouts' | 'statements',
  creator: Member,
): Promise<() => Promise<unknown>> {
  await database.executeSql(`create function refuse_rows() returns trigger language plpgsql as $$
    begin
      if new.creator_id = '${creator.id}' then raise exception 'refused: ${creator.email}'; end if;
      return new;
    end $$`)
  await database.executeSql(
    `create trigger refuse_rows before insert on ${table} for each row execute function refuse_rows()`,
  )
  return () => database.executeSql('drop function refuse_rows cascade')
}

/** The errors of a sweep that failed. */
export async function errorsOf(sweep: Promise<void>): Promise<Error[]> {
  const error: unknown = await sweep.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof AggregateError ? (error.errors as Error[]) : []
}
