// Mailer that sends emails to a relay by SMTP.
import nodemailer from 'nodemailer'

export interface Mail {
  /** Message id: the recipient's mailbox recognises the same email sent twice. */
  readonly id: string
  readonly to: { readonly email: string; readonly name: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Where the recipient, or their mail program by itself, stops emails of this kind (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** `refused`: the relay will never accept this email. Temporary failures are thrown, and retried. */
export type Sent = { readonly is: 'sent' } | { readonly is: 'refused'; readonly status: number }

export interface Mailer {
  send(mail: Mail): Promise<Sent>
  /** Connects to the relay, greets it and signs in, and sends no email. Absent without a relay. */
  check?(): Promise<void>
  close(): void
}

/** Timeouts of the connection to the relay, and of its replies, ms. */
const CONNECT_TIMEOUT = 10_000
const REPLY_TIMEOUT = 30_000

interface RelayError extends Error {
  code?: string
  responseCode?: number
}

/** A failure without the relay's text, which quotes the address and must not reach logs or the job table. */
export class RelayFailed extends Error {
  constructor({ code = '', responseCode = 0 }: RelayError) {
    super(`the mail relay did not accept an email: ${code} ${responseCode}`)
    this.name = 'RelayFailed'
  }
}

/** The permanent refusal of this email; undefined for other errors, such as a wrong password of the relay. */
function refusalOf({ code, responseCode = 0 }: RelayError): Sent | undefined {
  const ofEmail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return ofEmail && responseCode >= 500 && responseCode < 600
    ? { is: 'refused', status: responseCode }
    : undefined
}

/**
 * @param url `smtp://` (TLS as soon as the relay offers it) or `smtps://` (TLS from the first byte), with user and password
 * @param from the sender, `name <address>` or an address
 */
export function openMailer(url: string, from: string): Mailer {
  const relay = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_TIMEOUT,
    greetingTimeout: CONNECT_TIMEOUT,
    socketTimeout: REPLY_TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = /@([^\s@>]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      try {
        await relay.sendMail({
          from,
          to: { name: to.name, address: to.email },
          subject,
          text,
          html,
          messageId: `<${id}@${host}>`,
          // Prevents automatic replies, such as out-of-office notices.
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== undefined && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
        return { is: 'sent' }
      } catch (error) {
        const refusal = refusalOf(error as RelayError)
        if (refusal) return refusal
        throw new RelayFailed(error as RelayError)
      }
    },
    async check() {
      await relay.verify()
    },
    close: () => relay.close(),
  }
}
