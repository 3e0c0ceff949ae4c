// The pages of the sandbox provider: the card form, and its refusals.
import { SANDBOX_PATH } from '#contract/paths.ts'
import { escapeHtml, htmlPage } from '#server/rules/html.ts'
import { testCards } from './form.ts'

export const style = `:root { color-scheme: light dark; --line: #8a8378; --soft: #5d584f; --raised: #fff; --ground: #f6f3ec; --ink: #1f1d1a; --main: #b3261e; --on: #fff; --wrong: #a3160e; --note: #fff4d6 }
@media (prefers-color-scheme: dark) { :root { --line: #8c857c; --soft: #b3aca1; --raised: #221f1c; --ground: #171513; --ink: #efeae2; --main: #ffb4ab; --on: #3b0a06; --wrong: #ffb4ab; --note: #3a2f12 } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px 48px; background: var(--ground); color: var(--ink); font: 16px/1.7 system-ui, 'Hiragino Sans', 'Noto Sans JP', sans-serif; overflow-wrap: anywhere }
main { max-width: 480px; margin: 0 auto }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.4 }
h2 { margin: 24px 0 8px; font-size: 16px }
.note { margin: 0 0 24px; padding: 12px 16px; border: 2px solid var(--line); border-radius: 12px; background: var(--note); font-weight: 600 }
dl { margin: 0 0 24px; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised) }
dt { color: var(--soft); font-size: 14px }
dd { margin: 0 }
dd + dt { margin-top: 8px }
.price { font-size: 24px; font-weight: 600 }
label { display: block; font-weight: 600 }
input { width: 100%; min-height: 48px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: var(--ink); font: inherit; letter-spacing: 1px }
.hint { margin: 4px 0 0; color: var(--soft); font-size: 14px }
.wrong { margin: 0 0 16px; color: var(--wrong); font-weight: 600 }
.buttons { display: grid; gap: 12px; margin: 24px 0 0 }
button { width: 100%; min-height: 48px; padding: 8px 16px; border: 1px solid var(--main); border-radius: 999px; background: var(--main); color: var(--on); font: inherit; font-weight: 600; cursor: pointer }
button.plain { border-color: var(--line); background: transparent; color: var(--ink) }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
ul { margin: 0; padding: 0 0 0 20px }
a { color: inherit }
`

const page = (title: string, body: string): string => htmlPage(title, `${SANDBOX_PATH}/style.css`, body)

const note = '<p class="note">これは練習用の決済画面です。お金は動きません。</p>'

interface Shown {
  readonly chargeRef: string
  readonly itemName: string
  /** Whole yen. */
  readonly amount: number
  /** Whole yen of each further charge. */
  readonly monthly: number
  /** Day of the month of each further charge; '' for a single one. */
  readonly chargeDay: string
  /** Why the last try failed; '' before the first. */
  readonly problem: string
}

export function cardPage({ chargeRef, itemName, amount, monthly, chargeDay, problem }: Shown): string {
  const cards = testCards.map((it) => `<li>${it.number}：${escapeHtml(it.says)}</li>`).join('\n')
  const alert = problem === '' ? '' : `<p class="wrong" role="alert" id="problem">${escapeHtml(problem)}</p>`
  const described = problem === '' ? 'hint' : 'problem hint'
  const invalid = problem === '' ? '' : ' aria-invalid="true"'
  return page(
    '練習用の決済画面',
    `<h1>${amount === 0 ? 'カードの登録' : 'お支払い'}</h1>
${note}
<dl>
<dt>商品</dt><dd>${escapeHtml(itemName)}</dd>
<dt>金額（税込）</dt><dd class="price">${amount.toLocaleString('ja-JP')}円${amount === 0 ? '（今回の請求はありません）' : ''}</dd>
${chargeDay === '' ? '' : `<dt>次回から</dt><dd>毎月${escapeHtml(chargeDay)}日に${amount === 0 ? `${monthly.toLocaleString('ja-JP')}円` : '同じ金額'}を自動でお支払い</dd>`}
</dl>
<form method="post" action="${SANDBOX_PATH}/${encodeURIComponent(chargeRef)}">
${alert}
<label for="card">練習用のカード番号</label>
<input id="card" name="card" inputmode="numeric" autocomplete="off" maxlength="40" required aria-describedby="${described}"${invalid}>
<p class="hint" id="hint">本物のカード番号は入力しないでください。入力した番号は保存しません。</p>
<div class="buttons">
<button name="do" value="pay">${amount === 0 ? '登録する' : '支払う'}</button>
<button class="plain" name="do" value="cancel" formnovalidate>やめる</button>
</div>
</form>
<h2>練習用のカード</h2>
<ul>
${cards}
</ul>`,
  )
}

export function refusalPage(): string {
  return page(
    '決済画面を開けません',
    `<h1>決済画面を開けません</h1>
${note}
<p>送信された内容が正しくないか、手続きが終わっています。<a href="/">とどけに戻って</a>、もう一度お試しください。</p>`,
  )
}
