// Pages of the server on which advertising emails are stopped.
import { htmlPage } from '#server/rules/html.ts'
import { UNSUBSCRIBE_PATH } from '#server/services/notices/unsubscribe-token.ts'

export const style = `:root { color-scheme: light dark; --soft: #5d584f; --ground: #f6f3ec; --ink: #1f1d1a; --main: #b3261e; --on: #fff }
@media (prefers-color-scheme: dark) { :root { --soft: #b3aca1; --ground: #171513; --ink: #efeae2; --main: #ffb4ab; --on: #3b0a06 } }
* { box-sizing: border-box }
body { margin: 0; padding: 48px 16px; background: var(--ground); color: var(--ink); font: 16px/1.7 system-ui, 'Hiragino Sans', 'Noto Sans JP', sans-serif }
main { max-width: 480px; margin: 0 auto }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.4 }
p { margin: 0 0 24px }
.soft { color: var(--soft); font-size: 14px }
button { width: 100%; min-height: 48px; padding: 8px 16px; border: 0; border-radius: 999px; background: var(--main); color: var(--on); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
a { color: inherit }
`

const page = (title: string, body: string): string =>
  htmlPage(`${title}｜とどけ`, `${UNSUBSCRIBE_PATH}/style.css`, `<h1>${title}</h1>\n${body}`)

export const offerPage = (): string =>
  page(
    '広告の配信停止',
    `<p>広告のプッシュ通知とメールの配信を停止します。ログインは必要ありません。</p>
<form method="post"><button>配信を停止する</button></form>
<p class="soft">重要なお知らせや、ほかの種類の通知は、通知の設定のとおりにお送りします。</p>`,
  )

export const donePage = (): string =>
  page(
    '配信を停止しました',
    `<p>広告のプッシュ通知とメールは、今後お送りしません。</p>
<p><a href="/settings/notification">通知の設定</a>で、いつでも変更できます。</p>`,
  )

export const invalidPage = (): string =>
  page(
    'このURLは使えません',
    `<p>URLが途中で切れているか、正しくありません。メールのURLをもう一度開くか、<a href="/settings/notification">通知の設定</a>で配信を停止してください。</p>`,
  )
