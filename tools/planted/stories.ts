// Planted races of browser stories, and the same steps without them.
import type { PlantedText } from './row.ts'

type Row = readonly [rule: string, body: string, isReported: boolean]

const rows: readonly Row[] = [
  // A value that is read once.
  ['values', 'expect(await page.title()).toBe(a)', true],
  ['values', 'expect((await rows(page)).length).toBe(1)', true],
  ['values', "expect.soft(await rows(page), 'rows').toEqual([])", true],
  ['values', 'expect([await rows(page), 1]).toEqual([])', true],
  ['values', 'const text = await row.textContent()', true],
  ['values', 'const before = (await row.boundingBox())?.y', true],
  ['values', 'await expect.poll(() => rows(page)).toEqual([])', false],
  ['values', 'await expect.poll(async () => (await rows(page)).length).toBe(1)', false],
  ['values', 'await expect(async () => expect(await rows(page)).toEqual([])).toPass()', false],
  ['values', "await expect.poll(() => row.textContent()).toBe('a')", false],
  ['values', 'await until(async () => ((await row.count()) > 0 ? true : undefined))', false],
  ['values', "expect(await reader.call('GET', '/posts')).toEqual({})", false],
  ['values', 'expect((await reply).status()).toBe(200)', false],
  ['values', '// Settled: the job has ended.\nexpect(await rows(page)).toEqual([])', false],
  ['values', '// The job has ended.\nexpect(await rows(page)).toEqual([])', true],
  // A key without its target.
  ['keys', "await page.keyboard.press('Enter')", true],
  ['keys', "await page.keyboard.type('a')", true],
  ['keys', "await phone.page.keyboard.down('Shift')", true],
  ['keys', 'const { keyboard } = page', true],
  ['keys', 'const typing = page.keyboard', true],
  ['keys', "await pressOn(row, 'Enter')", false],
  ['keys', "await row.press('Enter')", false],
  // A page that goes before the device has stored what was written.
  ['leaving', 'await page.reload()', true],
  ['leaving', 'await phone.kill()', true],
  ['leaving', 'await tab.close()', true],
  ['leaving', "await field.fill('a')\nawait page.goto('/')", true],
  ['leaving', 'await field.setInputFiles(file)\nawait page.goBack()', true],
  ['leaving', "await reload(page, ['a'])", false],
  ['leaving', "await field.fill('a')\nawait expect(note).toBeVisible()\nawait page.goto('/')", false],
  ['leaving', 'await server.kill()', false],
  ['leaving', 'await network.close()', false],
  ['leaving', 'await page.evaluate(() => location.reload())', false],
  // An absence that an empty page has too.
  ['absence', "await page.goto('/')\nawait expect(row).toHaveCount(0)", true],
  ['absence', 'await reload(page, [])\nawait expect(row).toBeHidden()', true],
  [
    'absence',
    "await page.goto('/')\nawait expect(row).toBeHidden()\nawait expect(page).not.toHaveTitle(a)",
    true,
  ],
  [
    'absence',
    "await page.goto('/')\nawait expect(list).toBeVisible()\nawait expect(row).toHaveCount(0)",
    false,
  ],
  ['absence', 'await button.click()\nawait expect(row).toHaveCount(0)', false],
  // A page that has not begun to load is idle, too.
  ['loading', "await page.waitForLoadState('networkidle')", true],
  ['loading', "await page.goto('/', { waitUntil: 'networkidle' })", true],
  ['loading', 'await page.waitForLoadState()', false],
  // A text of the story that a list and a page show.
  ['regions', 'await expect(page.getByText(content)).toBeVisible()', true],
  [
    'regions',
    "await write(page, 'こんにちは')\nawait expect(page.getByText('こんにちは')).toBeVisible()",
    true,
  ],
  ['regions', "await expect(page.getByRole('article').getByText(content)).toBeVisible()", false],
  ['regions', "await expect(page.getByText('保存しました。')).toBeVisible()", false],
  ['regions', 'await expect(page.getByText(/^保存/)).toBeVisible()', false],
]

/** Each row in a file of its own. */
export const stories: readonly PlantedText[] = rows.map(([rule, body, isReported], n) => [
  `house(story-${rule})`,
  `e2e/planted-${n}.spec.ts`,
  body,
  isReported,
])
