// Duties of the columns of sellers' data and of bank accounts.
import { bankAccounts } from '#server/store/tables/bank-accounts.ts'
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

export const bankAccountColumns = personal(
  bankAccounts,
  'Until it is removed or the account is deleted, and no payout to it is open',
  {
    userId: ownerId,
    bankCode: { ...gone, shown: 'owner', exported: 'bank_code' },
    branchCode: { ...gone, shown: 'owner', exported: 'branch_code' },
    type: { ...gone, shown: 'owner', exported: 'type' },
    lastDigits: { ...gone, shown: 'owner', exported: 'last_digits' },
    // A zip with the whole number could pass it on.
    sealed: { ...gone, shown: 'none', exported: without('the whole number and the holder') },
    nameCheck: { ...gone, shown: 'owner', exported: 'name_check' },
    changedAt: { ...gone, shown: 'owner', exported: 'changed_at' },
    heldUntil: { ...gone, shown: 'owner', exported: 'held_until' },
    removedAt: { ...gone, shown: 'none', exported: without('a removed account is empty') },
  },
)
