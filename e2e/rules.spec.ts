// Every form rule in a browser: each value of the table, and its error.
import { labelOf } from '#contract/testing/rule-case.ts'
import { ruleCases } from '#contract/testing/rule-cases.ts'
import { buildWith, openBuilt } from './rig/network/built.ts'
import { expect, test } from './rig/story.ts'

/** The error message of each code; some contain the bound. */
const sentences: Record<string, (bound: string) => string> = {
  required: () => '入力必須項目です。',
  email: () => 'メールアドレスは正しい形式で入力してください',
  password: () => 'パスワードが条件を満たしていません',
  alphanumeric: () => '英字と数字だけで入力してください',
  number: () => '数字で入力してください',
  too_long: (bound) => `${bound}文字以内で入力してください`,
  too_many_bytes: () => '絵文字や重ねた記号が多すぎます。数を減らしてください',
  too_many_marks: () => '文字に重ねる記号は8個までにしてください',
  control_characters: () => '改行や、表示の向きを変える特殊な文字は使えません',
  invisible: () => '目に見える文字を入力してください',
  too_small: (bound) => `${bound}以上の数字を入力してください`,
  too_large: (bound) => `${bound}以下の数字を入力してください`,
  repeat: () => '2つの入力内容が一致していません',
  reset_token: () => '再設定の手続きが変わりました。最初からやり直してください',
  account_name: () => '全角のカタカナ・英数字で入力してください',
  under_age: () => '18歳未満の方は登録できません',
  malformed: () => '正しい形式で入力してください',
  https_url: () => 'https:// で始まるURLを入力してください',
  code: () => '6桁の数字を入力してください',
}

const expected = ruleCases.flatMap(({ good, bad, ...named }) => [
  ...good.map(([typed, normalised]) => ({
    rule: labelOf(named),
    typed,
    value: typeof normalised === 'string' ? normalised : typed,
    error: '',
  })),
  ...bad.map(([typed, code, bound]) => ({
    rule: labelOf(named),
    typed,
    value: typed,
    error: sentences[code]?.((bound ?? 0).toLocaleString('ja-JP')),
  })),
])

// An installed worker would reply with the pages of the tests' own build.
test.use({ firstVisit: true })

let built: string | undefined
/** The app with its gallery of parts, built once for this file. */
const withGallery = () => (built ??= buildWith({ NODE_ENV: 'development' }))

const types = ['default', 'info', 'success', 'warning', 'error'] as const

test(
  'each type of toast has its own icon, is shown and closed, and an error is announced at once',
  { tag: '@deep' },
  async ({ network, phone }) => {
    await openBuilt(phone.context, withGallery())
    const { page } = phone
    await page.goto(`${network.url}/dev/ui`)
    const toasts = page.getByRole('region', { name: '操作の結果' })
    const signs: (string | null)[] = []
    for (const type of types) {
      await page.getByRole('button', { name: type, exact: true }).click()
      // An error has a second, announced copy: role `alert`.
      const toast = toasts.getByText(`${type}：投稿が完了しました。`).locator('..')
      await expect(page.getByRole('alert').filter({ hasText: `${type}：` })).toHaveCount(
        type === 'error' ? 1 : 0,
      )
      await expect(toast).toBeVisible()
      // The close button has an icon too.
      // Settled: a toast keeps its icon.
      signs.push(await toast.locator('svg').first().getAttribute('class'))
      await toast.getByRole('button', { includeHidden: true }).click()
      await expect(toast).toHaveCount(0)
    }
    expect(new Set(signs).size).toBe(types.length)
  },
)

test(
  'each typed value is accepted or refused as in the table, with the words of the specification',
  { tag: '@deep' },
  async ({ network, phone }) => {
    await openBuilt(phone.context, withGallery())
    const { page } = phone
    await page.goto(`${network.url}/dev/ui`)
    await page.getByRole('region', { name: 'forms' }).getByRole('textbox').first().waitFor()
    const seen = await page.evaluate(typeAll, expected)
    // The character before it depends on the value; `refusal.test.ts` has those.
    const named = /^「.」は使えません。/u
    expect(seen.map((it) => ({ ...it, error: it.error.replace(named, '') }))).toEqual(expected)
  },
)

/** Runs in the page: types each value and reads the field's value and error. */
async function typeAll(cases: readonly { rule: string; typed: string }[]) {
  const fields = [...document.querySelectorAll<HTMLTextAreaElement>('[aria-label=forms] textarea')]
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
  const type = (field: HTMLTextAreaElement, value: string) => {
    set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  // oxlint-disable-next-line house/no-sleep-in-tests -- the next task of the page
  const rendered = () => new Promise((done) => setTimeout(done))
  const seen: { rule: string; typed: string; value: string; error: string }[] = []
  for (const { rule, typed } of cases) {
    const field = fields.find((it) => it.labels[0]?.textContent === rule)
    if (!field) throw new Error(`no field for ${rule}`)
    type(field, `${typed}~`)
    type(field, typed)
    field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
    await rendered()
    const notes = document.getElementById(String(field.getAttribute('aria-describedby')))
    const invalid = field.getAttribute('aria-invalid') === 'true'
    seen.push({ rule, typed, value: field.value, error: invalid ? (notes?.textContent ?? 'nothing') : '' })
  }
  return seen
}
