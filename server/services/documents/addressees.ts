// To whom statements are made out: the seller's name by law.
import type { Secrets } from '#server/adapters/secrets.ts'
import { openContact } from '#server/services/people/departed-payee.ts'
import { openSeller } from '#server/services/sellers/sealed-seller.ts'
import type { Db } from '#server/store/database.ts'
import { findPayees } from '#server/store/payouts/payees.ts'
import { addStatementAddressees, findStatementAddressee } from '#server/store/sales/addressees.ts'
import { findSeller } from '#server/store/sellers/sellers.ts'
import { openAddressee, sealAddressee } from './sealed-issue.ts'

interface SecretsPort {
  readonly secrets: Secrets
}

/** Stores to whom statements are made out that were just added. One without a name by law has none. */
export async function addAddressees(
  deps: SecretsPort & { readonly clock: () => number },
  tx: Db,
  added: readonly { readonly id: string; readonly creatorId: string }[],
): Promise<void> {
  const names = await namesByLaw(
    deps,
    tx,
    added.map((it) => it.creatorId),
  )
  const issuedAt = new Date(deps.clock())
  const rows = added.flatMap(({ id, creatorId }) => {
    const name = names.get(creatorId)
    return name ? [{ statementId: id, creatorId, sealed: sealAddressee(deps, id, name), issuedAt }] : []
  })
  await addStatementAddressees(tx, rows)
}

/** The names of creators: as sellers, or else those of their account information; of a deleted account what was kept for its payout. */
async function namesByLaw(
  deps: SecretsPort,
  tx: Db,
  creatorIds: readonly string[],
): Promise<Map<string, string>> {
  const payees = await findPayees(tx, creatorIds)
  const names = new Map<string, string>()
  for (const id of creatorIds) {
    const seller = await findSeller(tx, id)
    const payee = payees.get(id)
    const kept = payee?.departed ? openContact(deps, payee.departed) : undefined
    const known = [
      seller && openSeller(deps, seller).name,
      payee?.legalName,
      kept?.sellerName,
      kept?.legalName,
    ]
    const name = known.find((it) => it !== undefined && it !== '')
    if (name !== undefined) names.set(id, name)
  }
  return names
}

/** To whom a statement is made out; undefined for one that has no name by law. */
export async function addresseeOf(
  deps: SecretsPort & { readonly db: Db },
  statementId: string,
): Promise<string | undefined> {
  const sealed = await findStatementAddressee(deps.db, statementId)
  return sealed === undefined ? undefined : openAddressee(deps, { id: statementId, sealed })
}
