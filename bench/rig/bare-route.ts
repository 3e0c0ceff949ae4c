// A bare Fastify route with the same prepared statements as the product.
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'
import type { Statement } from './statement-recorder.ts'

const [url = '', file = '', port = ''] = process.argv.slice(2)
/** Statements of several requests, by the name of the request, used in turn. */
const requests = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Statement[][]>
const pool = new pg.Pool({ connectionString: url, max: 16 })
/** The product's shared connections: each prepared statement goes to the one with the shortest queue. */
const shared = Array.from({ length: 4 }, () => ({
  client: new pg.Client({ connectionString: url, pipeline: true }),
  sent: 0,
}))
await Promise.all(shared.map(({ client }) => client.connect()))

async function preparedRows(query: pg.QueryConfig): Promise<unknown[]> {
  const connection = shared.reduce((best, it) => (it.sent < best.sent ? it : best))
  connection.sent++
  const result = await connection.client.query<Record<string, unknown>>(query)
  connection.sent--
  return result.rows
}

const app = Fastify()
let n = 0

app.get<{ Params: { name: string } }>('/:name', async ({ params }) => {
  const all = requests[params.name] ?? []
  const rows: unknown[] = []
  for (const { name, text, values } of all[n++ % all.length] ?? []) {
    const query = { text, values: [...values] }
    rows.push(name === undefined ? (await pool.query(query)).rows : await preparedRows({ ...query, name }))
  }
  return rows
})

await app.listen({ port: Number(port), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
