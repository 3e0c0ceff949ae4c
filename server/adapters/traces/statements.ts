// Makes a span of each statement that a connection of PostgreSQL or PGlite gets.
import { AsyncResource } from 'node:async_hooks'
import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'
import { operationIn, statementText } from './statement-text.ts'
import { inStep, type OpenSpan, type Traces } from './traces.ts'

/** The step of a statement; its text is read only when the span is recorded. */
const stepOf = (traces: Traces, statement: string): OpenSpan | undefined =>
  traces.step(operationIn(statement), () => ({
    'db.system.name': 'postgresql',
    'db.operation.name': operationIn(statement),
    'db.query.text': statementText(statement),
  }))

type Query = (...args: unknown[]) => unknown
type Done = (error: unknown, ...results: unknown[]) => unknown

const textOf = (what: unknown): string =>
  typeof what === 'string' ? what : ((what as { readonly text?: string } | null)?.text ?? '')

/** The same function, with a span for each call, whether its reply is a promise or goes to a callback. */
export const tracedQuery =
  (traces: Traces, query: Query): Query =>
  (...args) => {
    const span = stepOf(traces, textOf(args[0]))
    if (!span) return query(...args)
    const done = args.at(-1)
    if (typeof done !== 'function') return inStep(span, async () => query(...args))
    return query(...args.slice(0, -1), (error: unknown, ...results: unknown[]) => {
      span.end(error ?? undefined)
      return (done as Done)(error, ...results)
    })
  }

type Taken = (...reply: unknown[]) => void

/** From now on each connection of the pool makes spans, for whom it works at that moment. */
export function tracePool(traces: Traces, pool: pg.Pool): void {
  const traced = new WeakSet<object>()
  pool.on('acquire', (client) => {
    if (traced.has(client)) return
    traced.add(client)
    const query = client.query.bind(client) as Query
    client.query = tracedQuery(traces, query) as typeof client.query
  })
  const connect = pool.connect.bind(pool) as (taken?: Taken) => unknown
  // A caller that waits for a connection is called back by the one that returns it.
  pool.connect = ((taken?: Taken) =>
    taken ? connect(AsyncResource.bind(taken)) : connect()) as typeof pool.connect
}

type Session = Pick<PGlite, 'query' | 'exec'>

/** From now on PGlite makes spans. */
export function tracePglite(traces: Traces, client: PGlite): void {
  traceSession(traces, client)
  const transaction = client.transaction.bind(client)
  client.transaction = (work) =>
    transaction((tx) => {
      traceSession(traces, tx)
      return work(tx)
    })
}

function traceSession(traces: Traces, session: Session): void {
  const query = session.query.bind(session) as Query
  const exec = session.exec.bind(session) as Query
  session.query = tracedQuery(traces, query) as typeof session.query
  session.exec = tracedQuery(traces, exec) as typeof session.exec
}
