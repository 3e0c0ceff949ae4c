// Links of decisions, and sending one again to a suspended person.
import type { Counts } from '#server/adapters/counts.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Limits } from '#server/http/limits.ts'
import type { Mailbox } from '#server/rules/email.ts'
import { createRecipientBudget } from '#server/services/auth/recipient-budget.ts'
import type { EmailingUnit } from '#server/services/email/outbox.ts'
import type { Transaction } from '#server/services/transaction/unit-of-work.ts'
import type { Db } from '#server/store/database.ts'
import { listDecisionsAbout } from '#server/store/moderation/decisions.ts'
import { measuresOf } from '#server/store/moderation/measures.ts'

export interface DecisionLinkPorts {
  readonly secrets: Pick<Secrets, 'mac'>
  readonly settings: { readonly publicUrl: string }
}

/** The token of the link in a decision's email. It does not end; the appeal does. */
export const decisionToken = ({ secrets }: Pick<DecisionLinkPorts, 'secrets'>, decisionId: string): string =>
  secrets.mac('decision', decisionId)

/** The page of a decision. Its secret stays in the browser: a fragment is in no log. */
export function decisionUrl(ports: DecisionLinkPorts, decisionId: string): string {
  const query = new URLSearchParams({ decision: decisionId, token: decisionToken(ports, decisionId) })
  return `${ports.settings.publicUrl}/appeal#${query.toString()}`
}

export interface SuspensionLinkPorts extends DecisionLinkPorts {
  readonly db: Db
  readonly counts: Counts
  readonly settings: DecisionLinkPorts['settings'] & { readonly limits: Pick<Limits, 'noticesToOwner'> }
  readonly transaction: Transaction<EmailingUnit>
}

/** Decisions that are searched for the one that suspends. */
const MOST = 100

/** Emails the link of the decision that suspends an account, at most once a day, to its proven owner. */
export async function sendSuspensionLink(
  ports: SuspensionLinkPorts,
  account: Mailbox & { readonly id: string },
): Promise<void> {
  const { db, settings, transaction } = ports
  const found = await listDecisionsAbout(db, account.id, { limit: MOST })
  const ids = found.map((it) => it.id)
  const measures = await measuresOf(db, ids)
  const decisionId = ids.find((id) =>
    measures.get(id)?.some(({ kind, endedAt }) => kind === 'suspend' && endedAt === null),
  )
  if (decisionId === undefined) return
  const budget = createRecipientBudget(ports, 'suspension', settings.limits.noticesToOwner)
  if (!(await budget.allows(account.email))) return
  await transaction(({ email }) =>
    email(account, { is: 'suspension_link', url: decisionUrl(ports, decisionId) }),
  )
}
