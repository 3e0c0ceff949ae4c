// Environment variables of email: the relay and the sender.
import * as v from 'valibot'

export const mailVariables = {
  SMTP_URL: v.optional(v.union([v.literal(''), v.pipe(v.string(), v.regex(/^smtps?:\/\//), v.url())]), ''),
  /** `name <address>`, or an address. */
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(200),
      v.regex(/^(?:[^\s<>@]+@[^\s<>@]+|[^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>)$/),
    ),
  ),
}

export const mailWanted: Record<keyof typeof mailVariables, string> = {
  SMTP_URL: '空にするか、smtp:// か smtps:// で始まる URL にしてください',
  MAIL_FROM: 'メールアドレスか「名前 <アドレス>」の形にしてください',
}

/** Sentences about missing variables: production requires a relay, since registration needs emails. */
export function missingOfMail(env: { readonly SMTP_URL: string }): string[] {
  return env.SMTP_URL === ''
    ? [`環境変数 SMTP_URL が本番環境では必要です。登録の確認などのメールを送ります。`]
    : []
}

/** The sender of emails: MAIL_FROM, else the operator. */
export function senderOf(env: {
  readonly MAIL_FROM?: string | undefined
  readonly OPERATOR_EMAIL?: string | undefined
}): string {
  return env.MAIL_FROM ?? `とどけ <${env.OPERATOR_EMAIL ?? 'no-reply@localhost'}>`
}
