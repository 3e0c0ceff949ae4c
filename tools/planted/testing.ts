// Planted sleeps, durations, deadlines and empty defaults in tests, and what is allowed.
import type { PlantedText } from './row.ts'

const SLEEP = 'export const a = () => new Promise((done) => setTimeout(done, 30))'

const sleeps = (
  [
    [SLEEP, true],
    ['export const a = new Promise((done) => void setTimeout(() => done(1), 30))', true],
    ['export const a = new Promise((done) => globalThis.setTimeout(done, 30))', true],
    ['export const a = Promise.race([b, new Promise((done) => setTimeout(done))])', true],
    ["import { setTimeout as pause } from 'node:timers/promises'\nexport const a = pause", true],
    ["import * as timers from 'timers/promises'\nexport const a = timers", true],
    ["import timers from 'node:timers/promises'\nexport const a = timers", true],
    ['export const a = (page: Page) => page.waitForTimeout(500)', true],
    ['expect(performance.now() - began).toBeLessThan(2000)', true],
    ['expect(Date.now() - began).toBeLessThan(2000)', true],
    ['expect(Math.abs(it.at - Date.now())).toBeLessThan(2000)', true],
    ['export const a = () => Math.round(performance.now() - began)', true],
    ['export const a = () => Date.now() - began', true],
    ["import { setImmediate } from 'node:timers/promises'\nexport const a = setImmediate", false],
    ['export const a = setTimeout(() => undefined, 30)', false],
    ['export const a = new Promise((done) => setImmediate(done))', false],
    ['export const a = Date.now() - 3600_000', false],
    ['export const a = Date.now() - DAY', false],
    ['await expect.poll(() => rows()).toEqual([])', false],
  ] as const
).map(([text, isReported]) => ['house(no-sleep-in-tests)', text, isReported] as const)

const emptyDefaults = (
  [
    ["export const a = remove(row?.id ?? '')", true],
    ['export const a = new Set(rows ?? [])', true],
    ['export const a = take((await rows())[0]?.count ?? 0)', true],
    ['export const a = keys(it.fields ?? {})', true],
    ['expect(row?.id ?? null).toBe(null)', true],
    ['export const a = call(person ?? null)', false],
    ['export const a = at(place ?? -1)', true],
    ['export const a = remove(defined(row?.id))', false],
    ["export const a = remove(row?.id ?? 'first')", false],
    ['export const a = take(rows ?? [1])', false],
    ['export const a = (sums[name] ?? 0) + 1', false],
    ["export const a = remove(row?.id || '')", false],
  ] as const
).map(([text, isReported]) => ['house(no-empty-default-in-tests)', text, isReported] as const)

const deadlines = (
  [
    ['await expect(a).toBeVisible({ timeout: 5000 })', true],
    ['await a.click({ force: true, timeout: 90_000 })', true],
    ['const again = { timeout: 20_000 }\nawait expect(look).toPass(again)', true],
    ['test.setTimeout(600_000)', true],
    ['await expect(async () => { await expect(a).toBeVisible({ timeout: 300 }) }).toPass()', false],
    ['await expect(a).toBeVisible()', false],
    ["test('a', async ({ page }) => { page.setDefaultTimeout(DEADLINE_MS) })", false],
  ] as const
).map(([text, isReported]) => ['house(one-deadline-in-stories)', text, isReported] as const)

export const testing: readonly PlantedText[] = [
  ...[...sleeps, ...emptyDefaults].map(([rule, text, isReported], n): PlantedText => [
    rule,
    `src/lib/testing-${n}.test.ts`,
    text,
    isReported,
  ]),
  ...['device/testing', 'server/testing/clients', 'src/domain/session/testing'].map((folder): PlantedText => [
    'house(no-sleep-in-tests)',
    `${folder}/sleep.ts`,
    SLEEP,
    true,
  ]),
  ...deadlines.map(([rule, text, isReported], n): PlantedText => [
    rule,
    `e2e/deadline-${n}.spec.ts`,
    text,
    isReported,
  ]),
  // The product itself waits, and has values that may be missing.
  [
    'house(no-sleep-in-tests)',
    'src/lib/testing-a.ts',
    'export const a = new Promise((b) => setTimeout(b, 9))',
    false,
  ],
  [
    'house(no-empty-default-in-tests)',
    'src/lib/testing-b.ts',
    "export const a = remove(row?.id ?? '')",
    false,
  ],
]
