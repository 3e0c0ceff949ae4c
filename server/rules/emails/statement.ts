// Email about a creator's monthly statement.
import { type EmailText, line, yen } from './frame.ts'

interface Statement {
  /** `YYYY-MM`. */
  readonly month: string
  /** The creator's share of the month, and the balance after it, whole yen. */
  readonly net: number
  readonly balance: number
  /** URL of the statement. */
  readonly url: string
}

export function statement({ month, net, balance, url }: Statement): EmailText {
  const name = `${month.slice(0, 4)}年${Number(month.slice(5))}月分`
  return {
    subject: `${name}の支払明細書`,
    parts: [
      line(`${name}の売上が確定し、支払明細書ができました。`),
      {
        is: 'facts',
        facts: [
          ['差引額', yen(net)],
          ['残高', yen(balance)],
        ],
      },
      { is: 'link', label: '支払明細書を見る', url },
    ],
    foot: ['とどけでの販売があるため、お送りしています。'],
  }
}
