// `npm run flaky`: adds the flaky tests of the last run to docs/flaky.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { rowOf, withRows } from './page.ts'

/** Where `npm test` writes the flaky tests of a run. */
const FILE = 'test-results/flaky.json'
const PAGE = 'docs/flaky.md'

const report = v.object({
  date: v.string(),
  flaky: v.array(v.object({ name: v.string(), failure: v.string() })),
})

if (existsSync(FILE)) {
  const { date, flaky } = v.parse(report, JSON.parse(readFileSync(FILE, 'utf8')))
  const before = readFileSync(PAGE, 'utf8')
  writeFileSync(
    PAGE,
    withRows(
      before,
      flaky.map((it) => rowOf(it, date)),
    ),
  )
  console.log(`${flaky.length} flaky tests of ${date}: write cause and mend into ${PAGE}.`)
} else console.log('No flaky tests are recorded: npm test writes them at its end.')
