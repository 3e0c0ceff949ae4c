// A bare Fastify route that runs the same statements as the product, and nothing else.
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'
import type { Statement } from './tap.ts'

const [url = '', file = '', port = ''] = process.argv.slice(2)
/** By the name of what is asked for: the statements of several such requests, taken in turn. */
const requests = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Statement[][]>
const pool = new pg.Pool({ connectionString: url, max: 16 })
const app = Fastify()
let n = 0

app.get<{ Params: { name: string } }>('/:name', async ({ params }) => {
  const all = requests[params.name] ?? []
  const rows: unknown[] = []
  for (const { text, values } of all[n++ % all.length] ?? []) {
    const answer = await pool.query(text, [...values])
    rows.push(answer.rows)
  }
  return rows
})

await app.listen({ port: Number(port), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
