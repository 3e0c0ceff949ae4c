// Mailer that hands emails to a relay by SMTP.
import nodemailer from 'nodemailer'

export interface Mail {
  /** The same email sent twice is one email to the box that receives it. */
  readonly id: string
  readonly to: { readonly email: string; readonly name: string }
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** `refused`: the relay will never take this email. What may pass is thrown, and tried again. */
export type Sent = { readonly is: 'sent' } | { readonly is: 'refused'; readonly status: number }

export interface Mailer {
  send(mail: Mail): Promise<Sent>
  close(): void
}

/** A relay that says nothing for this long is given up, ms. */
const CONNECT = 10_000
const SILENCE = 30_000

interface RelayError extends Error {
  code?: string
  responseCode?: number
}

/** A relay's own sentences quote the address; neither they nor the email may reach a log or the job table. */
export class RelayFailed extends Error {
  constructor({ code = '', responseCode = 0 }: RelayError) {
    super(`the mail relay did not take an email: ${code} ${responseCode}`)
    this.name = 'RelayFailed'
  }
}

/** The relay refused this email itself, for good; a wrong password of ours is not the email's fault. */
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
    connectionTimeout: CONNECT,
    greetingTimeout: CONNECT,
    socketTimeout: SILENCE,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = /@([^\s@>]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, to, subject, text, html }) {
      try {
        await relay.sendMail({
          from,
          to: { name: to.name, address: to.email },
          subject,
          text,
          html,
          messageId: `<${id}@${host}>`,
          // Holiday notices do not answer machines that say they are machines.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return { is: 'sent' }
      } catch (error) {
        const refusal = refusalOf(error as RelayError)
        if (refusal) return refusal
        throw new RelayFailed(error as RelayError)
      }
    },
    close: () => relay.close(),
  }
}
