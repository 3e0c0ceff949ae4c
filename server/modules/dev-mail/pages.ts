// The pages of /dev/mail: a list, and one email as HTML and as text.
import { escapeHtml, htmlPage } from '#server/rules/html.ts'

interface ShownMail {
  readonly id: string
  readonly at: number
  readonly to: { readonly email: string; readonly name: string }
  readonly subject: string
  readonly text: string
}

const time = new Intl.DateTimeFormat('ja-JP', {
  timeZone: 'Asia/Tokyo',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

export const style = `:root { color-scheme: light dark; --line: #ddd6c9; --soft: #5d584f; --raised: #fff; --ground: #f6f3ec; --ink: #1f1d1a }
@media (prefers-color-scheme: dark) { :root { --line: #3b3733; --soft: #b3aca1; --raised: #221f1c; --ground: #171513; --ink: #efeae2 } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px 48px; background: var(--ground); color: var(--ink); font: 15px/1.6 system-ui, 'Hiragino Sans', 'Noto Sans JP', sans-serif }
main { max-width: 760px; margin: 0 auto }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.4; overflow-wrap: anywhere }
h2 { margin: 32px 0 8px; font-size: 15px }
a { color: inherit; text-underline-offset: 3px }
a:focus-visible { outline: 2px solid; outline-offset: 2px; border-radius: 4px }
.soft { margin: 0 0 20px; color: var(--soft); font-size: 13px; overflow-wrap: anywhere }
ul { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); overflow: hidden }
li + li { border-top: 1px solid var(--line) }
li a { display: block; padding: 12px 16px; text-decoration: none }
li a:hover { background: var(--ground) }
li strong { display: block; font-weight: 600 }
li span { color: var(--soft); font-size: 13px; overflow-wrap: anywhere }
iframe { display: block; width: 100%; height: 560px; border: 1px solid var(--line); border-radius: 12px; background: #f6f3ec }
pre { margin: 0; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
`

const page = (title: string, body: string): string => htmlPage(title, '/dev/mail/style.css', body)

const headerOf = ({ to, at }: ShownMail) => `${escapeHtml(to.email)} ・ ${escapeHtml(time.format(at))}`

export function listPage(mails: readonly ShownMail[]): string {
  const rows = mails.map(
    (it) =>
      `<li><a href="/dev/mail/${it.id}"><strong>${escapeHtml(it.subject)}</strong><span>${headerOf(it)}</span></a></li>`,
  )
  const list = rows.length === 0 ? '<p>まだ届いたメールはありません。</p>' : `<ul>${rows.join('\n')}</ul>`
  return page(
    '開発用のメール',
    `<h1>開発用のメール</h1>
<p class="soft">SMTP_URL がないため、メールは送られずにここに届きます。新しい順です。</p>
${list}`,
  )
}

/** Escapes a text and makes its URLs links. */
const linked = (text: string) =>
  escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

export function emailPage(mail: ShownMail): string {
  return page(
    mail.subject,
    `<p><a href="/dev/mail">一覧に戻る</a></p>
<h1>${escapeHtml(mail.subject)}</h1>
<p class="soft">${headerOf(mail)}</p>
<iframe src="/dev/mail/${mail.id}/html" title="HTML のメール" sandbox="allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>テキスト</h2>
<pre>${linked(mail.text)}</pre>`,
  )
}

export function notFoundPage(): string {
  return page('メールがありません', '<h1>メールがありません</h1><p><a href="/dev/mail">一覧に戻る</a></p>')
}
