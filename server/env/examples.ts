// Refuses values of the documents' examples in production.

/** The name of the operator in examples. */
const EXAMPLE_NAME = '株式会社とどけ'

/** Names that no real mailbox or relay has (RFC 2606). */
const exampleDomain = /(?:^|\.)example(?:\.(?:com|net|org))?$/

interface Given {
  readonly OPERATOR_NAME?: string | undefined
  readonly OPERATOR_EMAIL?: string | undefined
  readonly MAIL_FROM?: string | undefined
  readonly ADMIN_EMAILS: readonly string[]
  readonly SMTP_URL: string
}

const domainOf = (address = ''): string => address.slice(address.lastIndexOf('@') + 1).replace(/>$/, '')

/** A sentence for each variable that still has the value of an example. */
export function exampleValues(env: Given): string[] {
  const isExample = {
    OPERATOR_NAME: env.OPERATOR_NAME === EXAMPLE_NAME,
    OPERATOR_EMAIL: exampleDomain.test(domainOf(env.OPERATOR_EMAIL)),
    MAIL_FROM: exampleDomain.test(domainOf(env.MAIL_FROM)),
    ADMIN_EMAILS: env.ADMIN_EMAILS.some((it) => exampleDomain.test(domainOf(it))),
    SMTP_URL: env.SMTP_URL !== '' && exampleDomain.test(new URL(env.SMTP_URL).hostname),
  }
  return Object.entries(isExample).flatMap(([name, it]) =>
    it ? [`環境変数 ${name} が見本の値のままです。このサイトの値にしてください。`] : [],
  )
}
