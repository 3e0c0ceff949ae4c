// Duties of the columns of sellers' data and of bank accounts.
import { statementAddressees } from '#server/store/tables/ledger.ts'
import { bankAccounts, departedPayees } from '#server/store/tables/bank-accounts.ts'
import { sellers } from '#server/store/tables/sellers.ts'
import { personal, without } from './duties.ts'

const gone = { disclosed: null, quoted: null, erased: 'goes', anonymised: 'removed' } as const
const ownerId = { ...gone, shown: 'none', exported: without('profile.json has it') } as const

export const sellerColumns = personal(sellers, 'Until the account is deleted', {
  userId: ownerId,
  display: { ...gone, shown: 'owner', exported: 'display' },
  storedAt: { ...gone, shown: 'owner', exported: 'stored_at' },
  // Its text is exported opened, key by key.
  sealed: {
    ...gone,
    shown: 'others',
    exported: without('seller.json has its name, address, telephone, email and hours'),
  },
})

/** Stays for as long as a deleted account has money: the bank needs it. */
const owed = {
  disclosed: null,
  quoted: null,
  erased: { until: 'its balance is zero and no payout is open' },
  anonymised: 'removed',
} as const

export const bankAccountColumns = personal(
  bankAccounts,
  'Until it is removed, or the account is deleted and nothing is owed to it: its balance is zero, and no payout is open',
  {
    userId: { ...owed, shown: 'none', exported: without('profile.json has it') },
    bankCode: { ...owed, shown: 'owner', exported: 'bank_code' },
    branchCode: { ...owed, shown: 'owner', exported: 'branch_code' },
    type: { ...owed, shown: 'owner', exported: 'type' },
    lastDigits: { ...owed, shown: 'owner', exported: 'last_digits' },
    // A zip with the whole number could pass it on.
    sealed: { ...owed, shown: 'none', exported: without('the whole number and the holder') },
    nameCheck: { ...owed, shown: 'owner', exported: 'name_check' },
    changedAt: { ...owed, shown: 'owner', exported: 'changed_at' },
    heldUntil: { ...owed, shown: 'owner', exported: 'held_until' },
    residence: { ...owed, shown: 'owner', exported: 'residence' },
    residenceAt: { ...owed, shown: 'owner', exported: 'residence_at' },
    removedAt: { ...owed, shown: 'none', exported: without('a removed account is empty') },
  },
)

/** Made by the erasure itself, which no copy can have. */
const made = { ...owed, exported: without('it is made when the account is deleted') } as const

export const departedPayeeColumns = personal(
  departedPayees,
  'From the erasure of an account with a balance or an open payout until its balance is zero and no payout is open',
  {
    userId: { ...made, shown: 'none' },
    // The email address, and the legal name with its reading.
    sealed: { ...made, shown: 'none' },
    isSuspended: { ...made, shown: 'none' },
    releasedAt: { ...made, shown: 'none' },
    departedAt: { ...made, shown: 'none' },
  },
)

/** The copy of an invoice that its issuer keeps. */
const copied = {
  disclosed: null,
  quoted: null,
  erased: { until: '98 months have passed since the issue' },
  anonymised: 'removed',
} as const

export const statementAddresseeColumns = personal(
  statementAddressees,
  'As long as the account; after its deletion until 98 months have passed since the issue: seven years from two months after the end of the fiscal year',
  {
    statementId: { ...copied, shown: 'none', exported: without('purchases.json has the statement') },
    creatorId: { ...copied, shown: 'none', exported: without('profile.json has it') },
    // Its text is exported opened, with the statement.
    sealed: { ...copied, shown: 'owner', exported: without('purchases.json has the addressee') },
    issuedAt: { ...copied, shown: 'owner', exported: without('purchases.json has the statement') },
  },
)
