// The rules of readings are complete, and the decision lists them as they are.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { type ReadingRule, readingRules } from './reading-rules.ts'

const rules: [string, ReadingRule][] = Object.entries(readingRules)
const DECISION = new URL('../../../docs/decisions/113-when-a-page-reads-again.md', import.meta.url)

test('each rule is of an endpoint, or of a page that reads with the secret of its address', () => {
  const names = new Set<string>(endpoints.map((it) => it.name))
  expect(rules.map(([name]) => name).filter((it) => !names.has(it))).toEqual([
    'payment-return',
    'decision-by-link',
    'inquiry-by-link',
    'opinion-by-link',
  ])
})

test('money that can change is read again while it is shown', () => {
  const stays = ({ minutes, polled, except }: ReadingRule) =>
    minutes === undefined && polled === undefined && except === undefined
  expect(rules.filter(([, it]) => it.shows.includes('money') && stays(it))).toEqual([])
})

test('a person’s own money is changed by an event, or is in none of a creator’s sales', () => {
  const withoutEvent = rules
    .filter(([, it]) => it.shows.includes('money') && !it.changedBy && it.except === undefined)
    .map(([name]) => name)
  expect(withoutEvent).toEqual([
    // Changed by `payment.changed`, which changes everything.
    'getAllowance',
    'payment-return',
    'listPayments',
    'listSurplusCharges',
    'getReceipt',
    // Of staff.
    'listOperatorTasks',
    'listAdminPayouts',
    'listPayoutExports',
    'listSettlements',
    'listFeeRates',
    'listComplimentary',
  ])
})

/** `sales.changed; every 5 minutes; after midnight`. */
function againText({ minutes, daily, polled, except }: ReadingRule): string {
  const parts = [
    except === undefined ? undefined : `by exception: ${except}`,
    minutes === undefined ? undefined : minutes === 1 ? 'each minute' : `every ${minutes} minutes`,
    daily && 'after midnight',
    polled && 'polled by its query',
  ].filter((it) => it !== undefined)
  return parts.length === 0 ? 'visible, gap, network' : parts.join('; ')
}

function changedText({ changedBy = [], inPlace = [] }: ReadingRule): string {
  const code = (names: readonly string[]) => names.map((it) => `\`${it}\``).join(', ')
  return [code(changedBy), inPlace.length === 0 ? '' : `in place: ${code(inPlace)}`]
    .filter((it) => it !== '')
    .join('; ')
}

const rowOf = ([, it]: [string, ReadingRule]) =>
  `${it.shows.length === 0 ? 'content' : it.shows.join(', ')} | ${changedText(it)} | ${againText(it)} |`

test('the decision lists every rule', async () => {
  const decision = await readFile(DECISION, 'utf8')
  const rows = [...Map.groupBy(rules, rowOf)].map(
    ([row, same]) => `| ${same.map(([name]) => `\`${name}\``).join(' ')} | ${row}`,
  )
  const table = ['| readings | show | changed by | read again |', '|---|---|---|---|', ...rows].join('\n')
  const listed = decision.replace(
    /(<!-- rules -->\n)[^]*(<!-- end of the rules -->)/,
    (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  )
  await expect(listed).toMatchFileSnapshot(DECISION.pathname)
})
