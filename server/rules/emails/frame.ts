// Renders the parts of an email as text and HTML, without pictures and tracking.
import { escapeHtml } from '#server/rules/html.ts'

/** A part of an email's body. */
export type Part =
  | { readonly is: 'line'; readonly text: string }
  | { readonly is: 'code'; readonly code: string }
  | { readonly is: 'link'; readonly label: string; readonly url: string }
  | { readonly is: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }

export interface EmailText {
  readonly subject: string
  readonly parts: readonly Part[]
  /** Why this person receives it, and what to do if they did not cause it. */
  readonly foot: readonly string[]
}

export interface RenderedEmail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const BRAND = 'とどけ'
const closing = 'このメールは送信専用です。返信いただいてもお答えできません。'

export const line = (text: string): Part => ({ is: 'line', text })

export const yen = (amount: number): string => `${amount.toLocaleString('ja-JP')}円`

/** A name on one line: one with line breaks must not add lines. */
export const oneLine = (name: string): string => name.replaceAll(/\s+/g, ' ')

/** A time in Japanese notation and time zone. */
export function japaneseTime(at: number): string {
  const parts = new Intl.DateTimeFormat('ja-JP', {
    timeZone: 'Asia/Tokyo',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return `${parts.format(at)}（日本時間）`
}

/** A date in Japanese notation. */
export function japaneseDay(at: number): string {
  return new Intl.DateTimeFormat('ja-JP', { timeZone: 'Asia/Tokyo', dateStyle: 'long' }).format(at)
}

/**
 * Renders an email.
 * @param name of the recipient; '' where the address may not be the person's
 */
export function renderFrame(words: EmailText, name: string): RenderedEmail {
  const greeting = name === '' ? [] : [`${oneLine(name)} 様`]
  return {
    subject: `${words.subject}｜${BRAND}`,
    text: textOf(words, greeting),
    html: htmlOf(words, greeting),
  }
}

function textOf({ parts, foot }: EmailText, greeting: readonly string[]): string {
  const body = parts.map((part) => {
    switch (part.is) {
      case 'line':
        return part.text
      case 'code':
        return `    ${part.code}`
      case 'link':
        return `${part.label}\n${part.url}`
      case 'facts':
        return part.facts.map(([name, value]) => `${name}：${value}`).join('\n')
      default:
        return part satisfies never
    }
  })
  return [...greeting, ...body, `――――――――――\n${[...foot, closing].join('\n')}\n\n${BRAND}`]
    .join('\n\n')
    .concat('\n')
}

const font = "font-family:system-ui,-apple-system,'Hiragino Sans','Noto Sans JP','Yu Gothic UI',sans-serif"
const styles = {
  body: `margin:0;padding:24px 16px;background:#f6f3ec;color:#1f1d1a;${font};font-size:16px;line-height:1.75`,
  sheet:
    'max-width:520px;margin:0 auto;padding:28px 24px;background:#ffffff;border:1px solid #ddd6c9;border-radius:12px',
  brand: 'margin:0 0 24px;font-size:20px;font-weight:600',
  line: 'margin:0 0 16px',
  code: 'margin:0 0 16px;padding:16px 0 16px 8px;background:#f6f3ec;border-radius:8px;text-align:center;font-size:32px;font-weight:600;letter-spacing:8px',
  button:
    'display:inline-block;padding:10px 24px;background:#b3261e;border-radius:999px;color:#ffffff;text-decoration:none;font-weight:600',
  url: 'margin:0 0 16px;font-size:13px;word-break:break-all',
  name: 'padding:2px 16px 2px 0;color:#5d584f;vertical-align:top;white-space:nowrap',
  foot: 'margin:24px 0 0;padding-top:16px;border-top:1px solid #ddd6c9;color:#5d584f;font-size:13px',
}

function htmlPart(part: Part): string {
  switch (part.is) {
    case 'line':
      return `<p style="${styles.line}">${escapeHtml(part.text).replaceAll('\n', '<br>')}</p>`
    case 'code':
      return `<p style="${styles.code}">${escapeHtml(part.code)}</p>`
    case 'link': {
      const url = escapeHtml(part.url)
      return `<p style="${styles.line}"><a href="${url}" style="${styles.button}">${escapeHtml(part.label)}</a></p>
<p style="${styles.url}">ボタンが使えないときは、このURLを開いてください。<br><a href="${url}" style="color:#5d584f">${url}</a></p>`
    }
    case 'facts': {
      const rows = part.facts.map(
        ([name, value]) =>
          `<tr><td style="${styles.name}">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`,
      )
      return `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`
    }
    default:
      return part satisfies never
  }
}

function htmlOf({ subject, parts, foot }: EmailText, greeting: readonly string[]): string {
  const lines = greeting.map((it) => `<p style="${styles.line}">${escapeHtml(it)}</p>`)
  return `<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${styles.body}">
<div style="${styles.sheet}">
<p style="${styles.brand}">${BRAND}</p>
${[...lines, ...parts.map(htmlPart)].join('\n')}
<p style="${styles.foot}">${[...foot, closing].map(escapeHtml).join('<br>')}</p>
</div>
</body>
</html>
`
}
