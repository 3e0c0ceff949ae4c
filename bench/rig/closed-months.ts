// Waits until the sales of a year are closed, before they are measured.
import type pg from 'pg'

/** Waits for the hourly sweep, which closes the days of a year and makes the statements of its months. */
export async function closedMonths(client: pg.Client): Promise<void> {
  for (let n = 0; n < 300; n++) {
    const { rows } = await client.query<{ done: boolean }>(
      `select (select count(*) from statements) >= 11
         and (select max(day) from ledger_closed_days) >= (now() at time zone 'Asia/Tokyo' - interval '1 hour')::date - 1 as done`,
    )
    if (rows[0]?.done) return void (await client.query('vacuum analyze'))
    await new Promise((done) => setTimeout(done, 1000))
  }
  throw new Error('the days of sales were not closed')
}
