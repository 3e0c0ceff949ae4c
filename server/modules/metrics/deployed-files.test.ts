// Dashboard and alert rules name only metrics and labels that a scrape has.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScraped, scrape, typesIn } from '#server/testing/scrape.ts'
import type { World } from '#server/testing/world.ts'

const root = path.join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}
const dashboard = JSON.parse(read('deploy/grafana/todoke.json')) as { readonly panels: readonly Panel[] }
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map((it) => it.expr))
const alerts = read('deploy/prometheus/alerts.yml')
/** Expressions of the rules; a folded one continues on deeper lines. */
const watched = [...alerts.matchAll(/^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
  ([, folded, plain]) => folded ?? plain ?? '',
)

/** Names of metrics in an expression. */
const namesIn = (expression: string) =>
  [...expression.matchAll(/\b(?:todoke|process|nodejs)_\w+/g)].map(([name]) => name)

let world: World
let text: string
let types: Map<string, string>
beforeAll(async () => {
  world = await openScraped()
  await scrape(world)
  text = (await scrape(world)).text
  types = typesIn(text)
})
afterAll(() => world.close())

/** A metric as it is described: the series of a histogram have endings. */
const described = (name: string) => {
  const base = name.replace(/_(?:bucket|count|sum)$/, '')
  return types.get(base) === 'histogram' ? base : name
}

test('each rule has an expression, a severity, and what to do', () => {
  const count = alerts.match(/^ {6}- alert: /gm)?.length ?? 0
  expect(count).toBeGreaterThan(10)
  expect(watched).toHaveLength(count)
  for (const field of [/severity: (?:page|ticket) /g, /^ {10}summary: /gm, /^ {10}action: /gm])
    expect(alerts.match(field)).toHaveLength(count)
})

test('each metric that is shown or watched is in a scrape', () => {
  const names = [...shown, ...watched].flatMap(namesIn)
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((it) => !types.has(described(it)))).toEqual([])
})

test('each metric of the server is shown', () => {
  const names = new Set(shown.flatMap(namesIn).map(described))
  const own = [...types.keys()].filter((it) => it.startsWith('todoke_'))
  expect(own.filter((it) => !names.has(it))).toEqual([])
})

test('counters are shown and watched as rates, and gauges are not', () => {
  for (const expression of [...shown, ...watched])
    for (const name of namesIn(expression)) {
      const isRate = ['rate', 'increase'].some((it) => expression.includes(`${it}(${name}`))
      expect([name, isRate]).toEqual([
        name,
        types.get(described(name)) !== 'gauge' && types.has(described(name)),
      ])
    }
})

test('each named queue, state and outcome exists', () => {
  const values = (label: string) =>
    [...text.matchAll(new RegExp(`${label}="([^"]*)"`, 'g'))].map((it) => it[1])
  const known = new Set([...values('queue'), ...values('state'), ...values('percentile')])
  const named = [...shown, ...watched].flatMap((it) =>
    [...it.matchAll(/(?:queue|state|percentile)(?:=|=~|!=|!~)"([^"]*)"/g)].flatMap(([, all = '']) =>
      all.split('|'),
    ),
  )
  // The embedded database has no pool.
  expect(named.filter((it) => !known.has(it) && it !== 'used')).toEqual([])
})
